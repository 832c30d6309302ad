// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "devices/emulator/machine/stream_history.h"

/// Finds out where the host touches memory that an operation of a stream may still be accessing: its pages
/// are protected between two calls of the driver (mprotect), and a touch of one faults, is noted, and goes
/// on. A system call that is given such memory fails with EFAULT instead. One for the process, under the lock
/// of the driver.
namespace assay::emulator::host_watch {

struct Touch {
  uint64_t address = 0;
  bool is_write = false;
  uint64_t instruction = 0;  ///< the address of the host's
};

/// Pages that may be read unless they are written, until release(); what is left over beyond 1,024 of them is
/// not watched.
void guard(const std::vector<StreamHistory::Guard>& pages);
/// All pages may be touched again. What was touched, of each guard the first.
std::vector<Touch> release();
/// "gemm+0x1234", as addr2line takes it.
std::string place_of(uint64_t instruction);

}  // namespace assay::emulator::host_watch
