// SPDX-License-Identifier: Apache-2.0
// Entry points by name.

#include <string>
#include <string_view>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/settings.h"

namespace assay::emulator {

namespace {

struct EntryName {
  std::string_view name;
  void* entry;
};
#define ASSAY_ROW(name, ...) {#name, reinterpret_cast<void*>(&name)},
const EntryName entry_names[] = {ASSAY_DRIVER_ENTRIES(ASSAY_ROW)};
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
  for (const EntryName& row : entry_names)
    if (row.name == symbol) found = row.entry;
  for (int suffix = 2; suffix <= 4; ++suffix) {
    const std::string versioned = std::string(symbol) + "_v" + std::to_string(suffix);
    for (const EntryName& row : entry_names)
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

// Entry points that are absent, so that programs linked against the driver start and hear of it, and names
// for the default stream of a thread.

namespace {

abi::Result absent(const char* name) {
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  driver.note_absent(name);
  return abi::not_supported;
}

}  // namespace

#define ASSAY_ABSENT(name)                 \
  ASSAY_DRIVER_EXPORT abi::Result name() { \
    return absent(#name);                  \
  }
#include "devices/emulator/driver/absent_entries.inc"
#undef ASSAY_ABSENT

/// The tables that NVIDIA's libraries hand each other are not public. NVRTC looks for one and does without,
/// so asking is no failure.
ASSAY_DRIVER_EXPORT abi::Result cuGetExportTable(const void** table, const void*) {
  if (table != nullptr) *table = nullptr;
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  driver.report.add(json_line("cuGetExportTable", "asked for a table", "asked"));
  return abi::not_supported;
}

// Whatever the parameters are, a jump leaves them where they are.
#if defined(__x86_64__)
#define ASSAY_JUMP "jmp "
#elif defined(__aarch64__)
#define ASSAY_JUMP "b "
#else
#error "no jump to another function is known for this machine"
#endif
#define ASSAY_PER_THREAD(name, plain)                                                                    \
  asm(".pushsection .text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" ASSAY_JUMP #plain \
      "@PLT\n.size " #name ", .-" #name "\n.popsection");
#include "devices/emulator/driver/per_thread_entries.inc"
#undef ASSAY_PER_THREAD

}  // namespace assay::emulator
