// SPDX-License-Identifier: Apache-2.0
// All blocks of a grid meet twice; a grid that does not fit is refused.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sum(int* counter, int* seen) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) atomicAdd(counter, 1);
  grid.sync();
  if (threadIdx.x == 0) seen[blockIdx.x] = *counter;
  grid.sync();
  if (grid.thread_rank() == 0) *counter = seen[gridDim.x - 1] + 100;
}

int main() {
  int *counter, *seen, blocks = 12, host[12];
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMalloc(&seen, sizeof host));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  void* arguments[] = {&counter, &seen};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum), dim3(blocks), dim3(64), arguments, 0,
                                    nullptr));
  CHECK(cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost));
  for (const int one : host) EXPECT(one == blocks);
  CHECK(cudaMemcpy(host, counter, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(host[0] == blocks + 100);
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum), dim3(100000), dim3(64), arguments, 0,
                                     nullptr) == cudaErrorCooperativeLaunchTooLarge);
  return passed();
}
