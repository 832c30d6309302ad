// SPDX-License-Identifier: Apache-2.0
// A copy in the null stream of what a kernel writes in a stream that does not wait for it. With WAITS the
// host waits between.
#include "check.h"

__global__ void count(int* out) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x);
}

int main(int arguments, char**) {
  constexpr int n = 64;
  int *device = nullptr, host[n] = {};
  cudaStream_t stream;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  count<<<1, n, 0, stream>>>(device);
  CHECK(cudaGetLastError());
  if (arguments > 1) CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == i);
  return passed();
}
