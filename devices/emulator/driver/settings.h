// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Reads the text of ASSAY_EMULATOR (syntax: driver/extra.h). Returns an empty string and the settings, or
/// one sentence on the first word that is wrong and what would be right.
std::string parse_settings(std::string_view text, Settings& settings);

}  // namespace assay::emulator
