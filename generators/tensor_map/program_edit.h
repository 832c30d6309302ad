// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/random.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/spec/arch.h"

namespace assay::gen {

/// The replacements that write every field of a map which has one, of the dimensions that it has.
std::vector<MapStep> edits_of_whole_map(const TensorMapArgs&, spec::Arch);
/// Those of them whose value is another in `to` than in `from`.
std::vector<MapStep> edits_between(const TensorMapArgs& from, const TensorMapArgs& to, spec::Arch);

/// Now and then another operand that stands for the same: bits beyond the field, a stride that is rounded.
void disguise(Random&, MapStep&);

/// One argument or coordinate of a legal load becomes another one. What comes out need not be legal.
void change_one(Random&, spec::Arch, TensorCopyCase&);

}  // namespace assay::gen
