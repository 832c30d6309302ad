#pragma once

#include <array>

#include "reference/spec/rules_tensor_map.h"
#include "reference/spec/rules_tiled_copy.h"

namespace assay::spec {

/// All rules, V-nn first.
inline constexpr auto rule_table = [] {
  std::array<Rule, tensor_map_rules.size() + tiled_copy_rules.size()> all{};
  size_t at = 0;
  for (const Rule& rule : tensor_map_rules) all[at++] = rule;
  for (const Rule& rule : tiled_copy_rules) all[at++] = rule;
  return all;
}();
static_assert(rule_table.size() <= max_rules);

/// Position of a rule, at compile time: a misspelt id does not compile.
consteval RuleIndex rule(std::string_view id) {
  for (size_t i = 0; i < rule_table.size(); ++i)
    if (rule_table[i].id == id) return static_cast<RuleIndex>(i);
  throw "no such rule";
}

}  // namespace assay::spec
