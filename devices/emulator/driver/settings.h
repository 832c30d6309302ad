// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Reads the text of ASSAY_EMULATOR (syntax: driver/extra.h). Returns an empty string and the settings, or
/// one sentence on the first word that is wrong and what would be right.
std::string parse_settings(std::string_view text, Settings& settings);

// The rows of devices/faults, where they are not linked in: libassay_faults.so beside libassay_emulator.so,
// loaded when a fault is first asked for.

/// Empty if there is a fault of that name; else "no fault named X; there are: ...", or why there are none.
std::string check_fault(std::string_view name);

/// All of them for the program that measures the suites: one JSON object a line (driver/extra.h).
std::string described_faults();

/// What the library exports. `fault_size`: sizeof(Fault) of who asks; null where the library was built from
/// other sources and has another.
inline constexpr const char* fault_library_entry = "assay_faults";
using FaultLibraryEntry = const Fault* const*(size_t fault_size, size_t* count);

}  // namespace assay::emulator
