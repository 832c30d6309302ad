// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/model/mma/mma.h"

namespace assay::model {

/// The accumulation one element of D after the other, in exact arithmetic and straight from the definition:
/// what judges the fast model, with which it shares the formulas of reference/layout and the tables. Legal
/// cases only; `defined` gets every bit.
void slow_mma(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows& windows,
              std::span<uint32_t> cells, std::span<uint32_t> defined);

}  // namespace assay::model
