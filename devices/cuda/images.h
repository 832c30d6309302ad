// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "kernels/params/image.h"

namespace assay::cuda {

/// The best embedded program of a kernel file for a device: a cubin of its architecture, else PTX text of it.
/// Null when there is neither. `file` is the source's name without suffix, `capability` is 90 for compute
/// capability 9.0. A device that interprets PTX takes no cubin.
const AssayKernelImage* find_image(std::string_view file, int capability, bool takes_cubin);

}  // namespace assay::cuda
