// SPDX-License-Identifier: Apache-2.0
// A copy in the null stream of what a kernel writes in a stream that does not wait for it. With "waits" the
// host waits between; with "early" the copy is in the stream of the kernel, and the host reads before it is
// done.
#include <cstring>

#include "check.h"

__global__ void count(int* out) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x);
}

int main(int arguments, char** values) {
  constexpr int n = 64;
  constexpr size_t bytes = n * sizeof(int);
  const bool waits = arguments > 1 && std::strcmp(values[1], "waits") == 0;
  const bool is_early = arguments > 1 && std::strcmp(values[1], "early") == 0;
  int *device = nullptr, *host = nullptr;
  cudaStream_t stream;
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMallocHost(&host, bytes));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  count<<<1, n, 0, stream>>>(device);
  CHECK(cudaGetLastError());
  if (waits) CHECK(cudaStreamSynchronize(stream));
  if (is_early)
    CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
  else
    CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == i);
  return passed();
}
