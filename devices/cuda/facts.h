// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "devices/cuda/opened_device.h"
#include "devices/device.h"

namespace assay::cuda {

/// What the opened device says of itself, and what NVML and the kernel-mode driver add.
DeviceIdentity identify(const OpenedDriver&, const DeviceSpec&);

nlohmann::json to_json(const DeviceIdentity&);
DeviceIdentity identity_from_json(const nlohmann::json&);

/// "NVIDIA H200, sm_90, 132 SMs, ...": one line for doctor.
std::string in_words(const DeviceIdentity&);

/// Facts that the management library of the kernel-mode driver has on a GPU: driver, VBIOS, clocks, ECC,
/// persistence, power limit. Where it is absent or does not know the GPU, one fact "NVML" says so. `uuid` as
/// cuDeviceGetUuid shows it: "GPU-...".
std::vector<std::pair<std::string, std::string>> nvml_facts(const std::string& uuid);

/// What there is of `cuda` or of `emulator`: a row for each device, of which an H200 ranks below those with
/// tcgen05; else one that says in `detail` why there is none, which is empty where the driver shows none.
std::vector<DeviceProbe> probe(const std::string& kind);
/// In a child process: prints what there is of `cuda` or of `emulator` as one line of JSON,
/// {"count":N,"devices":[identity...]} or {"error":"sentence"}. Returns the exit code.
int print_probe(const std::string& kind);

}  // namespace assay::cuda
