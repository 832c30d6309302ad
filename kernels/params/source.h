// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// A file of a folder of kernels as text, embedded by the build.
struct AssayKernelSource {
  const char* path;  ///< "kernels/ptx.cuh"
  const char* text;  ///< ends with a zero byte
};
extern const AssayKernelSource assay_kernel_sources[];
extern const size_t assay_kernel_source_count;
