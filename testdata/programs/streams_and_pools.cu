// SPDX-License-Identifier: Apache-2.0
// Streams, events, host functions, memory pools, device properties and occupancy.
#include "check.h"

__global__ void add(int* data, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += what;
}

int main() {
  constexpr int n = 512;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 1 << 20, read = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
  EXPECT(read == threshold);
  int *data, *other;
  CHECK(cudaMallocAsync(&data, n * sizeof(int), stream));
  CHECK(cudaMallocFromPoolAsync(&other, n * sizeof(int), pool, stream));
  CHECK(cudaMemsetAsync(data, 0, n * sizeof(int), stream));
  CHECK(cudaEventRecord(begin, stream));
  add<<<2, 256, 0, stream>>>(data, n, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, stream));
  int host[n];
  CHECK(cudaMemcpyAsync(other, data, sizeof host, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaMemcpyAsync(host, other, sizeof host, cudaMemcpyDeviceToHost, stream));
  int called = 0;
  CHECK(cudaLaunchHostFunc(
      stream, [](void* data) { ++*static_cast<int*>(data); }, &called));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(called == 1 && cudaStreamQuery(stream) == cudaSuccess);
  for (int i = 0; i < n; ++i) EXPECT(host[i] == 5);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  EXPECT(milliseconds >= 0);
  CHECK(cudaFreeAsync(data, stream));
  CHECK(cudaFreeAsync(other, stream));

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int major = 0, blocks = 0, grid = 0, block = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT(properties.major == major && properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  EXPECT(properties.cooperativeLaunch == 1 && properties.sharedMemPerBlockOptin == 227 * 1024);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  EXPECT(blocks == 8);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add));
  EXPECT(block > 0 && block <= 1024 && grid >= properties.multiProcessorCount);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, add));
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
