// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/gemm.h"
#include "kernels/pipeline/pipeline.cuh"
#include "kernels/probe.cuh"

/// What the warps of the production pipeline have in common: barriers, waits, tiles and maps.
namespace assay {
/// Named, so that the text that nvcc writes holds no hash of this file's path.
namespace gemm {

using namespace probe;
using namespace params;

inline constexpr uint32_t load_warp = 0, multiply_warp = 1, first_store_warp = 2;

struct Shared : params::GemmBarriers {
  uint32_t tmem;
  uint32_t cta;                ///< number of this one: its rank behind the CTAs of all clusters before
  alignas(16) uint4 tiles[2];  ///< Tile
  uint4 answers[params::gemm_most_answers];  ///< of clusterlaunchcontrol
  alignas(128) unsigned char maps[5][128];   ///< that the load warp, and each store warp, rewrites
};
static_assert(gemm_stages == sizeof(Shared::full) / sizeof(uint64_t));
static_assert(params::gemm_barriers_at + sizeof(Shared) <= params::gemm_all_shared_bytes);

/// Position in a ring of `depth` barriers, and how often it has gone round.
template <uint32_t depth>
struct Ring {
  uint32_t at = 0, parity = 0;
  __device__ void advance() {
    if (++at == depth) {
      at = 0;
      parity ^= 1;
    }
  }
};

/// Where a CTA stands in its cluster.
struct Place {
  uint32_t group;    ///< CTAs of an instruction
  uint32_t cluster;  ///< CTAs
  uint32_t rank = ptx::cluster_ctarank();
  uint32_t member = rank & 1;    ///< of its pair (group 2) or of the cluster: which rows of D
  uint32_t pair = rank >> 1;     ///< group 2: which columns of D
  uint32_t leader = rank & ~1u;  ///< of its pair
  bool multiplies;
  __device__ explicit Place(uint32_t group)
      : group(group), cluster(params::gemm_cluster(group)), multiplies(group == 1 || member == 0) {}
};

/// Number in the grid, x before y before z, of the cluster whose first CTA is at `first`. What is no first
/// CTA is taken for that of cluster 0, which runs anyway: nobody makes the tiles of the one that was meant.
__device__ uint32_t cluster_number(const ptx::CtaId& first) {
  const ptx::CtaId extent = ptx::cluster_nctaid();
  const uint32_t x = first.x / extent.x, y = first.y / extent.y, z = first.z / extent.z;
  if (x * extent.x != first.x || y * extent.y != first.y || z * extent.z != first.z) return 0;
  return (z * (gridDim.y / extent.y) + y) * (gridDim.x / extent.x) + x;
}
/// The same of the cluster that a CTA of this grid is in.
__device__ uint32_t own_cluster_number() {
  const ptx::CtaId extent = ptx::cluster_nctaid();
  return cluster_number(
      {blockIdx.x / extent.x * extent.x, blockIdx.y / extent.y * extent.y, blockIdx.z / extent.z * extent.z});
}

/// One tile of a cluster, as the load warp hands it to the others.
struct Tile {
  static constexpr uint32_t none = ~0u;
  uint32_t index;     ///< of the record; none: there is no tile any more
  uint32_t m, n;      ///< of D, its first row and column
  uint32_t is_first;  ///< that this cluster makes of the record
  __device__ const GemmRecord& record(const BatchArgs& args) const {
    return static_cast<const GemmRecord*>(args.records)[index];
  }
};

/// Tiles by number, over all records of the launch.
class Tiles {
 public:
  __device__ explicit Tiles(const BatchArgs& args) : args_(args) {}
  /// False: the launch has no tile of that number.
  __device__ bool find(uint32_t number, uint32_t group, Tile& tile) {
    if (number < first_) at_ = first_ = 0;
#pragma unroll 1
    for (; at_ < args_.count; ++at_) {
      const uint32_t index = args_.indexes[at_];
      const GemmRecord& r = static_cast<const GemmRecord*>(args_.records)[index];
      const uint32_t across = params::gemm_tiles_n(r), tiles = across * params::gemm_tiles_m(r);
      const uint32_t inside = number - first_;
      if (inside < tiles) {
        tile = {index, inside / across * params::gemm_cluster_m,
                inside % across * params::gemm_cluster_n(r.tile_n, group), index != last_};
        last_ = index;
        return true;
      }
      first_ += tiles;
    }
    return false;
  }

