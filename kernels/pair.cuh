// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/operands.cuh"
#include "kernels/probe.cuh"

/// What probes share that run in one CTA, or in both of a pair.
namespace assay::probe {

/// All threads of the CTA, or of both.
template <int group>
__device__ void synchronize() {
  if constexpr (group == 1) {
    __syncthreads();
  } else {
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
  }
}

/// `value` to the same variable of every CTA.
template <int group>
__device__ void tell(uint32_t& variable, uint32_t value) {
  if constexpr (group == 1) {
    variable = value;
  } else {
    for (uint32_t rank = 0; rank < group; ++rank)
      ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&variable), rank), value);
  }
}

/// The fill of a CTA: the odd one of a pair has other operands.
__device__ inline OperandFill of_rank(OperandFill fill, uint32_t rank) {
  fill.seed += uint64_t{rank} << 32;
  return fill;
}

/// `units` more in a 14-bit field of 16-byte units of a matrix descriptor; what is carried out of it is lost.
__device__ inline uint64_t advance(uint64_t descriptor, uint32_t lsb, uint32_t units) {
  const uint64_t field = uint64_t{0x3fff} << lsb;
  return (descriptor & ~field) | ((descriptor + (uint64_t{units} << lsb)) & field);
}
/// A descriptor whose addresses count from the window.
__device__ inline uint64_t relocated(uint64_t descriptor, uint32_t window) {
  const bool absolute = descriptor >> 52 & 1;
  const uint64_t moved = advance(descriptor, 0, window >> 4);
  return absolute ? advance(moved, 16, window >> 4) : moved;
}

}  // namespace assay::probe
