// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "devices/emulator/driver/state.h"

namespace assay::emulator {

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
