#include <cstddef>

#include "kernels/params/im2col_copy.h"
#include "kernels/ptx_im2col.cuh"
#include "kernels/tensor_copy.cuh"

/// Batched probes of cp.async.bulk.tensor in modes im2col and im2col_no_offs: one record is one copy.
namespace assay {
namespace {

using namespace probe;
using params::Im2colCopyRecord;

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t im2col_policy = 0x12F0000000000000ull;

#define ASSAY_BY_RANK(RANK, CALL) \
  if ((RANK) == 3)                \
    CALL(3);                      \
  else if ((RANK) == 4)           \
    CALL(4);                      \
  else                            \
    CALL(5);

/// What the issuing thread needs.
struct Operands {
  ptx::Coordinates at;
  ptx::Im2colOffsets by;
};

struct Im2colCopy {
  using Record = Im2colCopyRecord;
  static constexpr uint32_t common = offsetof(Im2colCopyRecord, flags);

  __device__ static bool settles(uint32_t flags) { return flags & params::im2col_settle_before_surplus; }

  __device__ static Operands operands(const unsigned char* record) {
    const uint4 a = ptx::ld_global_v4(record + offsetof(Im2colCopyRecord, coord));
    const uint4 b = ptx::ld_global_v4(record + offsetof(Im2colCopyRecord, coord) + 16);
    return {{{static_cast<int32_t>(a.x), static_cast<int32_t>(a.y), static_cast<int32_t>(a.z),
              static_cast<int32_t>(a.w), static_cast<int32_t>(b.x)}},
            {{static_cast<uint16_t>(b.y), static_cast<uint16_t>(b.y >> 16), static_cast<uint16_t>(b.z)}}};
  }

  __device__ static void prefetch(const CopyFields& f, const void* map, const Operands& o) {
#define ASSAY_CALL(R) ptx::im2col_prefetch_##R##d(map, o.at, o.by)
    if (f.flags & params::im2col_prefetch_first) {
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
    }
#undef ASSAY_CALL
  }

  __device__ static void issue_load(const unsigned char* record, const CopyFields& f, const void* map,
                                    uint32_t destination, uint32_t barrier) {
    const Operands o = operands(record);
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
#define ASSAY_CALL(R) ptx::im2col_load_cta_hint_##R##d(destination, map, o.at, o.by, barrier, im2col_policy)
        ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
      } else {
#define ASSAY_CALL(R) ptx::im2col_load_hint_##R##d(destination, map, o.at, o.by, barrier, im2col_policy)
        ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
      }
    } else if (to_cta) {
#define ASSAY_CALL(R) ptx::im2col_load_cta_##R##d(destination, map, o.at, o.by, barrier)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::im2col_load_##R##d(destination, map, o.at, o.by, barrier)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }

  __device__ static void issue_multicast(const unsigned char* record, const CopyFields& f, const void* map,
                                         uint32_t destination, uint32_t barrier, uint16_t mask) {
    const Operands o = operands(record);
    prefetch(f, map, o);
    if (f.flags & params::im2col_cache_hint) {
#define ASSAY_CALL(R) \
  ptx::im2col_load_multicast_hint_##R##d(destination, map, o.at, o.by, barrier, mask, im2col_policy)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::im2col_load_multicast_##R##d(destination, map, o.at, o.by, barrier, mask)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }

  __device__ static void issue_store(const unsigned char* record, const CopyFields& f, const void* map,
                                     uint32_t source) {
    const Operands o = operands(record);
    if (f.flags & params::im2col_as_tile) {
#define ASSAY_CALL(R) ptx::store_##R##d(map, o.at, source)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else if (f.flags & params::im2col_cache_hint) {
#define ASSAY_CALL(R) ptx::im2col_store_hint_##R##d(map, o.at, source, im2col_policy)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::im2col_store_##R##d(map, o.at, source)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  }
};
static_assert(offsetof(Im2colCopyRecord, coord) % 16 == 0 && Im2colCopy::common % 16 == 0 &&
              offsetof(Im2colCopyRecord, fill_offset) == Im2colCopy::common + 16 &&
              offsetof(Im2colCopyRecord, output_bytes) == Im2colCopy::common + 32 &&
              offsetof(Im2colCopyRecord, cta_mask) == Im2colCopy::common + 52 &&
              offsetof(Im2colCopyRecord, signals) == Im2colCopy::common + 60);

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_load(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  load_records<Im2colCopy>(args, shared);
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_store(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  store_records<Im2colCopy>(args, shared);
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_load_multicast(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  __shared__ uint32_t ended_of[probe::most_ranks];
  load_records_multicast<Im2colCopy>(args, shared, ended_of);
}

}  // namespace assay
