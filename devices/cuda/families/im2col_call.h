// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "devices/cuda/opened_device.h"
#include "kernels/params/encode_im2col.h"

namespace assay::cuda {

/// Calls the encoder that the arguments are for. `base` is added to the address; pointers whose bit of
/// `null_mask` is set are null. A wide call needs a driver that has the wide encoder.
Result encode_im2col(const Driver&, const params::EncodeIm2colArgs&, std::byte* map, DeviceAddress base = 0,
                     uint32_t null_mask = 0);

}  // namespace assay::cuda
