// SPDX-License-Identifier: Apache-2.0
// A tensor map from the driver's encoder, found by name; a tile loaded by TMA, changed, stored by TMA. With
// -DFORGETS_FENCE the stores of the change are not shown to the async proxy.
#include "check.h"

#include <cuda.h>

#include <vector>

constexpr int width = 64, height = 32, tile_width = 32, tile_height = 8;

__global__ void increment(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) int tile[tile_height][tile_width];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(&full));
  const unsigned where = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const int x = blockIdx.x * tile_width, y = blockIdx.y * tile_height;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
    asm volatile("fence.mbarrier_init.release.cluster;");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(static_cast<unsigned>(sizeof tile)));
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(where),
        "l"(&in), "r"(x), "r"(y), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  unsigned is_there = 0;
  while (is_there == 0)
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(is_there)
        : "r"(barrier)
        : "memory");
  for (int row = 0; row < tile_height; ++row) tile[row][threadIdx.x] += 1;
#ifndef FORGETS_FENCE
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&out),
                 "r"(x), "r"(y), "r"(where)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}

int main() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
  EXPECT(found == cudaDriverEntryPointSuccess && entry != nullptr);
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  std::vector<int> host(width * height);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * 3);
  int *in, *out;
  CHECK(cudaMalloc(&in, host.size() * sizeof(int)));
  CHECK(cudaMalloc(&out, host.size() * sizeof(int)));
  CHECK(cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUtensorMap maps[2];
  for (int i = 0; i < 2; ++i) {
    const cuuint64_t sizes[] = {width, height}, strides[] = {width * sizeof(int)};
    const cuuint32_t box[] = {tile_width, tile_height}, steps[] = {1, 1};
    EXPECT(encode(&maps[i], CU_TENSOR_MAP_DATA_TYPE_INT32, 2, i == 0 ? in : out, sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  }
  increment<<<dim3(width / tile_width, height / tile_height), tile_width>>>(maps[0], maps[1]);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < host.size(); ++i) EXPECT(host[i] == static_cast<int>(i * 3 + 1));
  return passed();
}
