// SPDX-License-Identifier: Apache-2.0
// printf of a kernel; with an argument an assertion that fails, or a trap: the error stays.
#include "check.h"

#include <cassert>
#include <cstring>

__global__ void speak(int what) {
  if (threadIdx.x == 3) printf("thread %d says %d and %s\n", static_cast<int>(threadIdx.x), what, "words");
}
__global__ void claim(int most) {
  assert(static_cast<int>(threadIdx.x) < most);
}
__global__ void stop() {
  if (threadIdx.x == 1) __trap();
}

int main(int argc, char** argv) {
  speak<<<1, 32>>>(42);
  CHECK(cudaDeviceSynchronize());
  if (argc < 2) return passed();
  const bool asserts = std::strcmp(argv[1], "assert") == 0;
  if (asserts)
    claim<<<1, 32>>>(16);
  else
    stop<<<1, 32>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  // Which of the two a trap gives has not been measured.
  EXPECT(asserts ? error == cudaErrorAssert
                 : error == cudaErrorLaunchFailure || error == cudaErrorIllegalInstruction);
  int* data;
  EXPECT(cudaMalloc(&data, 4) == error);  // it stays
  return passed();
}
