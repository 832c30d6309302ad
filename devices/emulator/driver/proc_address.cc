// SPDX-License-Identifier: Apache-2.0
// Entry points by name.
#include <cstring>
#include <string>
#include <string_view>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/device_facts.h"

namespace assay::emulator {

namespace {

struct Row {
  std::string_view name;
  void* entry;
};
#define ASSAY_ROW(name, ...) {#name, reinterpret_cast<void*>(&name)},
const Row rows[] = {ASSAY_DRIVER_ENTRIES(ASSAY_ROW)};
#undef ASSAY_ROW

/// Since which CUDA version a versioned name is what its plain name stands for; those not listed always are.
struct Since {
  std::string_view name;
  int version;
};
constexpr Since sinces[] = {
    {"cuCtxCreate_v3", 11040},        {"cuCtxCreate_v4", 12050},      {"cuDeviceGetUuid_v2", 11040},
    {"cuCtxGetDevice_v2", 13000},     {"cuCtxSynchronize_v2", 13000}, {"cuGetProcAddress_v2", 12000},
    {"cuEventElapsedTime_v2", 12080},
};
int since(std::string_view name) {
  for (const Since& row : sinces)
    if (row.name == name) return row.version;
  return 0;
}

/// By exact name, or the version of a plain name that CUDA `version` means by it.
void* find_entry(std::string_view symbol, int version) {
  void* found = nullptr;
  for (const Row& row : rows)
    if (row.name == symbol) found = row.entry;
  for (int suffix = 2; suffix <= 4; ++suffix) {
    const std::string versioned = std::string(symbol) + "_v" + std::to_string(suffix);
    for (const Row& row : rows)
      if (row.name == versioned && version >= since(row.name)) found = row.entry;
  }
  return found;
}

}  // namespace

abi::Result cuGetProcAddress_v2(const char* symbol, void** entry, int version, uint64_t flags,
                                abi::ProcAddressStatus* status) {
  if (symbol == nullptr || entry == nullptr || flags > 3) return abi::invalid_value;
  *entry = version > driver_version ? nullptr : find_entry(symbol, version);
  if (status != nullptr)
    *status = *entry != nullptr          ? abi::proc_found
              : version > driver_version ? abi::proc_version_too_old
                                         : abi::proc_not_found;
  if (*entry != nullptr) return abi::success;
  // No failure: many only look which there are.
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  driver.report.add(json_line(symbol, "asked for by name", "asked"));
  return abi::not_found;
}

abi::Result cuGetProcAddress(const char* symbol, void** entry, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, entry, version, flags, nullptr);
}

}  // namespace assay::emulator
