// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "reference/model/end.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/question.h"
#include "reference/spec/reduction.h"
#include "reference/spec/rule.h"

/// Tensor copies of any mode, of one lane or of several.
namespace assay::model {

/// What the reference allows, apart from the bytes.
struct CopyPrediction {
  End end = End::done;
  uint32_t transaction_bytes = 0;  ///< per receiving CTA, load
  int64_t armed = 0;               ///< bytes that each receiver's barrier is armed with, load
  bool all_defined = true;         ///< false: `defined` holds a mask
  spec::RuleSet rules;             ///< rules this case exercises
};

/// The bytes a case is about, before it runs.
struct CopyFootprint {
  uint32_t shared_bytes = 0;  ///< extent of the tile in shared memory from the operand on, gaps included
  /// Byte range, relative to the case's tensor memory, that in-bounds elements touch (stores: whole 16-byte
  /// pieces); begin == end if none.
  uint64_t global_begin = 0, global_end = 0;
};
/// Of the first lane, by its own map. Legal cases only.
CopyFootprint footprint(const TensorCopyCase&, const spec::Readings&);

/// All rules (V-nn) that the map breaks (tensor_map/legality.h).
spec::RuleSet broken_map_rules(const TensorCopyCase&, const spec::Readings&);
bool has_legal_map(const TensorCopyCase&, const spec::Readings&);

/// How a copy whose map is legal ends before any byte moves: done, or the fault; `rules` gets the rules that
/// decide it. Two different faults at once give `undefined`: their order is not known. Does not look at sizes
/// in shared memory.
End end_of_issue(const TensorCopyCase&, const spec::Readings&, spec::RuleSet& rules);

/// Bytes that a load by one lane signals to each receiving barrier for each destination; the bend of the
/// readings, if any, left out. 0xffffffff if they do not fit 32 bits (X-02 lets such boxes through the
/// encoder).
uint32_t transaction_bytes(const TensorCopyCase&, const spec::Readings&);

/// Predicts a load. `arena` is the tensor memory; `window` (window_bytes) holds what shared memory held
/// before and receives what it must hold after, for every CTA that receives. `defined` (same size, or empty
/// when not wanted) gets 0xff where the byte is defined, 0 where not; it is written only when the result is
/// not all_defined.
CopyPrediction predict_load(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> arena,
                            std::span<std::byte> window, std::span<std::byte> defined);

/// The same where shared memory held `before`, as many bytes as the window, which holds nothing yet: what the
/// load writes over is not copied.
CopyPrediction predict_load(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> arena,
                            std::span<const std::byte> before, std::span<std::byte> window,
                            std::span<std::byte> defined);

/// Predicts a store. `window`: shared memory, read only. `slot` holds what global memory held before and
/// receives what it must hold after.
CopyPrediction predict_store(const TensorCopyCase&, const spec::Readings&, std::span<const std::byte> window,
                             std::span<std::byte> slot, std::span<std::byte> defined);

/// Ranks of the cluster that get data and signal of a load, a bit each.
constexpr uint32_t receivers(const TensorCopyCase& copy) {
  if (copy.cluster_size <= 1) return 1;
  return copy.cta_mask & ((uint32_t{1} << (copy.cluster_size < 16 ? copy.cluster_size : 16)) - 1);
}
/// The same as the bend of the readings has it.
uint32_t receivers(const TensorCopyCase&, const spec::Readings&);

/// An element of the tensor that the order of several writes or reductions decides, and what it may hold
/// afterwards.
struct OpenSum {
  uint64_t at = 0;                ///< byte of the slot
  std::vector<uint64_t> allowed;  ///< rising
};
/// Elements that the order of several reductions decides, or that several rows of a scatter4 write; `slot` is
/// what it holds before. Of several lanes, of all their operands. More than most_orders_of operands are too
/// many to order: then the copy's own order and the reverse of it. Of a case that ends well.
std::vector<OpenSum> open_sums(const TensorCopyCase&, const spec::Readings&,
                               std::span<const std::byte> window, std::span<const std::byte> slot);
/// Bytes of such an element: of types with less, one byte.
uint32_t open_element_bytes(const TensorCopyCase&);

/// Rank of the CTA whose mbarrier a load in a cluster names: its issuer, or the one CTA of the mask of a load
/// that is no multicast; or the peer of that.
constexpr uint32_t named_barrier(bool unicast, uint32_t mask, uint32_t issuer, bool peer_barrier) {
  const uint32_t rank = unicast && mask != 0 ? static_cast<uint32_t>(std::countr_zero(mask)) : issuer;
  return rank ^ (peer_barrier ? 1u : 0u);
}

/// Destinations of a load in a cluster whose bytes are signalled to the CTA of a rank: its own without
/// .cta_group::2 (CTAG-R01); with it those of its pair, where its parity is that of the CTA that owns the
/// mbarrier operand, and else none (CTAG-R02).
constexpr uint32_t destinations_signalled(uint32_t cta_group, uint32_t mask, uint32_t rank,
                                          uint32_t barrier_rank) {
  if (cta_group != 2) return mask >> rank & 1;
  if (((rank ^ barrier_rank) & 1) != 0) return 0;
  return static_cast<uint32_t>(std::popcount(mask >> (rank & ~1u) & 3));
}

/// Those of every rank of a cluster of at most 16 CTAs, two bits each.
constexpr uint32_t all_destinations_signalled(uint32_t cta_group, uint32_t mask, uint32_t barrier_rank) {
  uint32_t all = 0;
  for (uint32_t rank = 0; rank < 16; ++rank)
    all |= destinations_signalled(cta_group, mask, rank, barrier_rank) << (2 * rank);
  return all;
}

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
