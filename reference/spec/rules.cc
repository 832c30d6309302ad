// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/rules.h"

#include <unordered_map>

namespace assay::spec {

std::span<const Rule> rules() {
  return rule_table;
}

std::optional<RuleIndex> find_rule(std::string_view id) {
  // Every process asks for those of each property as it starts.
  static const auto indices = [] {
    std::unordered_map<std::string_view, RuleIndex> made;
    for (size_t i = 0; i < rule_table.size(); ++i) made.emplace(rule_table[i].id, static_cast<RuleIndex>(i));
    return made;
  }();
  const auto found = indices.find(id);
  return found == indices.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace assay::spec
