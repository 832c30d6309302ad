// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/dot_steps.h"

namespace assay::numerics {

/// One element of D in rational arithmetic, step by step as the rules are written. Slow; the judge of fast.h,
/// with which it shares the rows of spec/formats.h and nothing else.
uint64_t exact_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot);
/// The same with every step on the way, for people.
DotSteps exact_steps(const Arithmetic& arithmetic, const Types& types, const Dot& dot);

}  // namespace assay::numerics
