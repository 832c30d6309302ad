// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator::ptx {

/// Why a module with this .target cannot be loaded on the device, or an empty string. `sm_XXa` loads on
/// exactly that architecture, `sm_XXf` on later ones of its family, plain `sm_XX` on every later one (ptx,
/// .target).
std::string target_mismatch(std::string_view module_target, Target device);

}  // namespace assay::emulator::ptx