 private:
  const BatchArgs& args_;
  uint32_t at_ = 0, first_ = 0;  ///< position of a record, and the number of its first tile
  uint32_t last_ = Tile::none;   ///< the record of the tile found before
};

__device__ uint32_t stages_of(const GemmRecord& r) {
  return (r.matrices[0].columns + r.stage_elements - 1) / r.stage_elements;
}
/// Launches, and a group's products, reuse the address of a map.
__device__ const void* acquired_map(const void* map, bool is_first) {
  if (is_first) ptx::fence_proxy_tensormap_acquire_gpu(map);
  return map;
}

/// Map `which` of a record, and where it lies: in the record, or of a group among those of this CTA.
__device__ unsigned char* map_of(const BatchArgs& args, const Shared& shared, const GemmRecord& r,
                                 uint32_t which, uint32_t slot) {
  if (r.is_grouped)
    return static_cast<unsigned char*>(const_cast<void*>(args.maps)) +
           (shared.cta * params::gemm_cta_maps + slot) * 128;
  return const_cast<unsigned char*>(r.maps[which]);
}

/// By a whole warp, when nothing uses the map any more: the record's map of that number with its address and
/// extents, made in shared memory and published.
__device__ void rewrite_map(const BatchArgs& args, const GemmRecord& r, uint32_t which, uint32_t scratch,
                            unsigned char* to) {
  const uint32_t lane = threadIdx.x & 31;
  if (lane < 8) ptx::st_shared_v4(scratch + lane * 16, ptx::ld_global_v4(r.maps[which] + lane * 16));
  __syncwarp();
  if (lane == 0) {
    const params::GemmMatrix& matrix = r.matrices[which];
    ptx::replace_map(scratch, static_cast<unsigned char*>(args.output) + r.output_offset + matrix.offset,
                     matrix.columns, matrix.rows, matrix.pitch);
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy_gpu(to, scratch);
}

__device__ uint32_t stage_a(uint32_t window, uint32_t stage) {
  return window + stage * 2 * gemm_operand_bytes;
}
__device__ uint32_t stage_b(uint32_t window, uint32_t stage) {
  return stage_a(window, stage) + gemm_operand_bytes;
}
inline constexpr uint32_t b_box_bytes = gemm_operand_bytes / 2;  ///< from one of two boxes of B to the other
/// Scales of A (or its metadata), before those of B, behind the stages and the boxes.
__device__ uint32_t stage_scales(uint32_t window, uint32_t stage) {
  return window + params::gemm_shared_bytes - (gemm_stages - stage) * 2 * gemm_scale_bytes;
}
template <uint32_t depth>
__device__ uint32_t barrier_of(uint64_t (&barriers)[depth], uint32_t at) {
  return ptx::shared_address(&barriers[at]);
}

/// The waits of one warp. One that lasts is noted where it survives this process: after 64 tries and a
/// millisecond, so that a pipeline that moves writes nothing.
class Waits {
 public:
  /// A thread that `leaves_notes` speaks for its warp.
  __device__ Waits(const BatchArgs& args, const Shared& shared, bool leaves_notes)
      : first_(ptx::shared_address(&shared)) {
    if (leaves_notes)
      note_ = args.notes + params::gemm_first_wait + shared.cta * params::gemm_warps + threadIdx.x / 32;
  }

  template <typename Try>
  __device__ void wait(uint32_t barrier, uint32_t parity, Try is_complete) {
    constexpr uint32_t enough = 64, is_noted = enough + 1;
    uint32_t tries = note_ == nullptr ? is_noted : 0;
    uint64_t since = 0;
    while (!is_complete(barrier, parity)) {
      // A loop that changes nothing any more shows the emulator that it will not end.
      if (tries == is_noted) continue;
      if (tries < enough) {
        if (++tries == enough) since = ptx::globaltimer();
      } else if (ptx::globaltimer() - since > 1'000'000) {
        ptx::st_volatile_global_u32(note_, params::gemm_wait_word({(barrier - first_) / 8, parity, ended_}));
        tries = is_noted;
      }
    }
    if (note_ != nullptr && tries == is_noted) note_clear(note_);
    ++ended_;
  }
  /// Also orders what threads of other CTAs did before they arrived.
  __device__ void wait_cluster(uint32_t barrier, uint32_t parity) {
    wait(barrier, parity, ptx::mbarrier_try_wait_parity_cluster);
  }
  __device__ void wait_cta(uint32_t barrier, uint32_t parity) {
    wait(barrier, parity, ptx::mbarrier_try_wait_parity);
  }

 private:
  const uint32_t first_;  ///< address of the first barrier
  uint32_t* note_ = nullptr;
  uint32_t ended_ = 0;
};

/// By a warp that multiplies or stores, or a thread of it.
__device__ Tile handed_tile(Shared& shared, Waits& waits, uint32_t at, uint32_t parity) {
  waits.wait_cta(barrier_of(shared.handed, at), parity);
  const uint4 tile = ptx::ld_shared_v4(ptx::shared_address(&shared.tiles[at]));
  return {tile.x, tile.y, tile.z, tile.w};
}

}  // namespace gemm
}  // namespace assay
