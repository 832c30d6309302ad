// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

/// Programs of the tests end with "passed" and 0, or with what is wrong and 1.
#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error_ = (call);                                                       \
    if (error_ != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

#define EXPECT(condition)                                                   \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

inline int passed() {
  std::printf("passed\n");
  return 0;
}
