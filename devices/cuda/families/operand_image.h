// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/cuda/families/family.h"
#include "kernels/params/operand_image.h"

/// Operands that TMA brings to shared memory, from an image in the record's output slot.
namespace assay::cuda {

/// What is wrong with the image of a window, or null.
const char* wrong_image(const params::OperandImage&, uint32_t window_bytes);

/// Encodes the record's tensor map: `bytes` of image at that offset of the batch's output. Where the driver
/// refuses, the record ends as rejected, and the answer is false.
bool encode_image(OpenedDevice&, Job&, uint32_t index, const params::OperandImage&, uint64_t offset,
                  uint64_t bytes);

}  // namespace assay::cuda
