// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "devices/emulator/driver/state.h"

namespace assay::emulator {

/// A launch with its parameters, checked and not yet run.
struct PreparedLaunch {
  abi::Work work;
  std::string kernel;  ///< its name
};

/// Checks a launch as the call does, and copies its parameters.
abi::Result prepare_launch(Driver& driver, abi::ContextObject& context, const abi::LaunchConfig& config,
                           abi::Function handle, void** params, void** extra, PreparedLaunch& prepared);

}  // namespace assay::emulator
