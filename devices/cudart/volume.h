// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/cudart/call.h"

namespace assay::cudart {

/// Sets which sides of a copy the driver is to check as device memory; false for no cudaMemcpyKind.
bool set_kind(driver::Memcpy3d& copy, int kind);
/// After set_kind.
void set_bases(driver::Memcpy3d& copy, void* to, const void* from);
/// The runtime's record of a copy as the driver's. CUDA arrays are refused in a sentence.
Error convert(const Copy3d* copy, driver::Memcpy3d& volume);

}  // namespace assay::cudart
