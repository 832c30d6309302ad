#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::cuda {

/// Facts that the management library of the kernel-mode driver has on a GPU: driver, VBIOS, clocks, ECC,
/// persistence, power limit. Empty where libnvidia-ml.so.1 is absent. `uuid` as cuDeviceGetUuid shows it:
/// "GPU-...".
std::vector<std::pair<std::string, std::string>> nvml_facts(const std::string& uuid);

}  // namespace assay::cuda
