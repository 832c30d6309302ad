// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay {

/// An instruction may be spelled in several ways that mean the same; a case names one of them by any number
/// below this, more than any instruction has. 0: the plain one.
inline constexpr uint32_t most_spellings = 64;

}  // namespace assay
