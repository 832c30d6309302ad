// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "devices/emulator/driver/abi.h"

namespace assay::emulator {

/// The log buffers of a load or of a linker, as the option arrays give them.
class JitLogs {
 public:
  JitLogs() = default;
  JitLogs(unsigned count, const abi::JitOption* options, void** values);
  /// Fills the log of errors and empties that of remarks, as far as there are any.
  void write(const std::string& error) const;

 private:
  char *error_ = nullptr, *info_ = nullptr;
  unsigned error_bytes_ = 0, info_bytes_ = 0;
};

}  // namespace assay::emulator
