// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// One embedded program of the GPU. The build writes the table: PTX text always, cubins where nvcc was there.
struct AssayKernelImage {
  const char* file;            ///< source file without its suffix: "tensor_copy"
  const char* target;          ///< "sm_90a"
  const char* kind;            ///< "cubin" or "ptx"
  const unsigned char* begin;  ///< PTX text is followed by a zero byte
  const unsigned char* end;
};
extern "C" const AssayKernelImage assay_kernel_images[];
extern "C" const size_t assay_kernel_image_count;
