#pragma once

#include <array>

#include "reference/spec/rules_bulk_copy.h"
#include "reference/spec/rules_im2col.h"
#include "reference/spec/rules_instr_desc.h"
#include "reference/spec/rules_map_fields.h"
#include "reference/spec/rules_mbarrier.h"
#include "reference/spec/rules_mma.h"
#include "reference/spec/rules_smem_desc.h"
#include "reference/spec/rules_tensor_map.h"
#include "reference/spec/rules_tiled_copy.h"
#include "reference/spec/rules_zero_column_mask.h"

namespace assay::spec {

/// All rules, V-nn first.
inline constexpr auto rule_table = [] {
  std::array<Rule, tensor_map_rules.size() + tiled_copy_rules.size() + smem_rules::rows.size() +
                       instr_rules::rows.size() + mask_rules::rows.size() + mma_rules::rows.size() +
                       map_field_rules.size() + im2col_rules.size() + bulk_copy_rules.size() +
                       mbarrier_rules::rows.size()>
      all{};
  size_t at = 0;
  const auto add = [&](const auto& rows) {
    for (const Rule& rule : rows) all[at++] = rule;
  };
  add(tensor_map_rules);
  add(tiled_copy_rules);
  add(smem_rules::rows);
  add(instr_rules::rows);
  add(mask_rules::rows);
  add(mma_rules::rows);
  add(map_field_rules);
  add(im2col_rules);
  add(bulk_copy_rules);
  add(mbarrier_rules::rows);
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
