#include <cstddef>

#include "kernels/params/im2col_copy.h"
#include "kernels/ptx_cta_group.cuh"
#include "kernels/tensor_copy.cuh"

/// Batched probes of cp.async.bulk.tensor in modes im2col::w and im2col::w::128: one record is one load. What
/// a wide map does to an instruction of mode im2col is seen here as well, and what .cta_group does to one.
namespace assay {
namespace {

using namespace probe;
using params::Im2colCopyRecord;

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t wide_policy = 0x12F0000000000000ull;

#define ASSAY_BY_RANK(RANK, CALL) \
  if ((RANK) == 3)                \
    CALL(3);                      \
  else if ((RANK) == 4)           \
    CALL(4);                      \
  else                            \
    CALL(5);
/// By mode, then by rank: ASSAY_CALL(PREFIX, R) is the call.
#define ASSAY_W(R) ASSAY_CALL(w, R)
#define ASSAY_W_128(R) ASSAY_CALL(w_128, R)
#define ASSAY_BY_MODE                              \
  if (o.is_128) {                                  \
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_W_128) \
  } else {                                         \
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_W)     \
  }

/// What the issuing thread needs.
struct WideOperands {
  ptx::Coordinates at;
  ptx::WideOffsets by;
  bool is_128;
};

struct WideCopy {
  using Record = Im2colCopyRecord;
  static constexpr uint32_t common = offsetof(Im2colCopyRecord, flags);

  __device__ static bool settles(uint32_t flags) { return flags & params::im2col_settle_before_surplus; }

  __device__ static WideOperands operands(const unsigned char* record) {
    const auto* r = reinterpret_cast<const Im2colCopyRecord*>(record);
    return {{{r->coord[0], r->coord[1], r->coord[2], r->coord[3], r->coord[4]}},
            {r->offset[0], r->offset[1]},
            r->mode == params::im2col_mode_w_128};
  }

  __device__ static void prefetch(const CopyFields& f, const void* map, const WideOperands& o) {
    if (!(f.flags & params::im2col_prefetch_first)) return;
#define ASSAY_CALL(P, R) ptx::P##_prefetch_##R##d(map, o.at, o.by)
    ASSAY_BY_MODE
#undef ASSAY_CALL
  }

