// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/model/tensor_copy/tiled_move.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/question.h"
#include "reference/spec/reduction.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What cp.reduce.async.bulk.tensor does to the elements of a tensor of a type (its host value); nothing
/// where it has no such reduction.
std::optional<spec::Reduction> tensor_reduction(TensorReduction, uint32_t data_type);

/// An element of the tensor that the order of several reductions decides, and what it may hold afterwards.
struct OpenSum {
  uint64_t at = 0;                ///< byte of the slot
  std::vector<uint64_t> allowed;  ///< rising
};

/// Reduces the elements of the box in box order. Everything lies inside the spans.
void reduce_rows(const TiledShape&, const Transfer&, const spec::Reduction&,
                 std::span<const std::byte> window, std::span<std::byte> global);

/// Elements that several rows of the box reduce and whose order matters, with what the slot holds before.
/// More than most_orders_of operands are too many to order: then the box's own order and the reverse of it.
/// Of a case that ends well, by the readings; of several lanes, of all their operands.
std::vector<OpenSum> open_sums(const TiledCase&, const spec::Readings&, std::span<const std::byte> window,
                               std::span<const std::byte> slot);

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
