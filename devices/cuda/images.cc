// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/images.h"

#include <string>

namespace assay::cuda {

const AssayKernelImage* find_image(std::string_view file, int capability, bool takes_cubin) {
  // An 'a' target runs on exactly its compute capability (PTX ISA, directive .target).
  const std::string target = "sm_" + std::to_string(capability) + "a";
  for (const std::string_view kind : {"cubin", "ptx"}) {
    if (kind == "cubin" && !takes_cubin) continue;
    for (size_t i = 0; i < assay_kernel_image_count; ++i) {
      const AssayKernelImage& image = assay_kernel_images[i];
      if (image.file == file && image.target == target && image.kind == kind) return &image;
    }
  }
  return nullptr;
}

}  // namespace assay::cuda
