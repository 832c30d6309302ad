// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/model/mma/element_steps.h"

namespace assay::model {

/// Adders with one thing different, in words, that make the observed code of the element's operands: a hint
/// at what a device does instead. "terms are cut one bit earlier", "the product of k 15 is missing". Several
/// may fit one element by chance.
std::vector<std::string> sums_that_give(const ElementSteps&, uint64_t observed);

}  // namespace assay::model
