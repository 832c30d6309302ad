// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

/// The one symbol of libassay_faults.so: its rows, which registered themselves when it was loaded.
extern "C" __attribute__((visibility("default"))) const assay::emulator::Fault* const* assay_faults(
    size_t fault_size, size_t* count) {
  using namespace assay::emulator;
  if (fault_size != sizeof(Fault)) return nullptr;
  *count = all_faults().size();
  return all_faults().data();
}
