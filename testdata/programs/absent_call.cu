// SPDX-License-Identifier: Apache-2.0
// A function of the runtime that is not emulated, twice: it says so once, and the program hears of it.
#include "check.h"

int main() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  EXPECT(cudaMallocArray(&array, &format, 16, 16) == cudaErrorNotSupported);
  EXPECT(cudaMallocArray(&array, &format, 16, 16) == cudaErrorNotSupported);
  return passed();
}
