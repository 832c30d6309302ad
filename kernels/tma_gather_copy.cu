#include <cstddef>

#include "kernels/params/tiled_copy.h"
#include "kernels/ptx_gather.cuh"
#include "kernels/tensor_copy.cuh"

/// Batched probes of cp.async.bulk.tensor in modes tile::gather4 and tile::scatter4: one record is one copy
/// of four rows.
namespace assay {
namespace {

using namespace probe;
using params::TiledCopyRecord;

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t gather_policy = 0x12F0000000000000ull;

struct GatherCopy {
  using Record = TiledCopyRecord;
  static constexpr uint32_t common = offsetof(TiledCopyRecord, flags);

  __device__ static bool settles(uint32_t flags) { return flags & params::tiled_settle_before_surplus; }

  __device__ static ptx::Coordinates coordinates(const unsigned char* record) {
    const int32_t* c = reinterpret_cast<const TiledCopyRecord*>(record)->coord;
    return {{c[0], c[1], c[2], c[3], c[4]}};
  }

  __device__ static void issue_load(const unsigned char* record, const CopyFields& f, const void* map,
                                    uint32_t destination, uint32_t barrier) {
    const ptx::Coordinates at = coordinates(record);
    if (f.flags & params::tiled_prefetch_first) ptx::gather4_prefetch(map, at);
    const bool hint = f.flags & params::tiled_cache_hint;
    if (f.flags & params::tiled_destination_cta) {
      if (hint)
        ptx::gather4_cta_hint(destination, map, at, barrier, gather_policy);
      else
        ptx::gather4_cta(destination, map, at, barrier);
    } else if (hint) {
      ptx::gather4_hint(destination, map, at, barrier, gather_policy);
    } else {
      ptx::gather4(destination, map, at, barrier);
    }
  }

  __device__ static uint32_t barrier_rank(uint32_t flags, uint32_t issuer) {
    return flags & params::tiled_peer_barrier ? issuer ^ 1 : issuer;
  }

  /// To the one CTA of the mask, by the mbarrier of that CTA or of its peer.
  __device__ static void issue_unicast(const ptx::Coordinates& at, const CopyFields& f, const void* map,
                                       uint32_t destination, uint32_t barrier, uint16_t mask) {
    const uint32_t rank = __ffs(mask) - 1, to = ptx::mapa_shared_cluster(destination, rank);
    const uint32_t named = ptx::mapa_shared_cluster(barrier, barrier_rank(f.flags, rank));
    const bool hint = f.flags & params::tiled_cache_hint;
    if (f.flags & params::tiled_cta_group_2) {
      if (hint)
        ptx::gather4_group_2_hint(to, map, at, named, gather_policy);
      else
        ptx::gather4_group_2(to, map, at, named);
    } else if (hint) {
      ptx::gather4_group_1_hint(to, map, at, named, gather_policy);
    } else {
      ptx::gather4_group_1(to, map, at, named);
    }
  }

  __device__ static void issue_multicast(const unsigned char* record, const CopyFields& f, const void* map,
                                         uint32_t destination, uint32_t barrier, uint16_t mask) {
    const ptx::Coordinates at = coordinates(record);
    if (f.flags & params::tiled_prefetch_first) ptx::gather4_prefetch(map, at);
    const bool hint = f.flags & params::tiled_cache_hint;
    if (f.flags & params::tiled_unicast) return issue_unicast(at, f, map, destination, barrier, mask);
    if (f.flags & params::tiled_cta_group_2) {
      const uint32_t named = ptx::mapa_shared_cluster(barrier, barrier_rank(f.flags, ptx::cluster_ctarank()));
      if (hint)
        ptx::gather4_multicast_group_2_hint(destination, map, at, named, mask, gather_policy);
      else
        ptx::gather4_multicast_group_2(destination, map, at, named, mask);
    } else if (f.flags & params::tiled_cta_group_1) {
      if (hint)
        ptx::gather4_multicast_group_1_hint(destination, map, at, barrier, mask, gather_policy);
      else
        ptx::gather4_multicast_group_1(destination, map, at, barrier, mask);
    } else if (hint) {
      ptx::gather4_multicast_hint(destination, map, at, barrier, mask, gather_policy);
    } else {
      ptx::gather4_multicast(destination, map, at, barrier, mask);
    }
  }

  __device__ static void issue_store(const unsigned char* record, const CopyFields& f, const void* map,
                                     uint32_t source) {
    const ptx::Coordinates at = coordinates(record);
    if (f.flags & params::tiled_cache_hint)
      ptx::scatter4_hint(map, at, source, gather_policy);
    else
      ptx::scatter4(map, at, source);
  }
};
static_assert(GatherCopy::common % 16 == 0 &&
              offsetof(TiledCopyRecord, fill_offset) == GatherCopy::common + 16 &&
              offsetof(TiledCopyRecord, output_bytes) == GatherCopy::common + 32 &&
              offsetof(TiledCopyRecord, cta_mask) == GatherCopy::common + 52 &&
              offsetof(TiledCopyRecord, signals) == GatherCopy::common + 60);

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_gather4_load(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  load_records<GatherCopy>(args, shared);
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_scatter4_store(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  store_records<GatherCopy>(args, shared);
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_gather4_load_multicast(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  __shared__ uint32_t ended_of[8];
  load_records_multicast<GatherCopy>(args, shared, ended_of);
}

}  // namespace assay
