// SPDX-License-Identifier: Apache-2.0
#include "reports/blame.h"

#include <algorithm>
#include <charconv>

#include "reports/text.h"

namespace assay::report {
namespace {

constexpr std::string_view none = "-";
/// More than these are too many to tell anything by.
constexpr size_t most_suspects = 6;

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
    for (size_t i = 0; i < blame.suspects.size() && i < most_suspects; ++i)
      text += (i == 0 ? "one of " : ", ") + of(blame.suspects[i]);
    if (blame.suspects.size() > most_suspects)
      text += " and " + std::to_string(blame.suspects.size() - most_suspects) + " more";
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

}  // namespace assay::report
