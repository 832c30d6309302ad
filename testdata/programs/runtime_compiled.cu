// SPDX-License-Identifier: Apache-2.0
// A kernel compiled by NVRTC for a real architecture: the program asks for machine code, and loads it.
#include <nvrtc.h>

#include <vector>

#include "check.h"

const char* source =
    "extern \"C\" __global__ void fill(int* out, int value) { out[threadIdx.x] = value + threadIdx.x; }";

int main() {
  nvrtcProgram program;
  EXPECT(nvrtcCreateProgram(&program, source, "fill.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  const char* options[] = {"-arch=sm_100"};
  EXPECT(nvrtcCompileProgram(program, 1, options) == NVRTC_SUCCESS);
  size_t bytes = 0;
  EXPECT(nvrtcGetCUBINSize(program, &bytes) == NVRTC_SUCCESS && bytes != 0);
  std::vector<char> image(bytes);
  EXPECT(nvrtcGetCUBIN(program, image.data()) == NVRTC_SUCCESS);
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);

  cudaLibrary_t library;
  CHECK(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaKernel_t kernel;
  CHECK(cudaLibraryGetKernel(&kernel, library, "fill"));
  int *out, value = 7, host[32];
  CHECK(cudaMalloc(&out, sizeof host));
  void* arguments[] = {&out, &value};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 32, arguments, 0, nullptr));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(host[i] == 7 + i);
  return passed();
}
