// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// wgmma.mma_async m64n256 (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions) on 128 registers of D,
/// which it adds to, and what orders it. The types are those of kernels/params/screen.h.
namespace assay::ptx {

inline constexpr uint32_t wgmma_registers = 128;

#define ASSAY_D8(i)                                                                           \
  "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]), "+r"(d[i + 5]), \
      "+r"(d[i + 6]), "+r"(d[i + 7])
#define ASSAY_D64(i)                                                                                    \
  ASSAY_D8(i), ASSAY_D8(i + 8), ASSAY_D8(i + 16), ASSAY_D8(i + 24), ASSAY_D8(i + 32), ASSAY_D8(i + 40), \
      ASSAY_D8(i + 48), ASSAY_D8(i + 56)
#define ASSAY_REGISTERS                                                                         \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "  \
  "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "  \
  "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "  \
  "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "  \
  "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "    \
  "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "  \
  "%123, %124, %125, %126, %127}"
#define ASSAY_WGMMA(shape_and_types, immediates)                                   \
  asm volatile("wgmma.mma_async.sync.aligned." shape_and_types " " ASSAY_REGISTERS \
               ", %128, %129, " immediates ";"                                     \
               : ASSAY_D64(0), ASSAY_D64(64)                                       \
               : "l"(a), "l"(b))

/// D += A * B, of K 32 bytes, both K-major in shared memory; nothing is negated.
template <uint32_t kind>
__device__ __forceinline__ void wgmma_m64n256(uint32_t (&d)[wgmma_registers], uint64_t a, uint64_t b) {
  if constexpr (kind == 0) ASSAY_WGMMA("m64n256k16.f32.bf16.bf16", "1, 1, 1, 0, 0");
  if constexpr (kind == 1) ASSAY_WGMMA("m64n256k16.f32.f16.f16", "1, 1, 1, 0, 0");
  if constexpr (kind == 2) ASSAY_WGMMA("m64n256k8.f32.tf32.tf32", "1, 1, 1");
  if constexpr (kind == 3) ASSAY_WGMMA("m64n256k32.f32.e4m3.e4m3", "1, 1, 1");
  if constexpr (kind == 4) ASSAY_WGMMA("m64n256k32.s32.s8.s8", "1");
}

/// Keeps the compiler from moving what it does to D across instructions that work on it by themselves.
__device__ __forceinline__ void hold(uint32_t (&d)[wgmma_registers]) {
  asm volatile("" : ASSAY_D64(0)::"memory");
  asm volatile("" : ASSAY_D64(64)::"memory");
}

#undef ASSAY_WGMMA
#undef ASSAY_REGISTERS
#undef ASSAY_D64
#undef ASSAY_D8

__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Everything that was begun.
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

}  // namespace assay::ptx
