// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "devices/emulator/driver/state.h"
#include "devices/emulator/fault.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/hardware.h"

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

/// What cuDriverGetVersion says. Above 13010, because CUTLASS clears a bit of encoded tensor maps for drivers
/// up to that version (observed in its sources); this driver's maps need no such help.
inline constexpr int driver_version = 13020;

inline constexpr size_t device_memory_bytes = size_t{16} << 30;
inline constexpr int max_cluster = 8, max_non_portable_cluster = 16;
inline constexpr size_t shared_per_block = 48 * 1024;
inline constexpr int last_attribute = 147;

std::string device_name(Target target);

/// Value of CU_DEVICE_ATTRIBUTE_*; 0 for what an emulated GPU does not have.
int device_attribute(int attribute, Target target);

/// One CUlimit, as an H200's driver 580.159 keeps it.
struct LimitRow {
  int limit;           ///< CU_LIMIT_*
  size_t initial;      ///< bytes; launches for CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
  bool can_be_set;     ///< otherwise CUDA_ERROR_NOT_PERMITTED
  size_t highest;      ///< what is more is CUDA_ERROR_INVALID_VALUE
  size_t step;         ///< a value is rounded up to a multiple of it,
  size_t least, most;  ///< then brought between these
};

/// CU_LIMIT_MALLOC_HEAP_SIZE: cannot be set once a kernel has called malloc.
inline constexpr int heap_limit = 2;

/// Null: CUDA_ERROR_UNSUPPORTED_LIMIT.
const LimitRow* find_limit(int limit);

/// What a context has now.
std::optional<size_t> limit_of(const abi::ContextObject& context, int limit);

/// What its launches may use.
LaunchLimits launch_limits(const abi::ContextObject& context);

}  // namespace assay::emulator
