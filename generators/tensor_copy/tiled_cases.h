// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "generators/borders.h"
#include "generators/random.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"
#include "reference/spec/tensor_map.h"

/// Case i of each property of tiled copies. A case depends on (seed, property, index, architecture) alone.
/// Loads and stores: the first indexes walk every reachable coverage cell once, in a scattered order and with
/// the rarer corners (Twist) in turn; later ones draw cell and corner.
namespace assay::gen {

/// What decides a case.
struct CaseId {
  uint64_t seed;
  std::string_view property;
  uint64_t index;
  spec::Arch arch;
  Random random() const { return Random(case_stream(seed, property, index)); }
};

void make_tiled_load(const CaseId& id, TensorCopyCase& c);
void make_tiled_store(const CaseId& id, TensorCopyCase& c);

/// Clusters of 2, 4 and 8, the same for 256 indexes in a row; any mask, 0 among them, any issuer.
void make_tiled_load_multicast(const CaseId& id, TensorCopyCase& c);
/// The same in clusters of 16.
void make_tiled_load_non_portable(const CaseId& id, TensorCopyCase& c);

/// The same with .cta_group::1 or ::2, the mbarrier that of the issuer or of its peer, a third of them to one
/// CTA without multicast; clusters change every 16 indexes.
void make_tiled_load_cta_group(const CaseId& id, TensorCopyCase& c);

/// Small loads whose barrier is armed with the right count, with the bytes in bounds alone, or with more, in
/// turn.
void make_tiled_load_transaction(const CaseId& id, TensorCopyCase& c);

/// Loads and stores that break one run-time rule: shared alignment, start on 16 bytes, rank of the
/// instruction, extent above 2^31, (stores) a negative start; kinds in turn.
void make_tiled_load_fault(const CaseId& id, TensorCopyCase& c);
void make_tiled_store_fault(const CaseId& id, TensorCopyCase& c);

// Cases of cp.reduce.async.bulk.tensor in tile mode: stores with an operation.

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
