// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/ctest_resources.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::cli {

std::string ctest_resources(std::span<const DeviceProbe> probes) {
  constexpr std::string_view prefix = "cuda:";
  nlohmann::json gpus = nlohmann::json::array();
  std::string why;
  for (const DeviceProbe& probe : probes) {
    const bool names_gpu = probe.spec.starts_with(prefix);
    if (names_gpu && probe.available)
      gpus.push_back({{"id", probe.spec.substr(prefix.size())}, {"slots", 1}});
    else if (!probe.available && why.empty())
      why = probe.spec + ": " + probe.detail;
  }
  if (gpus.empty())
    throw std::runtime_error("there is no GPU to give to CTest" + (why.empty() ? "" : " (" + why + ")") +
                             "; run ctest without --resource-spec-file");
  nlohmann::json spec;
  spec["version"] = {{"major", 1}, {"minor", 0}};
  spec["local"] = nlohmann::json::array({{{"gpus", gpus}}});
  return spec.dump(1) + "\n";
}

}  // namespace assay::cli
