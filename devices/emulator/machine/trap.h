// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Ends a launch. Thrown by instructions and by asynchronous operations; caught once, in Launch::run, which
/// adds kernel, PTX line and thread.
struct Trap {
  Diagnostic::Kind kind;
  std::string message;
  int lane = -1;  ///< of the executing warp; -1: all of them
};

[[noreturn]] inline void trap(Diagnostic::Kind kind, std::string message, int lane = -1) {
  throw Trap{kind, std::move(message), lane};
}

}  // namespace assay::emulator
