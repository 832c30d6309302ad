// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "generators/borders.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/spec/tensor_map.h"

/// Cases of cp.reduce.async.bulk.tensor in tile mode: stores with an operation.
namespace assay::gen {

/// An operation on the type of a map (its host value).
struct ReductionPair {
  TensorReduction reduction;
  uint32_t type;
};
/// Those that exist, and those that do not, packed types apart.
const std::vector<ReductionPair>& tensor_reductions();
const std::vector<ReductionPair>& missing_reductions();

/// Of integers half the operands, and half of what is there before, become borders of their type.
template <typename Copy>
void take_integer_borders(Random& random, uint32_t type, Copy& c) {
  if (spec::data_types[type].is_float) return;
  if (random.one_in(2)) c.fill_offset = at_integer_borders(random, c.window_bytes);
  if (random.one_in(2)) c.slot_fill_offset = at_integer_borders(random, c.slot_bytes);
}

/// Whether a case brings zeros of both signs and NaN together, which takes many pairs of floats: a quarter of
/// those of floats, `rarity` times as rarely. By a stream of its own.
inline bool meets_specials(Random random, uint32_t type, uint32_t rarity) {
  return spec::data_types[type].is_float && apart(random).one_in(4 * rarity);
}
/// Bytes of the tile of such a case.
inline uint64_t meeting_bytes(uint64_t bytes) {
  constexpr uint64_t most = 48 << 10;
  return std::max(bytes, std::min(most, 16 * bytes));
}
template <typename Copy>
void take_floats(Random& random, Copy& c) {
  c.fill_offset = at_floats(random, c.window_bytes);
  c.slot_fill_offset = at_floats(random, c.slot_bytes);
}

/// The first indexes walk every operation and type, on boxes as stores have them.
void make_tiled_reduce(const CaseId& id, TensorCopyCase& c);
/// An operation that the type lacks, or a store's fault.
void make_tiled_reduce_fault(const CaseId& id, TensorCopyCase& c);
/// Boxes whose rows lie on each other.
void make_tiled_reduce_conflict(const CaseId& id, TensorCopyCase& c);

}  // namespace assay::gen
