// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "generators/random.h"
#include "suites/scalar/form.h"

namespace assay::gen::scalar {

/// Operands that find edges: of the family's types mostly, and now and then of another's.
uint64_t random_value(Random& random, Family family, int bits);

}  // namespace assay::gen::scalar
