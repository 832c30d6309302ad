// SPDX-License-Identifier: Apache-2.0
// Entry points that are absent, so that programs linked against the driver start and hear of it, and names
// for the default stream of a thread.
#include "devices/emulator/driver/call.h"

namespace assay::emulator {
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