  __device__ static void issue_load(const unsigned char* record, const CopyFields& f, const void* map,
                                    uint32_t destination, uint32_t barrier) {
    const WideOperands o = operands(record);
    if (f.flags & params::im2col_as_plain) {
      const ptx::Im2colOffsets none{};
#define ASSAY_CALL(R) ptx::im2col_load_##R##d(destination, map, o.at, none, barrier)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
      return;
    }
    if (f.flags & params::im2col_as_tile) {
#define ASSAY_CALL(R) ptx::load_##R##d(destination, map, o.at, barrier)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
      return;
    }
    prefetch(f, map, o);
    const bool to_cta = f.flags & params::im2col_destination_cta;
    if (f.flags & params::im2col_cache_hint) {
      if (to_cta) {
#define ASSAY_CALL(P, R) ptx::P##_load_cta_hint_##R##d(destination, map, o.at, o.by, barrier, wide_policy)
        ASSAY_BY_MODE
#undef ASSAY_CALL
      } else {
#define ASSAY_CALL(P, R) ptx::P##_load_hint_##R##d(destination, map, o.at, o.by, barrier, wide_policy)
        ASSAY_BY_MODE
#undef ASSAY_CALL
      }
    } else if (to_cta) {
#define ASSAY_CALL(P, R) ptx::P##_load_cta_##R##d(destination, map, o.at, o.by, barrier)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(P, R) ptx::P##_load_##R##d(destination, map, o.at, o.by, barrier)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    }
  }

  __device__ static uint32_t barrier_rank(uint32_t flags, uint32_t issuer) {
    return flags & params::im2col_peer_barrier ? issuer ^ 1 : issuer;
  }

  __device__ static ptx::Im2colOffsets plain_offsets(const unsigned char* record) {
    const auto* r = reinterpret_cast<const Im2colCopyRecord*>(record);
    return {{r->offset[0], r->offset[1], r->offset[2]}};
  }

  /// To the one CTA of the mask, by the mbarrier of that CTA or of its peer.
  __device__ static void issue_unicast(const unsigned char* record, const CopyFields& f, const void* map,
                                       uint32_t destination, uint32_t barrier, uint16_t mask) {
    const WideOperands o = operands(record);
    const ptx::Im2colOffsets by = plain_offsets(record);
    const uint32_t rank = __ffs(mask) - 1, to = ptx::mapa_shared_cluster(destination, rank);
    const uint32_t named = ptx::mapa_shared_cluster(barrier, barrier_rank(f.flags, rank));
    const bool is_plain =
        reinterpret_cast<const Im2colCopyRecord*>(record)->mode == params::im2col_mode_plain;
    if (f.flags & params::im2col_cta_group_2) {
      if (is_plain) {
#define ASSAY_CALL(R) ptx::im2col_group_2_##R##d(to, map, o.at, by, named)
        ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
      } else {
#define ASSAY_CALL(P, R) ptx::P##_group_2_##R##d(to, map, o.at, o.by, named)
        ASSAY_BY_MODE
#undef ASSAY_CALL
      }
    } else if (is_plain) {
#define ASSAY_CALL(R) ptx::im2col_group_1_##R##d(to, map, o.at, by, named)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(P, R) ptx::P##_group_1_##R##d(to, map, o.at, o.by, named)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    }
  }

  /// In mode im2col; without .cta_group it is a case of tma_im2col_copy.cu.
  __device__ static void issue_plain_multicast(const unsigned char* record, const CopyFields& f,
                                               const void* map, uint32_t destination, uint32_t barrier,
                                               uint16_t mask) {
    const WideOperands o = operands(record);
    const ptx::Im2colOffsets by = plain_offsets(record);
    if (f.flags & params::im2col_cta_group_2) {
      const uint32_t named = ptx::mapa_shared_cluster(barrier, barrier_rank(f.flags, ptx::cluster_ctarank()));
#define ASSAY_CALL(R) ptx::im2col_multicast_group_2_##R##d(destination, map, o.at, by, named, mask)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::im2col_multicast_group_1_##R##d(destination, map, o.at, by, barrier, mask)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }

  __device__ static void issue_multicast(const unsigned char* record, const CopyFields& f, const void* map,
                                         uint32_t destination, uint32_t barrier, uint16_t mask) {
    const WideOperands o = operands(record);
    prefetch(f, map, o);
    const bool hint = f.flags & params::im2col_cache_hint;
    if (f.flags & params::im2col_unicast) return issue_unicast(record, f, map, destination, barrier, mask);
    if (reinterpret_cast<const Im2colCopyRecord*>(record)->mode == params::im2col_mode_plain)
      return issue_plain_multicast(record, f, map, destination, barrier, mask);
    if (f.flags & params::im2col_cta_group_2) {
      const uint32_t named = ptx::mapa_shared_cluster(barrier, barrier_rank(f.flags, ptx::cluster_ctarank()));
#define ASSAY_CALL(P, R) ptx::P##_multicast_group_2_##R##d(destination, map, o.at, o.by, named, mask)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    } else if (f.flags & params::im2col_cta_group_1) {
#define ASSAY_CALL(P, R) ptx::P##_multicast_group_1_##R##d(destination, map, o.at, o.by, barrier, mask)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    } else if (hint) {
#define ASSAY_CALL(P, R) \
  ptx::P##_multicast_hint_##R##d(destination, map, o.at, o.by, barrier, mask, wide_policy)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(P, R) ptx::P##_multicast_##R##d(destination, map, o.at, o.by, barrier, mask)
      ASSAY_BY_MODE
#undef ASSAY_CALL
    }
  }
};
static_assert(WideCopy::common % 16 == 0 &&
              offsetof(Im2colCopyRecord, fill_offset) == WideCopy::common + 16 &&
              offsetof(Im2colCopyRecord, output_bytes) == WideCopy::common + 32 &&
              offsetof(Im2colCopyRecord, cta_mask) == WideCopy::common + 52 &&
              offsetof(Im2colCopyRecord, signals) == WideCopy::common + 60);

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_wide_load(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  load_records<WideCopy>(args, shared);
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_wide_load_multicast(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  __shared__ uint32_t ended_of[8];
  load_records_multicast<WideCopy>(args, shared, ended_of);
}

}  // namespace assay
