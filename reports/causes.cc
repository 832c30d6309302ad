// SPDX-License-Identifier: Apache-2.0
#include "reports/causes.h"

#include <algorithm>
#include <map>

#include "reports/words.h"

namespace assay::report {
namespace {

/// What makes two signatures one cause. A rule may be bent in several ways by one defect; what nothing
/// explains has no more in common than its property.
std::string key_of(const CaseRow& example, const FailureGroup& group) {
  if (!group.blame.was_sought || group.blame.suspects.empty()) return "property " + example.property;
  std::string key = "rules";
  std::vector<std::string> rules;
  for (const Suspect& suspect : group.blame.suspects) rules.push_back(suspect.rule);
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  for (const std::string& rule : rules) key += " " + rule;
  return key;
}

}  // namespace

std::vector<Cause> causes_of(const Results& results) {
  std::vector<Cause> causes;
  std::map<std::string, size_t> seen;
  for (const FailurePlace& at : failures_in_reading_order(results)) {
    const FailureGroup& group = group_at(results, at);
    if (!fails(group.verdict)) continue;
    const CaseRow& example = group.examples.front();
    const auto [entry, is_new] = seen.try_emplace(key_of(example, group), causes.size());
    if (is_new) {
      Cause& cause = causes.emplace_back();
      cause.suspects = group.blame.suspects;
      cause.words = blame_line(group);
      cause.replay = example.replay;
    }
    Cause& cause = causes[entry->second];
    cause.places.push_back(at);
    cause.explained += !group.blame.suspects.empty();
    cause.cases += group.count;
    if (std::find(cause.properties.begin(), cause.properties.end(), example.property) ==
        cause.properties.end())
      cause.properties.push_back(example.property);
  }
  return causes;
}

size_t causes_to_show(const std::vector<Cause>& causes) {
  uint64_t all = 0, shown = 0;
  for (const Cause& cause : causes) all += cause.cases;
  size_t most = 0;
  while (most < causes.size() && (most < 3 || 2 * shown < all)) shown += causes[most++].cases;
  return most;
}

}  // namespace assay::report
