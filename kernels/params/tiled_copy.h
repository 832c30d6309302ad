#pragma once

#include <cstdint>

#include "kernels/params/encode_tiled.h"

namespace assay::params {

/// Bytes of the read-only arena in global memory that every load reads from and every fill comes from.
/// Its content is arena_word(i), the same on host and device.
inline constexpr uint64_t arena_bytes = 32ull << 20;

/// The shared window of a probe starts at a multiple of this absolute shared address, so that offsets inside
/// the window decide the swizzle phase (address bits 9:7).
inline constexpr uint32_t window_alignment = 1024;

/// Largest shared window of one case, bytes.
inline constexpr uint32_t max_window_bytes = 216 * 1024;
/// Of a window with operands of wgmma or tcgen05.mma: the 227 KiB that a CTA may have, less the probe's own
/// variables and what alignment takes.
inline constexpr uint32_t max_operand_window_bytes = 226 * 1024;

enum class TiledOp : uint32_t { load = 0, store = 1 };

/// Operations of cp.reduce.async.bulk.tensor.
enum class TensorReduceOp : uint32_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };

enum TiledFlags : uint32_t {
  tiled_prefetch_first = 1,       ///< issue cp.async.bulk.prefetch.tensor of the same box before a load
  tiled_destination_cta = 2,      ///< load with destination .shared::cta instead of .shared::cluster
  tiled_cache_hint = 4,           ///< with .L2::cache_hint evict_first
  tiled_replace_swizzle_96B = 8,  ///< after encoding, tensormap.replace.tile.swizzle_mode 4 (sm_103a only)
  /// A load armed with fewer bytes than will come: its phase may complete while some are still on their way,
  /// so the probe lets them arrive before it looks for a surplus.
  tiled_settle_before_surplus = 16,
  // of loads in a cluster
  tiled_cta_group_1 = 32,
  tiled_cta_group_2 = 64,
  tiled_peer_barrier = 128,  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                             ///< load to one CTA, of that CTA's peer
  tiled_unicast = 256,       ///< no multicast, but a load to the one CTA of the mask; with .cta_group
};

/// One tiled tensor copy for the batched probes. Uploaded to the device as it stands.
///
/// load:  the shared window [0, window_bytes) is filled with arena bytes from fill_offset by st.shared; the
/// box is
///        loaded to window + tile_offset; the whole window is read back by ld.shared to output +
///        output_offset (cluster_size windows one after the other, rank 0 first). output_bytes = window_bytes
///        * cluster_size.
/// store: the output slot [output_offset, + output_bytes) is filled with arena bytes from slot_fill_offset;
/// the
///        window is filled with arena bytes from fill_offset; the box is stored from window + tile_offset.
///        The tensor lies in the slot.
struct alignas(16) TiledCopyRecord {
  EncodeTiledArgs map;  ///< global_address: relative to the arena (load), to the output slot (store)
  int32_t coord[5];
  TiledOp op;
  uint32_t flags;        ///< TiledFlags
  uint32_t tile_offset;  ///< bytes from the window's start to the shared-memory operand; any value is allowed
  uint32_t window_bytes;      ///< multiple of 16, at most max_window_bytes
  uint32_t expect_tx;         ///< bytes the mbarrier of each receiving CTA is armed with; load only
  uint64_t fill_offset;       ///< multiple of 16, fill_offset + window_bytes <= arena_bytes
  uint64_t output_offset;     ///< multiple of 256, into the batch's output
  uint32_t output_bytes;      ///< multiple of 16
  uint32_t instruction_rank;  ///< rank of the instruction; equal to map.rank unless a mismatch is the case
  uint64_t slot_fill_offset;  ///< store: multiple of 16, + output_bytes <= arena_bytes
  uint32_t cluster_size;      ///< 1, 2, 4 or 8: equal for all records of a batch; > 1: multicast load
  uint16_t cta_mask;          ///< multicast mask, cluster_size > 1
  uint16_t issuer_rank;       ///< cluster rank of the CTA that issues
  uint32_t reduction;         ///< store: 0, or 1 + TensorReduceOp
  /// Loads of four rows or with .cta_group in a cluster: destinations whose bytes the CTA of rank r counts,
  /// bits 2r+1:2r.
  uint32_t signals;
  uint32_t reserved[4];  ///< 0
};
static_assert(sizeof(TiledCopyRecord) == 256);

/// Word i (8 bytes at arena offset 8 * i) of the arena: a bijective mix of i in three quarters of the arena.
/// In the last quarter the words are pairs of 32-bit patterns in which every class of float (zeros,
/// subnormals, ties of the tf32 rounding, infinities, quiet and signalling NaN) is frequent.
constexpr uint64_t arena_mix(uint64_t i) {
  uint64_t z = i * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
constexpr uint32_t arena_float_pattern(uint32_t random) {
  const uint32_t kind = random & 7, sign = random & 0x80000000u, bits = random >> 3;
  const uint32_t exponent = (kind == 0)   ? 0u     // zeros and subnormals
                            : (kind == 1) ? 0xffu  // infinities and NaN
                            : (kind == 2) ? 0xfeu  // next to overflow
                                          : (random >> 23) & 0xffu;
  const uint32_t shape = (random >> 28) & 7;
  uint32_t mantissa = bits & 0x7fffffu;
  if (shape == 0) mantissa = 0;
  if (shape == 1) mantissa = (mantissa & ~0x1fffu) | 0x1000u;  // a tie of rounding at bit 13
  if (shape == 2) mantissa |= 0x7fe000u;
  return sign | exponent << 23 | mantissa;
}
constexpr uint64_t arena_word(uint64_t i) {
  const uint64_t mixed = arena_mix(i);
  if (i < arena_bytes / 8 / 4 * 3) return mixed;
  return static_cast<uint64_t>(arena_float_pattern(static_cast<uint32_t>(mixed >> 32))) << 32 |
         arena_float_pattern(static_cast<uint32_t>(mixed));
}

}  // namespace assay::params
