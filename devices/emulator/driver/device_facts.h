// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "devices/emulator/gpu.h"
#include "devices/emulator/hardware.h"

namespace assay::emulator {

/// What cuDriverGetVersion says. Above 13010, because CUTLASS clears a bit of encoded tensor maps for drivers
/// up to that version (observed in its sources); this driver's maps need no such help.
inline constexpr int driver_version = 13020;

inline constexpr size_t device_memory_bytes = size_t{16} << 30;
inline constexpr int max_cluster = 8, max_non_portable_cluster = 16;
inline constexpr size_t shared_per_block = 48 * 1024, shared_per_block_optin = 227 * 1024;
inline constexpr int last_attribute = 147;

std::string device_name(Target target);

/// Value of CU_DEVICE_ATTRIBUTE_*; 0 for what an emulated GPU does not have.
int device_attribute(int attribute, Target target);

}  // namespace assay::emulator
