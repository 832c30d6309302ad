// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "generators/mma/cases.h"
#include "reference/spec/rule.h"

/// Cases of tcgen05.mma whose words are legal field by field and break one rule of how fields go together.
/// Every eighth case is right. As mma/cases.h: case i depends on (seed, property, index,
/// architecture) alone; the first indexes walk the ways of the property once.
namespace assay::gen {

/// How instructions are issued.
enum class IssuedBy : uint8_t { one_cta, pair, ws };

/// A rule and the instructions of a property that can break it.
struct WayToBreak {
  std::string_view rule;
  IssuedBy issued_by;
};

/// Dense kinds f16, tf32, f8f6f4 and i8.
void make_mma_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c);
std::vector<WayToBreak> ways_to_break_dense(spec::Arch);
/// Block-scaled kinds.
void make_mma_scaled_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c);
std::vector<WayToBreak> ways_to_break_scaled(spec::Arch);
/// Sparse forms of all kinds.
void make_mma_sparse_one_rule_broken(const CaseId& id, Tcgen05MmaCase& c);
std::vector<WayToBreak> ways_to_break_sparse(spec::Arch);

/// The rules that a case breaks when it breaks that one: the transpose bit of a 4- or 6-bit element goes
/// against a rule of the instruction's word and one of the matrix's.
spec::RuleSet rules_broken_with(std::string_view rule);

}  // namespace assay::gen
