#include <cstddef>

#include "kernels/params/tiled_copy.h"
#include "kernels/ptx_tiled_group.cuh"
#include "kernels/tensor_copy.cuh"

/// Batched probes of cp.async.bulk.tensor in tile mode with .cta_group: one record is one load in a cluster.
namespace assay {
namespace {

using namespace probe;
using params::TiledCopyRecord;

#define ASSAY_BY_RANK(RANK, CALL) \
  if ((RANK) <= 2) {              \
    if ((RANK) == 1)              \
      CALL(1);                    \
    else                          \
      CALL(2);                    \
  } else if ((RANK) <= 4) {       \
    if ((RANK) == 3)              \
      CALL(3);                    \
    else                          \
      CALL(4);                    \
  } else {                        \
    CALL(5);                      \
  }

struct TiledGroupCopy {
  using Record = TiledCopyRecord;
  static constexpr uint32_t common = offsetof(TiledCopyRecord, flags);

  __device__ static uint32_t named_barrier(uint32_t flags, uint32_t barrier, uint32_t rank) {
    return ptx::mapa_shared_cluster(barrier, flags & params::tiled_peer_barrier ? rank ^ 1 : rank);
  }

  /// To the one CTA of the mask, by the mbarrier of that CTA or of its peer.
  __device__ static void issue_unicast(const ptx::Coordinates& at, const CopyFields& f, const void* map,
                                       uint32_t destination, uint32_t barrier, uint16_t mask) {
    const uint32_t rank = __ffs(mask) - 1, to = ptx::mapa_shared_cluster(destination, rank);
    const uint32_t named = named_barrier(f.flags, barrier, rank);
    if (f.flags & params::tiled_cta_group_2) {
#define ASSAY_CALL(R) ptx::tiled_group_2_##R##d(to, map, at, named)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::tiled_group_1_##R##d(to, map, at, named)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }

  __device__ static void issue_multicast(const unsigned char* record, const CopyFields& f, const void* map,
                                         uint32_t destination, uint32_t barrier, uint16_t mask) {
    const int32_t* c = reinterpret_cast<const TiledCopyRecord*>(record)->coord;
    const ptx::Coordinates at{{c[0], c[1], c[2], c[3], c[4]}};
    if (f.flags & params::tiled_unicast) return issue_unicast(at, f, map, destination, barrier, mask);
    if (f.flags & params::tiled_cta_group_2) {
      const uint32_t named = named_barrier(f.flags, barrier, ptx::cluster_ctarank());
#define ASSAY_CALL(R) ptx::tiled_multicast_group_2_##R##d(destination, map, at, named, mask)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::tiled_multicast_group_1_##R##d(destination, map, at, barrier, mask)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }
};
static_assert(TiledGroupCopy::common % 16 == 0 &&
              offsetof(TiledCopyRecord, fill_offset) == TiledGroupCopy::common + 16 &&
              offsetof(TiledCopyRecord, output_bytes) == TiledGroupCopy::common + 32 &&
              offsetof(TiledCopyRecord, cta_mask) == TiledGroupCopy::common + 52 &&
              offsetof(TiledCopyRecord, signals) == TiledGroupCopy::common + 60);

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_tiled_load_cta_group(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  __shared__ uint32_t ended_of[most_ranks];
  load_records_multicast<TiledGroupCopy>(args, shared, ended_of);
}

}  // namespace assay
