#pragma once

#include <cstdint>

#include "kernels/params/encode_im2col.h"

namespace assay::params {

enum class Im2colOp : uint32_t { load = 0, store = 1 };

enum Im2colFlags : uint32_t {
  im2col_prefetch_first = 1,   ///< issue cp.async.bulk.prefetch.tensor of the same column before a load
  im2col_destination_cta = 2,  ///< load with destination .shared::cta instead of .shared::cluster
  im2col_cache_hint = 4,       ///< with .L2::cache_hint evict_first
  im2col_as_tile = 8,          ///< the instruction is that of tile mode
  /// A load armed with fewer bytes than will come: the probe lets them arrive before it looks for a surplus.
  im2col_settle_before_surplus = 16,
  // of loads in a cluster
  im2col_cta_group_1 = 32,
  im2col_cta_group_2 = 64,
  im2col_peer_barrier = 128,  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs
  im2col_unicast = 512,       ///< no multicast, but a load to the one CTA of the mask; with .cta_group
  im2col_as_plain = 256,  ///< the instruction is that of mode im2col, without offsets, where the map is wide
};

/// Mode of the instruction.
enum Im2colCopyMode : uint16_t { im2col_mode_plain = 0, im2col_mode_w = 1, im2col_mode_w_128 = 2 };

/// One im2col tensor copy for the batched probes; windows, slots, fills and outputs are those of a
/// TiledCopyRecord (tiled_copy.h). Uploaded to the device as it stands.
struct alignas(16) Im2colCopyRecord {
  EncodeIm2colArgs map;  ///< global_address: relative to the arena (load), to the output slot (store)
  int32_t coord[5];
  uint16_t offset[3];  ///< im2col offsets of a load: W, H, D; along W alone wHalo, wOffset
  uint16_t mode;       ///< Im2colCopyMode
  Im2colOp op;
  uint32_t flags;             ///< Im2colFlags
  uint32_t tile_offset;       ///< bytes from the window's start to the shared-memory operand
  uint32_t window_bytes;      ///< multiple of 16, at most max_window_bytes
  uint32_t expect_tx;         ///< bytes the mbarrier of each receiving CTA is armed with; load only
  uint64_t fill_offset;       ///< multiple of 16, fill_offset + window_bytes <= arena_bytes
  uint64_t output_offset;     ///< multiple of 256, into the batch's output
  uint32_t output_bytes;      ///< multiple of 16
  uint32_t instruction_rank;  ///< 3 to 5; of a tile instruction too
  uint64_t slot_fill_offset;  ///< store: multiple of 16, + output_bytes <= arena_bytes
  uint32_t cluster_size;      ///< 1, 2, 4 or 8: equal for all records of a batch; > 1: multicast load
  uint16_t cta_mask;          ///< multicast mask, cluster_size > 1
  uint16_t issuer_rank;       ///< cluster rank of the CTA that issues
  uint32_t reduction;         ///< store: 0, or 1 + TensorReduceOp (tiled_copy.h)
  uint32_t signals;           ///< multicast: destinations whose bytes the CTA of rank r counts, bits 2r+1:2r
};
static_assert(sizeof(Im2colCopyRecord) == 272);

}  // namespace assay::params
