// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::cudart {

/// Tells once that something is not supported: a line of kind "unsupported" in the file that
/// ASSAY_EMULATOR_REPORT names (devices/emulator/driver/extra.h), else a line on stderr.
void report_unsupported(std::string_view call, std::string_view sentence);

/// The same for a function of the public API that the stand-in does not have; kind "absent".
void report_absent(std::string_view function);

}  // namespace assay::cudart
