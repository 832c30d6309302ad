// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/batch.h"
#include "kernels/params/encode_im2col.h"
#include "kernels/params/encode_tiled.h"

namespace assay::params {

enum class CopyOp : uint32_t { load = 0, store = 1 };

/// Mode of the instruction. A store has the counterpart: tile::scatter4, im2col_no_offs.
enum class CopyMode : uint16_t { tile, gather4, im2col, w, w_128 };
inline constexpr uint32_t copy_modes = 5;

/// Operations of cp.reduce.async.bulk.tensor.
enum class TensorReduceOp : uint32_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };

enum CopyFlags : uint32_t {
  copy_prefetch_first = 1,       ///< issue cp.async.bulk.prefetch.tensor of the same box before a load
  copy_destination_cta = 2,      ///< load with destination .shared::cta instead of .shared::cluster
  copy_cache_hint = 4,           ///< with .L2::cache_hint evict_first
  copy_replace_swizzle_96B = 8,  ///< after encoding, tensormap.replace.tile.swizzle_mode 4 (sm_103a only)
  /// More bytes may come than a barrier is armed with: its phase may complete while some are still on their
  /// way, so the probe lets them arrive before it looks for a surplus.
  copy_settles = 16,
  // of loads in a cluster
  copy_cta_group_1 = 32,
  copy_cta_group_2 = 64,
  copy_peer_barrier = 128,  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                            ///< load to one CTA, of that CTA's peer
  copy_unicast = 256,       ///< no multicast, but a load to the one CTA of the mask
  copy_far_barrier = 512,   ///< a load: the mbarrier lies at barrier_offset
  copy_prefetch_alone = 1024,  ///< a load of one CTA: the prefetch is all that is issued
  /// In a cluster: a tcgen05.commit takes the place of the load, and its arrivals that of all others. The
  /// record has no map, opcode is one of tcgen05.commit, and one thread issues. With copy_unicast it has no
  /// mask and names the barrier of the one CTA. Barriers expect expect_tx bytes before it, which come after.
  copy_commits = 2048,
  /// One thread issues the copies of all lanes, one behind the other, before any is waited for.
  copy_in_a_row = 4096,
};

/// How the instruction is spelled beside its mode; one that is not of its map's mode has none of these.
inline constexpr NamedFlag copy_qualifiers[] = {
    {"cache_hint", copy_cache_hint},
    {"destination_cta", copy_destination_cta},
    {"prefetch_alone", copy_prefetch_first | copy_prefetch_alone},
    {"prefetch_first", copy_prefetch_first},
};
/// How it is issued.
inline constexpr NamedFlag copy_manners[] = {
    {"in_a_row", copy_in_a_row}, {"peer_barrier", copy_peer_barrier}, {"unicast", copy_unicast}};
inline constexpr uint32_t copy_all_qualifiers = [] {
  uint32_t all = 0;
  for (const NamedFlag& row : copy_qualifiers) all |= row.flag;
  return all;
}();

/// One tensor copy for the batched probes. Uploaded to the device as it stands.
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
template <typename EncodeArgs>
struct alignas(16) TensorCopyRecord {
  EncodeArgs map;  ///< global_address: relative to the arena (load), to the output slot (store)
  /// Of the map of the lanes of other_lanes: its tensor begins so many bytes further and has so many elements
  /// fewer along its outermost dimension.
  uint64_t other_address, other_less;
  uint32_t spelling;  ///< of the instruction, by any number, among those that mean the same
  unsigned char reserved[208 - 20 - sizeof(EncodeArgs)];  ///< 0
  // What the kernels read, 16 bytes at a time.
  int32_t coord[5];
  uint16_t offset[3];  ///< im2col offsets of a load: W, H, D; along W alone wHalo, wOffset
  CopyMode mode;
  uint32_t opcode;       ///< by forms::opcode_of
  uint32_t flags;        ///< CopyFlags
  uint32_t tile_offset;  ///< bytes from the window's start to the shared-memory operand; any value is allowed
  uint32_t window_bytes;      ///< multiple of 16, at most max_window_bytes
  uint32_t expect_tx;         ///< bytes the mbarrier of each receiving CTA is armed with; load only
  uint64_t fill_offset;       ///< multiple of 16, fill_offset + window_bytes <= arena_bytes
  uint64_t output_offset;     ///< multiple of 256, into the batch's output
  uint64_t slot_fill_offset;  ///< store: multiple of 16, + output_bytes <= arena_bytes
  uint32_t output_bytes;      ///< multiple of 16
  uint32_t prefetch_opcode;   ///< by forms::prefetch_opcode_of; of copy_prefetch_first
  uint32_t signals;      ///< of a cluster: destinations whose bytes the CTA of rank r counts, bits 2r+1:2r
  uint16_t cta_mask;     ///< multicast mask, cluster_size > 1
  uint16_t issuer_rank;  ///< cluster rank of the CTA that issues
  // What the host reads.
  CopyOp op;
  uint32_t cluster_size;  ///< 1, 2, 4, 8 or 16: equal for all records of a batch; > 1: a load in a cluster
  uint32_t instruction_rank;  ///< rank of the instruction; equal to map.rank unless a mismatch is the case
  uint32_t reduction;         ///< store: 0, or 1 + TensorReduceOp
  // What the kernels read again.
  uint32_t barrier_offset;  ///< bytes from the window's start, multiple of 8 from window_bytes on; of
                            ///< copy_far_barrier
  uint32_t issuer_thread;   ///< the first thread of the CTA that issues
  /// So many lanes behind it issue with it, of the same warp: box and tile of each lie these steps further.
  uint32_t more_lanes;
  uint32_t lane_pitch;   ///< bytes
  int32_t lane_step[5];  ///< of each coordinate
  uint32_t other_lanes;  ///< a bit a lane, 0 of issuer_thread: it copies by the other map
};

/// Bytes of the window and of a barrier behind it.
template <typename EncodeArgs>
constexpr uint32_t shared_bytes_of(const TensorCopyRecord<EncodeArgs>& r) {
  return r.flags & copy_far_barrier ? r.barrier_offset + 8 : r.window_bytes;
}

/// Of record i the two maps lie at BatchArgs::maps + 256 * i.
inline constexpr uint32_t copy_maps_bytes = 256;
template <typename EncodeArgs>
constexpr EncodeArgs other_map_of(const TensorCopyRecord<EncodeArgs>& r) {
  EncodeArgs other = r.map;
  other.global_address += r.other_address;
  other.global_dim[r.map.rank - 1] -= r.other_less;
  return other;
}

using TiledCopyRecord = TensorCopyRecord<EncodeTiledArgs>;
using Im2colCopyRecord = TensorCopyRecord<EncodeIm2colArgs>;
/// The kernels take both for one.
static_assert(sizeof(TiledCopyRecord) == 352 && sizeof(Im2colCopyRecord) == 352);

}  // namespace assay::params
