// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "devices/cuda/opened_device.h"
#include "devices/device.h"

namespace assay::cuda {

/// What the opened device says of itself, and what NVML and the kernel-mode driver add.
DeviceIdentity identify(const OpenedDriver&, const DeviceSpec&);

nlohmann::json to_json(const DeviceIdentity&);
DeviceIdentity identity_from_json(const nlohmann::json&);

/// "NVIDIA H200, sm_90, 132 SMs, ...": one line for doctor.
std::string in_words(const DeviceIdentity&);

}  // namespace assay::cuda
