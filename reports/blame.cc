// SPDX-License-Identifier: Apache-2.0
#include "reports/blame.h"

#include <algorithm>
#include <charconv>

#include "reports/text.h"

namespace assay::report {
namespace {

constexpr std::string_view none = "-";
/// More than these are too many to tell anything by.
constexpr size_t most_blamed = 6;

/// Over the cases of both.
uint64_t together(uint64_t a, uint64_t b) {
  return a < certain_strength && b < certain_strength ? a + b : std::min(a, b);
}

std::string of(const Suspect& suspect) {
  return suspect.rule + (suspect.words.empty() ? "" : " (as if " + suspect.words + ")");
}

}  // namespace

std::string words(const Blame& blame, const std::vector<std::string>& exercised) {
  if (const Suspect* culprit = blame.culprit()) return "violates " + of(*culprit);
  std::string text;
  if (!blame.suspects.empty()) {
    for (size_t i = 0; i < blame.suspects.size() && i < most_blamed; ++i)
      text += (i == 0 ? "one of " : ", ") + of(blame.suspects[i]);
    if (blame.suspects.size() > most_blamed)
      text += " and " + std::to_string(blame.suspects.size() - most_blamed) + " more";
    return text;
  }
  if (blame.was_sought) text = "unexplained";
  if (exercised.empty()) return text;
  text += text.empty() ? "exercises" : "; exercises";
  for (const std::string& rule : exercised) text += " " + rule;
  return text;
}

std::vector<Suspect> strongest(const std::vector<Weight>& weights) {
  uint64_t most = 0;
  for (const Weight& weight : weights) most = std::max(most, weight.strength);
  std::vector<Suspect> made;
  for (const Weight& weight : weights)
    if (weight.strength == most) made.push_back(weight.suspect);
  return made;
}

Blame both(const Blame& a, const Blame& b) {
  if (!a.was_sought || !b.was_sought) return a.was_sought ? a : b;
  Blame common{true, {}};
  if (!a.weights.empty() && !b.weights.empty()) {
    for (const Weight& one : a.weights)
      for (const Weight& other : b.weights)
        if (one.suspect.rule == other.suspect.rule)
          common.weights.push_back({one.suspect, together(one.strength, other.strength)});
    common.suspects = strongest(common.weights);
    return common;
  }
  for (const Suspect& suspect : a.suspects)
    if (std::any_of(b.suspects.begin(), b.suspects.end(),
                    [&](const Suspect& other) { return other.rule == suspect.rule; }))
      common.suspects.push_back(suspect);
  return common;
}

std::string stored(const Blame& blame) {
  if (!blame.was_sought) return {};
  if (blame.suspects.empty()) return std::string(none);
  std::string text;
  for (const Suspect& suspect : blame.suspects)
    text += (text.empty() ? "" : "\n") + suspect.rule + (suspect.words.empty() ? "" : " ") + suspect.words;
  return text;
}

Blame parse_blame(std::string_view stored) {
  Blame blame;
  blame.was_sought = !stored.empty();
  if (stored == none) return blame;
  while (!stored.empty()) {
    const std::string_view line = stored.substr(0, stored.find('\n'));
    stored.remove_prefix(std::min(stored.size(), line.size() + 1));
    const size_t blank = line.find(' ');
    if (!line.empty())
      blame.suspects.push_back({std::string(line.substr(0, blank)),
                                std::string(blank == line.npos ? "" : line.substr(blank + 1))});
  }
  return blame;
}

std::string stored_weights(const Blame& blame) {
  std::string text;
  for (const Weight& weight : blame.weights)
    text += (text.empty() ? "" : "\n") + weight.suspect.rule + " " + std::to_string(weight.strength) + " " +
            weight.suspect.words;
  return text;
}

std::vector<Weight> parse_weights(std::string_view stored) {
  std::vector<Weight> weights;
  while (!stored.empty()) {
    std::string_view line = cut(stored, '\n');
    Weight weight;
    weight.suspect.rule = cut(line, ' ');
    const std::string_view strength = cut(line, ' ');
    weight.suspect.words = line;
    const auto [end, error] =
        std::from_chars(strength.data(), strength.data() + strength.size(), weight.strength);
    if (error == std::errc{} && end == strength.data() + strength.size() && !weight.suspect.rule.empty())
      weights.push_back(std::move(weight));
  }
  return weights;
}

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
