// SPDX-License-Identifier: Apache-2.0
// What goes wrong is told, by the call that is at fault or by the next one.
#include "check.h"

__global__ void fill(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int not_a_symbol;
void not_a_kernel() {}

int main() {
  int* data;
  CHECK(cudaMalloc(&data, 64 * sizeof(int)));
  fill<<<0, 32>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
  fill<<<1, 2000>>>(data);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  fill<<<1, 32, 100000>>>(data);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  fill<<<1, 32, 100000>>>(data);
  CHECK(cudaGetLastError());
  int host[64];
  EXPECT(cudaMemcpy(host, data, 65 * sizeof(int), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(host, data, 4, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaMemcpyToSymbol(not_a_symbol, host, 4) == cudaErrorInvalidSymbol);
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, reinterpret_cast<void*>(not_a_kernel)) ==
         cudaErrorInvalidDeviceFunction);
  EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
  EXPECT(cudaFree(reinterpret_cast<void*>(0x1000)) == cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT(cudaGetErrorName(cudaErrorInvalidPitchValue)[9] == 'I');
  fill<<<2, 64>>>(data);  // the second block is outside
  const cudaError_t error = cudaDeviceSynchronize();
  EXPECT(error == cudaErrorIllegalAddress);
  EXPECT(cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset());
  CHECK(cudaMalloc(&data, 64 * sizeof(int)));
  fill<<<1, 64>>>(data);
  CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[63] == 1);
  return passed();
}
