#pragma once

#include "kernels/ptx.cuh"

/// tensormap.replace in every field, and the fences that publish what it changed. `Place` is where the map
/// lies: InGlobal or InShared.
namespace assay::ptx {

__device__ inline void st_shared_u64(uint32_t address, uint64_t v) {
  asm volatile("st.shared.b64 [%0], %1;" ::"r"(address), "l"(v) : "memory");
}
__device__ inline void st_global_u64(void* address, uint64_t v) {
  asm volatile("st.global.b64 [%0], %1;" ::"l"(address), "l"(v) : "memory");
}
__device__ inline uint64_t ld_global_u64(const void* address) {
  uint64_t v;
  asm volatile("ld.global.b64 %0, [%1];" : "=l"(v) : "l"(address) : "memory");
  return v;
}

struct InGlobal {
  void* map;
};
struct InShared {
  uint32_t map;
};

/// Fields whose operand is a register: with an ordinal, without, and in which width.
#define ASSAY_REPLACE_ORDINAL(FIELD, TYPE, CONSTRAINT, VALUE)                                                \
  template <int ordinal>                                                                                     \
  __device__ inline void tensormap_replace_##FIELD(InGlobal at, VALUE value) {                               \
    asm volatile("tensormap.replace.tile." #FIELD ".global.b1024." TYPE " [%0], %1, %2;" ::"l"(at.map),      \
                 "n"(ordinal), CONSTRAINT(value)                                                             \
                 : "memory");                                                                                \
  }                                                                                                          \
  template <int ordinal>                                                                                     \
  __device__ inline void tensormap_replace_##FIELD(InShared at, VALUE value) {                               \
    asm volatile("tensormap.replace.tile." #FIELD ".shared::cta.b1024." TYPE " [%0], %1, %2;" ::"r"(at.map), \
                 "n"(ordinal), CONSTRAINT(value)                                                             \
                 : "memory");                                                                                \
  }
#define ASSAY_REPLACE(FIELD, TYPE, CONSTRAINT, VALUE)                                                    \
  __device__ inline void tensormap_replace_##FIELD(InGlobal at, VALUE value) {                           \
    asm volatile("tensormap.replace.tile." #FIELD ".global.b1024." TYPE " [%0], %1;" ::"l"(at.map),      \
                 CONSTRAINT(value)                                                                       \
                 : "memory");                                                                            \
  }                                                                                                      \
  __device__ inline void tensormap_replace_##FIELD(InShared at, VALUE value) {                           \
    asm volatile("tensormap.replace.tile." #FIELD ".shared::cta.b1024." TYPE " [%0], %1;" ::"r"(at.map), \
                 CONSTRAINT(value)                                                                       \
                 : "memory");                                                                            \
  }
/// Fields whose operand is an immediate.
#define ASSAY_REPLACE_IMMEDIATE(FIELD)                                                                    \
  template <int value>                                                                                    \
  __device__ inline void tensormap_replace_##FIELD(InGlobal at) {                                         \
    asm volatile("tensormap.replace.tile." #FIELD ".global.b1024.b32 [%0], %1;" ::"l"(at.map), "n"(value) \
                 : "memory");                                                                             \
  }                                                                                                       \
  template <int value>                                                                                    \
  __device__ inline void tensormap_replace_##FIELD(InShared at) {                                         \
    asm volatile("tensormap.replace.tile." #FIELD ".shared::cta.b1024.b32 [%0], %1;" ::"r"(at.map),       \
                 "n"(value)                                                                               \
                 : "memory");                                                                             \
  }

ASSAY_REPLACE(global_address, "b64", "l", uint64_t)
ASSAY_REPLACE(rank, "b32", "r", uint32_t)
ASSAY_REPLACE_ORDINAL(box_dim, "b32", "r", uint32_t)
ASSAY_REPLACE_ORDINAL(global_dim, "b32", "r", uint32_t)
ASSAY_REPLACE_ORDINAL(global_stride, "b64", "l", uint64_t)
ASSAY_REPLACE_ORDINAL(element_stride, "b32", "r", uint32_t)
ASSAY_REPLACE_IMMEDIATE(elemtype)
ASSAY_REPLACE_IMMEDIATE(interleave_layout)
ASSAY_REPLACE_IMMEDIATE(swizzle_mode)
ASSAY_REPLACE_IMMEDIATE(fill_mode)
#undef ASSAY_REPLACE
#undef ASSAY_REPLACE_ORDINAL
#undef ASSAY_REPLACE_IMMEDIATE

/// What not every target has, by its place in kernels/forms/tensormap.cc: swizzle_atomicity 0 to 3 are the
/// first four, then come elemtype 13 to 15.
__device__ inline void tensormap_replace_later(InGlobal at, uint32_t form) {
  asm volatile("trap; // assay.forms tensormap.replace.later.global, %1, %0;" ::"l"(at.map), "r"(form)
               : "memory");
}
__device__ inline void tensormap_replace_later(InShared at, uint32_t form) {
  asm volatile("trap; // assay.forms tensormap.replace.later.shared, %1, %0;" ::"r"(at.map), "r"(form)
               : "memory");
}

__device__ inline void tensormap_replace_swizzle_96B(InGlobal at) {
  tensormap_replace_swizzle_mode_96B(at.map);
}
__device__ inline void tensormap_replace_swizzle_96B(InShared at) {
  tensormap_replace_later(at, 7);
}

/// The scopes of the fences: 0 cta, 1 cluster, 2 gpu, 3 sys.
#define ASSAY_BY_SCOPE(SCOPE, FORM) \
  if ((SCOPE) <= 1) {               \
    if ((SCOPE) == 0)               \
      FORM("cta");                  \
    else                            \
      FORM("cluster");              \
  } else if ((SCOPE) == 2) {        \
    FORM("gpu");                    \
  } else {                          \
    FORM("sys");                    \
  }

__device__ inline void fence_proxy_tensormap_release(uint32_t scope){
#define ASSAY_FORM(S) asm volatile("fence.proxy.tensormap::generic.release." S ";" ::: "memory")
    ASSAY_BY_SCOPE(scope, ASSAY_FORM)
#undef ASSAY_FORM
} __device__ inline void fence_proxy_tensormap_acquire(const void* address, uint32_t scope){
#define ASSAY_FORM(S) \
  asm volatile("fence.proxy.tensormap::generic.acquire." S " [%0], 128;" ::"l"(address) : "memory")
    ASSAY_BY_SCOPE(scope, ASSAY_FORM)
#undef ASSAY_FORM
}  /// By a whole warp.
__device__ inline void tensormap_cp_fenceproxy(void* to, uint32_t from, uint32_t scope) {
#define ASSAY_FORM(S)                                                                     \
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release." S \
               ".sync.aligned [%0], [%1], 128;" ::"l"(to),                                \
               "r"(from)                                                                  \
               : "memory")
  ASSAY_BY_SCOPE(scope, ASSAY_FORM)
#undef ASSAY_FORM
}

}  // namespace assay::ptx
