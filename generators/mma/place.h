// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/mma/case.h"

namespace assay::gen {

/// How freely operands are placed in shared memory.
enum class Placing {
  dense,   ///< as a tile is usually laid out: aligned, no gaps, base offset 0
  random,  ///< any start, gaps between blocks, base offsets, steps
};

/// Gives A and B their descriptors, steps and windows. The form, N, steps and the mask's shift stand already.
/// Everything lies in the window afterwards. Every fourth window comes by TMA; A and B then share a swizzle
/// where they can.
void place_operands(Random& random, Placing placing, Tcgen05MmaCase& c);

/// Gives D (and A, and scales) their columns and lanes, and the allocation its size.
void place_in_tensor_memory(Random& random, Tcgen05MmaCase& c);

}  // namespace assay::gen
