// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::cuda {

/// Facts that the management library of the kernel-mode driver has on a GPU: driver, VBIOS, clocks, ECC,
/// persistence, power limit. Where it is absent or does not know the GPU, one fact "NVML" says so. `uuid` as
/// cuDeviceGetUuid shows it: "GPU-...".
std::vector<std::pair<std::string, std::string>> nvml_facts(const std::string& uuid);

}  // namespace assay::cuda
