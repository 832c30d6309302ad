#include "reports/blame.h"

#include <algorithm>

namespace assay::report {
namespace {

constexpr std::string_view none = "-";
/// More than these are too many to tell anything by.
constexpr size_t most_suspects = 6;

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

Blame both(const Blame& a, const Blame& b) {
  if (!a.was_sought || !b.was_sought) return a.was_sought ? a : b;
  Blame common{true, {}};
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

}  // namespace assay::report
