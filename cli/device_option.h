// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/device.h"

namespace assay::cli {

/// The devices that --device means: those of resolve_devices() for each of its words, each device once.
/// Throws DeviceSpecError, also for a fault, an open question or a reading that does not exist, with those
/// that are near.
std::vector<std::string> devices_named(const std::vector<std::string>& selections);

/// "unknown fault 'swizle_32b'; did you mean 'swizzle_32b_dropped'?"
std::string unknown_fault(std::span<const FaultRow>, std::string_view name);

}  // namespace assay::cli
