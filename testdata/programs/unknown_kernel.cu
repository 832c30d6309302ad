// SPDX-License-Identifier: Apache-2.0
// A kernel that the emulator does not know beside one that it knows: with an argument it is launched.
#include "check.h"

__global__ void known(int* data) {
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void unknown(int* data) {
  // For memory of several GPUs, of which there is one here.
  asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], 1;" ::"l"(data) : "memory");
  data[0] = 1;
}

int main(int argc, char**) {
  int *data, host[32];
  CHECK(cudaMalloc(&data, sizeof host));
  known<<<1, 32>>>(data);
  CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[31] == 31);
  if (argc > 1) unknown<<<1, 1>>>(data);
  return passed();
}
