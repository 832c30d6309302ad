// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::emulator {

/// Old value and operands to new value, all in the low bits of a word; `c` is the third operand of cas.
using AtomicCombine = uint64_t (*)(uint64_t old, uint64_t b, uint64_t c);

/// What atom and red do for an operation and type ("add", "u32"), or null if there is none.
AtomicCombine find_atomic(std::string_view operation, std::string_view type, bool is_shared);

}  // namespace assay::emulator
