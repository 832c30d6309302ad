// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/spec/joined.h"
#include "reference/spec/rules_assembler.h"
#include "reference/spec/rules_bulk_copy.h"
#include "reference/spec/rules_gather.h"
#include "reference/spec/rules_im2col.h"
#include "reference/spec/rules_im2col_wide.h"
#include "reference/spec/rules_instr_desc.h"
#include "reference/spec/rules_launch_control.h"
#include "reference/spec/rules_map_fields.h"
#include "reference/spec/rules_map_replace.h"
#include "reference/spec/rules_mbarrier.h"
#include "reference/spec/rules_mma.h"
#include "reference/spec/rules_mma_sync_kind.h"
#include "reference/spec/rules_scales.h"
#include "reference/spec/rules_smem_desc.h"
#include "reference/spec/rules_sparse.h"
#include "reference/spec/rules_tensor_map.h"
#include "reference/spec/rules_tiled_copy.h"
#include "reference/spec/rules_tmem_copy.h"
#include "reference/spec/rules_zero_column_mask.h"

namespace assay::spec {

/// All rules, V-nn first.
inline constexpr auto rule_table =
    joined(tensor_map_rules, tiled_copy_rules, smem_rules::rows, instr_rules::rows, mask_rules::rows,
           mma_rules::rows, map_field_rules, im2col_rules, im2col_wide_rules, gather_rules, bulk_copy_rules,
           map_replace_rules, mbarrier_rules::rows, scale_rules::rows, tmem_copy_rules, sparse_rules::rows,
           assembler_rules, mma_kind_rules, launch_control_rules);
static_assert(rule_table.size() <= max_rules);

/// Position of a rule, at compile time: a misspelt id does not compile.
consteval RuleIndex rule(std::string_view id) {
  for (size_t i = 0; i < rule_table.size(); ++i)
    if (rule_table[i].id == id) return static_cast<RuleIndex>(i);
  throw "no such rule";
}

}  // namespace assay::spec
