// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/operand_image.h"
#include "kernels/probe.cuh"

/// Operands that come to shared memory by TMA.
namespace assay::probe {

using params::OperandImage;

/// Where a load with the swizzle puts byte `at` of the image: lines of 128 bytes exchange their pieces.
__device__ inline uint32_t swizzled(uint32_t at, uint32_t swizzle) {
  const uint32_t line = at >> 7;
  if (swizzle == params::swizzle_128B_atom32B) return at ^ (line & 3) << 5;
  // Without a swizzle none, with that of 32 bytes one.
  const uint32_t mask = swizzle == params::swizzle_128B ? 7 : swizzle == params::swizzle_64B ? 3 : swizzle;
  return at ^ (line & mask) << 4;
}

/// By all threads of a CTA: image[0, bytes), word(i) being word i of the window. Ready for TMA once all
/// threads have met.
template <typename Word>
__device__ void write_image(unsigned char* image, uint32_t bytes, uint32_t swizzle, Word word) {
#pragma unroll 1
  for (uint32_t at = threadIdx.x * vector_bytes; at < bytes; at += sweep_bytes) {
    const uint32_t i = swizzled(at, swizzle) / 4;
    uint32_t* const words = reinterpret_cast<uint32_t*>(image + at);
#pragma unroll 1
    for (uint32_t j = 0; j < 4; ++j) words[j] = word(i + j);
  }
  ptx::fence_proxy_async();
}

/// By one thread of the CTA of this rank: window[0, bytes) = its part of the image. False: not all of it
/// came.
__device__ inline bool load_image(const OperandImage& image, const void* map, uint32_t window, uint32_t bytes,
                                  uint32_t rank, uint32_t barrier, uint32_t parity) {
  ptx::fence_proxy_tensormap_acquire_gpu(map);
  ptx::mbarrier_arrive_expect_tx(barrier, bytes);
  const uint32_t rows = bytes / image.row_bytes;
#pragma unroll 1
  for (uint32_t row = 0; row < rows; row += image.box_rows)
    ptx::load_2d(window + row * image.row_bytes, map,
                 ptx::Coordinates{{0, static_cast<int32_t>(rank * rows + row)}}, barrier);
  return wait_bounded(barrier, parity);
}

}  // namespace assay::probe
