// SPDX-License-Identifier: Apache-2.0
// A cluster by launch attribute: each block reads its neighbour's shared memory.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void neighbours(int* out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = 10 + static_cast<int>(cluster.block_rank());
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, next);
  cluster.sync();
}

int main() {
  int *out, host[8];
  CHECK(cudaMalloc(&out, sizeof host));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, neighbours, out));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) EXPECT(host[i] == 10 + (i + 1) % 4);
  int clusters = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, neighbours, &config));
  EXPECT(clusters > 0);
  attribute.val.clusterDim.x = 3;  // does not divide the grid
  EXPECT(cudaLaunchKernelEx(&config, neighbours, out) != cudaSuccess);
  return passed();
}
