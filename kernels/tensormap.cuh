#pragma once

#include "kernels/ptx.cuh"

/// tensormap.replace in every field, of a map that is InGlobal or InShared, and the fences that publish what
/// it changed.
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

/// One of the replacements of kernels/forms/tensormap.cc.
__device__ inline void tensormap_replace(InGlobal at, uint32_t opcode, uint64_t value) {
  asm volatile("trap; // assay.forms tensormap.replace.global, %0, %1, %2, %3;" ::"r"(opcode), "l"(at.map),
               "l"(value), "r"(static_cast<uint32_t>(value))
               : "memory");
}
__device__ inline void tensormap_replace(InShared at, uint32_t opcode, uint64_t value) {
  asm volatile("trap; // assay.forms tensormap.replace.shared, %0, %1, %2, %3;" ::"r"(opcode), "r"(at.map),
               "l"(value), "r"(static_cast<uint32_t>(value))
               : "memory");
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
