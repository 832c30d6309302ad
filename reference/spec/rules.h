// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/rules_async.h"
#include "reference/spec/rules_descriptors.h"
#include "reference/spec/rules_gather.h"
#include "reference/spec/rules_im2col.h"
#include "reference/spec/rules_map_replace.h"
#include "reference/spec/rules_mma.h"
#include "reference/spec/rules_tensor_map.h"
#include "reference/spec/rules_tiled_copy.h"
#include "reference/spec/rules_tmem.h"
#include "reference/spec/tensor_map.h"

/// What an assembler owes: the tables of kernels/forms/assembler say which spellings each rule is about.
namespace assay::spec {

inline constexpr std::array assembler_rules{
    Rule("ASM-R01", "a spelling that the documents give for a target assembles for it",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}}),
    Rule("ASM-R02", "a spelling with one undocumented qualifier or operand is refused",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}}),
    Rule("ASM-R03", "a spelling on which the documents are unclear may be accepted or refused",
         {{{"ptx", "Syntax and Target ISA Notes of each instruction"}}}),
};

/// All rules, V-nn first.
inline constexpr auto rule_table =
    joined(tensor_map_rules, tiled_copy_rules, tables::smem_rules, tables::instr_rules, tables::mask_rules,
           tables::mma_rules, map_field_rules, im2col_rules, im2col_wide_rules, gather_rules, bulk_copy_rules,
           map_replace_rules, tables::mbarrier_rules, tables::scale_rules, tables::tmem_copy_rules,
           tables::sparse_rules, assembler_rules, tables::mma_kind_rules, tables::launch_control_rules);
static_assert(rule_table.size() <= max_rules);

/// Position of a rule, at compile time: a misspelt id does not compile.
consteval RuleIndex rule(std::string_view id) {
  for (size_t i = 0; i < rule_table.size(); ++i)
    if (rule_table[i].id == id) return static_cast<RuleIndex>(i);
  throw "no such rule";
}

}  // namespace assay::spec
