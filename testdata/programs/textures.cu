// SPDX-License-Identifier: Apache-2.0
// A texture: what makes one is refused by its call, what reads one by the launch.
#include "check.h"

__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x));
}

int main(int arguments, char**) {
  float* data;
  CHECK(cudaMalloc(&data, 128));
  if (arguments > 1) {
    read<<<1, 32>>>(0, data);
    EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    return passed();
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 128;
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaErrorNotSupported);
  EXPECT(cudaCreateSurfaceObject(&surface, &resource) == cudaErrorNotSupported);
  return passed();
}
