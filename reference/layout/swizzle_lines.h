// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/layout/swizzle.h"

namespace assay::model {

/// Copies of whole 128-byte lines whose pieces of 16 bytes and more change places: the shape that production
/// kernels use. `at`, the offset of the first line in the window, is a multiple of 128; the pattern does not
/// flip; `pitch` is what lies between lines outside of the window, bytes. The ranges do not overlap.
struct LineCopies {
  void (*place)(SwizzlePattern, std::byte* window, uint32_t at, const std::byte* from, uint64_t pitch,
                uint32_t lines);
  void (*fetch)(SwizzlePattern, std::byte* to, uint64_t pitch, const std::byte* window, uint32_t at,
                uint32_t lines);
};

/// With the widest registers of this processor.
LineCopies line_copies();
/// With every width that this processor has, the widest first.
std::vector<LineCopies> every_line_copies();

}  // namespace assay::model
