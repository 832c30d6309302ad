// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/layout/canonical.h"

namespace assay::model {

/// Elements (mn, k) for mn in [first, first + count) and k in [0, k_count), as codes, k running fastest, read
/// from a window through a matrix descriptor.
void gather_shared(const spec::SmemMatrix& matrix, const layout::SmemOperand& operand,
                   const layout::SmemReadings& readings, std::span<const std::byte> window, int first,
                   int count, int k_count, std::span<uint32_t> codes);

}  // namespace assay::model
