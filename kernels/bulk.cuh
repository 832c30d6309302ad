#pragma once

#include "kernels/params/bulk_copy.h"
#include "kernels/ptx.cuh"

/// cp.async.bulk and cp.reduce.async.bulk: one function for each PTX spelling.
namespace assay::ptx {

#define ASSAY_BULK_LOAD(NAME, SPACE)                                                                        \
  __device__ inline void NAME(uint32_t to, uint64_t from, uint32_t size, uint32_t bar) {                    \
    asm volatile("cp.async.bulk." SPACE                                                                     \
                 ".global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),                    \
                 "l"(from), "r"(size), "r"(bar)                                                             \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void NAME##_hint(uint32_t to, uint64_t from, uint32_t size, uint32_t bar,               \
                                     uint64_t policy) {                                                     \
    asm volatile("cp.async.bulk." SPACE                                                                     \
                 ".global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(to), \
                 "l"(from), "r"(size), "r"(bar), "l"(policy)                                                \
                 : "memory");                                                                               \
  }
ASSAY_BULK_LOAD(bulk_load_cta, "shared::cta")
ASSAY_BULK_LOAD(bulk_load_cluster, "shared::cluster")
#undef ASSAY_BULK_LOAD

__device__ inline void bulk_multicast(uint32_t to, uint64_t from, uint32_t size, uint32_t bar,
                                      uint16_t mask) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
      "[%3], %4;" ::"r"(to),
      "l"(from), "r"(size), "r"(bar), "h"(mask)
      : "memory");
}
__device__ inline void bulk_multicast_hint(uint32_t to, uint64_t from, uint32_t size, uint32_t bar,
                                           uint16_t mask, uint64_t policy) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint "
      "[%0], [%1], %2, [%3], %4, %5;" ::"r"(to),
      "l"(from), "r"(size), "r"(bar), "h"(mask), "l"(policy)
      : "memory");
}

__device__ inline void bulk_store(uint64_t to, uint32_t from, uint32_t size) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(size)
               : "memory");
}
__device__ inline void bulk_store_hint(uint64_t to, uint32_t from, uint32_t size, uint64_t policy) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(to),
               "r"(from), "r"(size), "l"(policy)
               : "memory");
}
/// sm_90 has no .cp_mask.
__device__ inline void bulk_store_masked(uint64_t to, uint32_t from, uint32_t size, uint16_t mask) {
  asm volatile("trap; // assay.forms cp.async.bulk.cp_mask, 0, %0, %1, %2, %3;" ::"l"(to), "r"(from),
               "r"(size), "h"(mask)
               : "memory");
}

__device__ inline void bulk_peer(uint32_t to, uint32_t from, uint32_t size, uint32_t bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          to),
      "r"(from), "r"(size), "r"(bar)
      : "memory");
}

__device__ inline void bulk_prefetch(uint64_t from, uint32_t size) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(size) : "memory");
}
__device__ inline void bulk_prefetch_hint(uint64_t from, uint32_t size, uint64_t policy) {
  asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(from), "r"(size),
               "l"(policy)
               : "memory");
}

/// Calls FORM(operation, type, spelling) for each form that reduces global memory.
#define ASSAY_GLOBAL_REDUCTIONS(FORM) \
  FORM(bit_and, b32, "and.b32")       \
  FORM(bit_and, b64, "and.b64")       \
  FORM(bit_or, b32, "or.b32")         \
  FORM(bit_or, b64, "or.b64")         \
  FORM(bit_xor, b32, "xor.b32")       \
  FORM(bit_xor, b64, "xor.b64")       \
  FORM(add, u32, "add.u32")           \
  FORM(add, s32, "add.s32")           \
  FORM(add, u64, "add.u64")           \
  FORM(add, f32, "add.f32")           \
  FORM(add, f64, "add.f64")           \
  FORM(add, f16, "add.noftz.f16")     \
  FORM(add, bf16, "add.noftz.bf16")   \
  FORM(inc, u32, "inc.u32")           \
  FORM(dec, u32, "dec.u32")           \
  FORM(min, u32, "min.u32")           \
  FORM(min, s32, "min.s32")           \
  FORM(min, u64, "min.u64")           \
  FORM(min, s64, "min.s64")           \
  FORM(min, f16, "min.f16")           \
  FORM(min, bf16, "min.bf16")         \
  FORM(max, u32, "max.u32")           \
  FORM(max, s32, "max.s32")           \
  FORM(max, u64, "max.u64")           \
  FORM(max, s64, "max.s64")           \
  FORM(max, f16, "max.f16")           \
  FORM(max, bf16, "max.bf16")
/// The same for shared memory of the cluster.
#define ASSAY_CLUSTER_REDUCTIONS(FORM) \
  FORM(bit_and, b32, "and.b32")        \
  FORM(bit_or, b32, "or.b32")          \
  FORM(bit_xor, b32, "xor.b32")        \
  FORM(add, u32, "add.u32")            \
  FORM(add, s32, "add.s32")            \
  FORM(add, u64, "add.u64")            \
  FORM(inc, u32, "inc.u32")            \
  FORM(dec, u32, "dec.u32")            \
  FORM(min, u32, "min.u32")            \
  FORM(min, s32, "min.s32")            \
  FORM(max, u32, "max.u32")            \
  FORM(max, s32, "max.s32")

__device__ inline void bulk_reduce_global(uint32_t form, uint64_t to, uint32_t from, uint32_t size) {
  switch (form) {
#define ASSAY_FORM(OP, TYPE, SPELLING)                                            \
  case params::bulk_form(params::BulkReduceOp::OP, params::BulkReduceType::TYPE): \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." SPELLING   \
                 " [%0], [%1], %2;" ::"l"(to),                                    \
                 "r"(from), "r"(size)                                             \
                 : "memory");                                                     \
    break;
    ASSAY_GLOBAL_REDUCTIONS(ASSAY_FORM)
#undef ASSAY_FORM
  }
}

__device__ inline void bulk_reduce_cluster(uint32_t form, uint32_t to, uint32_t from, uint32_t size,
                                           uint32_t bar) {
  switch (form) {
#define ASSAY_FORM(OP, TYPE, SPELLING)                                                                     \
  case params::bulk_form(params::BulkReduceOp::OP, params::BulkReduceType::TYPE):                          \
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." SPELLING \
                 " [%0], [%1], %2, [%3];" ::"r"(to),                                                       \
                 "r"(from), "r"(size), "r"(bar)                                                            \
                 : "memory");                                                                              \
    break;
    ASSAY_CLUSTER_REDUCTIONS(ASSAY_FORM)
#undef ASSAY_FORM
  }
}

}  // namespace assay::ptx
