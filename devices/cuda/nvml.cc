// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/nvml.h"

#include <dlfcn.h>

namespace assay::cuda {
namespace {

// Entry points and enumerators from NVML's public reference; all return 0 for success.
using Handle = void*;
constexpr int clock_sm = 1, clock_memory = 2;

template <typename Call>
Call* find(void* library, const char* name) {
  return reinterpret_cast<Call*>(dlsym(library, name));
}

std::string switched(unsigned value) {
  return value ? "on" : "off";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> nvml_facts(const std::string& uuid) {
  std::vector<std::pair<std::string, std::string>> facts;
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {{"NVML", "libnvidia-ml.so.1 is not installed"}};
  auto* init = find<int()>(library, "nvmlInit_v2");
  auto* by_uuid = find<int(const char*, Handle*)>(library, "nvmlDeviceGetHandleByUUID");
  if (!init || !by_uuid || init() != 0) return {{"NVML", "libnvidia-ml.so.1 cannot be initialised"}};
  char text[128] = {};
  if (auto* call = find<int(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
      call && call(text, sizeof text) == 0)
    facts.emplace_back("kernel-mode driver", text);
  Handle gpu = nullptr;
  if (by_uuid(uuid.c_str(), &gpu) != 0) {
    facts.emplace_back("NVML", "knows no GPU " + uuid);
    return facts;
  }
  if (auto* call = find<int(Handle, char*, unsigned)>(library, "nvmlDeviceGetVbiosVersion");
      call && call(gpu, text, sizeof text) == 0)
    facts.emplace_back("VBIOS", text);
  if (auto* call = find<int(Handle, char*, unsigned)>(library, "nvmlDeviceGetSerial");
      call && call(gpu, text, sizeof text) == 0)
    facts.emplace_back("serial", text);
  const auto clock = [&](const char* symbol, const char* name, int which) {
    unsigned mhz = 0;
    auto* call = find<int(Handle, int, unsigned*)>(library, symbol);
    if (call && call(gpu, which, &mhz) == 0) facts.emplace_back(name, std::to_string(mhz) + " MHz");
  };
  clock("nvmlDeviceGetClockInfo", "SM clock", clock_sm);
  clock("nvmlDeviceGetMaxClockInfo", "SM clock, maximum", clock_sm);
  clock("nvmlDeviceGetClockInfo", "memory clock", clock_memory);
  unsigned current = 0, pending = 0;
  if (auto* call = find<int(Handle, unsigned*, unsigned*)>(library, "nvmlDeviceGetEccMode");
      call && call(gpu, &current, &pending) == 0)
    facts.emplace_back("ECC", switched(current));
  if (auto* call = find<int(Handle, unsigned*)>(library, "nvmlDeviceGetPersistenceMode");
      call && call(gpu, &current) == 0)
    facts.emplace_back("persistence mode", switched(current));
  if (auto* call = find<int(Handle, unsigned*)>(library, "nvmlDeviceGetPowerManagementLimit");
      call && call(gpu, &current) == 0)
    facts.emplace_back("power limit", std::to_string(current / 1000) + " W");
  return facts;
}

}  // namespace assay::cuda
