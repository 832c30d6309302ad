// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "devices/cuda/opened_device.h"
#include "devices/device.h"

namespace assay {

std::vector<FaultRow> emulator_faults() {
  const std::string library = cuda::driver_library(cuda::parse_device_spec("emulator"));
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw DeviceError("the emulator cannot be loaded: " + std::string(dlerror()));
  const auto describe =
      reinterpret_cast<int (*)(char*, size_t)>(dlsym(handle, "assay_emulator_describe_faults"));
  if (describe == nullptr) throw DeviceError(library + " does not say which faults it knows");
  std::string text(static_cast<size_t>(-describe(nullptr, 0)), '\0');
  describe(text.data(), text.size());
  std::vector<FaultRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json fields = nlohmann::json::parse(line, nullptr, false);
    if (!fields.is_object()) continue;
    for (const std::string device : fields.at("devices")) {
      FaultRow& row = rows.emplace_back();
      row.name = fields.at("name");
      row.wrong = fields.at("wrong");
      row.clause = fields.at("clause");
      row.caught_by = fields.at("caught_by");
      row.spec = "emulator:" + device + ",fault=" + row.name;
      row.rare = fields.at("rare");
      row.unobservable = fields.at("unobservable");
    }
  }
  return rows;
}

}  // namespace assay
