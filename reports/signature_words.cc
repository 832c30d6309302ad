// SPDX-License-Identifier: Apache-2.0
#include "reports/signature_words.h"

#include <algorithm>
#include <vector>

namespace assay::report {
namespace {

struct EndWords {
  std::string_view end, expected, observed;
};
constexpr EndWords end_words[] = {
    {"done", "to complete", "completed"},
    {"never completes", "the barrier never to complete", "barrier never completed"},
    {"surplus bytes", "surplus bytes", "surplus bytes arrived"},
    {"rejected (1)", "the call to be rejected", "the call was rejected"},
    {"hung", "a hang", "the device hung"},
};

std::string expected_words(std::string_view end) {
  for (const EndWords& row : end_words)
    if (row.end == end) return std::string(row.expected);
  return std::string(end);
}
std::string observed_words(std::string_view end) {
  for (const EndWords& row : end_words)
    if (row.end == end) return std::string(row.observed);
  return std::string(end);
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('|', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string joined_rules(std::string_view rules) {
  std::string text;
  for (size_t at = 0; at < rules.size();) {
    const size_t end = std::min(rules.find('+', at), rules.size());
    text += (at == 0 ? "" : end == rules.size() ? " and " : ", ") + std::string(rules.substr(at, end - at));
    at = end + 1;
  }
  return text;
}

}  // namespace

std::string signature_words(std::string_view signature) {
  // "...: not seen in 300 cases" after it.
  const size_t last = signature.rfind('|');
  if (last == signature.npos) return std::string(signature);
  const size_t colon = signature.find(": ", last);
  const std::string_view tail = colon == signature.npos ? std::string_view() : signature.substr(colon);
  std::vector<std::string_view> parts = parts_of(signature.substr(0, colon));
  std::string text = std::string(parts[0]) + ": ";
  const bool is_flaky = parts.back() == "flaky";
  if (is_flaky) parts.pop_back();
  if (parts.size() == 2) return text + observed_words(parts[1]) + std::string(tail);
  if (parts[1] == "rig") return text + "not run, " + std::string(parts[2]) + std::string(tail);
  if (parts[1] == "undecided")
    return text + "cases do not agree on " + std::string(parts[2]) + std::string(tail);
  const std::string_view expected = parts[1], observed = parts[2];
  size_t next = 3;
  if (expected != observed || expected == "hung")
    text += "expected " + expected_words(expected) + ", " + observed_words(observed);
  else
    text += expected == "done" ? "wrong output" : "wrong output of " + std::string(expected);
  if (expected.starts_with("rejected") && parts.size() > next && !parts[next].empty())
    text += " (breaks " + joined_rules(parts[next]) + ")", ++next;
  for (; next < parts.size(); ++next)
    if (!parts[next].empty()) text += ", " + std::string(parts[next]);
  return text + (is_flaky ? ", not every time" : "") + std::string(tail);
}

}  // namespace assay::report
