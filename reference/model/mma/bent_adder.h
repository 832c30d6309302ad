// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/model/mma/bend.h"
#include "reference/numerics/fast.h"

namespace assay::model {

/// numerics::fast_tile of an adder that has a rule wrong. `open` (as many as d) gets the bits of each element
/// that may be anything.
void bent_tile(const MmaBend&, numerics::Arithmetic, const numerics::Types&, const numerics::Tile&,
               bool reads_c, std::span<uint32_t> d, std::span<uint32_t> open);

}  // namespace assay::model
