// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tensormap.replace in every field, of a map that is InGlobal or InShared, and the fences that publish what
/// it changed.
namespace assay::ptx {

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

/// The fences of kernels/forms/tensormap.cc. Scopes: 0 cta, 1 cluster, 2 gpu, 3 sys.
__device__ inline void fence_proxy_tensormap_release(uint32_t scope) {
  asm volatile("trap; // assay.forms fence.proxy.tensormap.release, %0;" ::"r"(scope) : "memory");
}
__device__ inline void fence_proxy_tensormap_acquire(const void* address, uint32_t scope) {
  asm volatile("trap; // assay.forms fence.proxy.tensormap.acquire, %0, %1;" ::"r"(scope), "l"(address)
               : "memory");
}
/// By a whole warp.
__device__ inline void tensormap_cp_fenceproxy(void* to, uint32_t from, uint32_t scope) {
  asm volatile("trap; // assay.forms tensormap.cp_fenceproxy, %0, %1, %2;" ::"r"(scope), "l"(to), "r"(from)
               : "memory");
}

}  // namespace assay::ptx
