// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/reduction.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What cp.reduce.async.bulk.tensor does to the elements of a tensor of a type (its host value); nothing
/// where it has no such reduction.
std::optional<spec::Reduction> tensor_reduction(TensorReduction, uint32_t data_type);

/// Reduces the elements of the box in box order. Everything lies inside the spans.
void reduce_rows(const TiledShape&, const Transfer&, const spec::Reduction&,
                 std::span<const std::byte> window, std::span<std::byte> global);

/// Of elements of `bytes` bytes that meet these operands, in any order: those whose order matters. `global`:
/// what is there before.
std::vector<OpenSum> open_sums(const std::map<uint64_t, std::vector<uint64_t>>& operands,
                               const spec::Reduction&, std::span<const std::byte> global);

/// Leaves these elements of `bytes` bytes open: any of their values may be there. Where all was defined, the
/// rest of the mask is filled; nothing is written to an empty one.
void leave_open(const std::vector<OpenSum>&, uint32_t bytes, std::span<std::byte> defined, bool& all_defined);

/// Names the rules on the arithmetic of a reduction.
void name_reduction_rules(const spec::Reduction&, spec::RuleSet& rules);

}  // namespace assay::model
