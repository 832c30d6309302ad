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

/// By exact name, or the newest version of a name without suffix.
void* find_entry(std::string_view symbol) {
  void* found = nullptr;
  for (const Row& row : rows)
    if (row.name == symbol) found = row.entry;
  for (int version = 2; version <= 4; ++version) {
    const std::string versioned = std::string(symbol) + "_v" + std::to_string(version);
    for (const Row& row : rows)
      if (row.name == versioned) found = row.entry;
  }
  return found;
}

}  // namespace

abi::Result cuGetProcAddress_v2(const char* symbol, void** entry, int version, uint64_t flags,
                                abi::ProcAddressStatus* status) {
  if (symbol == nullptr || entry == nullptr || flags > 3) return abi::invalid_value;
  *entry = version > driver_version ? nullptr : find_entry(symbol);
  if (status != nullptr)
    *status = *entry != nullptr          ? abi::proc_found
              : version > driver_version ? abi::proc_version_too_old
                                         : abi::proc_not_found;
  return *entry == nullptr ? abi::not_found : abi::success;
}

abi::Result cuGetProcAddress(const char* symbol, void** entry, int version, uint64_t flags) {
  return cuGetProcAddress_v2(symbol, entry, version, flags, nullptr);
}

}  // namespace assay::emulator
