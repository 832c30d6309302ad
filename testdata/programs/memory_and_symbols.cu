// SPDX-License-Identifier: Apache-2.0
// Device, managed and pinned memory; device and constant variables; copies of two dimensions.
#include "check.h"

#include <vector>

__device__ int launches;
__managed__ int managed_counter = 40;
__constant__ float factor;

__global__ void scale(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * factor;
  if (i == 0) {
    ++launches;
    managed_counter += 2;
  }
}

int main() {
  constexpr int n = 1000;
  float *a, *b, *pinned;
  CHECK(cudaMallocManaged(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i);
  const float three = 3;
  CHECK(cudaMemcpyToSymbol(factor, &three, sizeof three));
  EXPECT(managed_counter == 40);
  scale<<<4, 256>>>(a, b, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  EXPECT(managed_counter == 42);
  CHECK(cudaMemcpy(pinned, b, n * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) EXPECT(pinned[i] == 3.0f * static_cast<float>(i));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  EXPECT(count == 1);
  void* address = nullptr;
  size_t bytes = 0;
  CHECK(cudaGetSymbolAddress(&address, launches));
  CHECK(cudaGetSymbolSize(&bytes, launches));
  EXPECT(address != nullptr && bytes == sizeof(int));

  cudaPointerAttributes what;
  CHECK(cudaPointerGetAttributes(&what, a));
  EXPECT(what.type == cudaMemoryTypeManaged && what.devicePointer == a && what.hostPointer == a);
  CHECK(cudaPointerGetAttributes(&what, b));
  EXPECT(what.type == cudaMemoryTypeDevice && what.device == 0);
  CHECK(cudaPointerGetAttributes(&what, pinned));
  EXPECT(what.type == cudaMemoryTypeHost);
  CHECK(cudaPointerGetAttributes(&what, &count));
  EXPECT(what.type == cudaMemoryTypeUnregistered);

  char* pitched;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&pitched, &pitch, 30, 5));
  EXPECT(pitch >= 30);
  CHECK(cudaMemset2D(pitched, pitch, 7, 30, 5));
  std::vector<char> from(20 * 5), to(25 * 5, 1);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i);
  CHECK(cudaMemcpy2D(pitched, pitch, from.data(), 20, 20, 5, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(to.data(), 25, pitched, pitch, 22, 5, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 25; ++x) EXPECT(to[y * 25 + x] == (x < 20 ? from[y * 20 + x] : x < 22 ? 7 : 1));
  EXPECT(cudaMemcpy2D(to.data(), 10, pitched, pitch, 22, 5, cudaMemcpyDeviceToHost) ==
         cudaErrorInvalidPitchValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidPitchValue && cudaGetLastError() == cudaSuccess);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(pitched));
  CHECK(cudaFreeHost(pinned));
  return passed();
}
