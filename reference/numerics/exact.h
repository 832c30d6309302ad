// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/dyadic.h"

namespace assay::numerics {

/// What a fused block adds: a product, an exact group of them, or the accumulator.
struct TermStep {
  int k = -1;        ///< of the product, or of the first of its group; -1: the accumulator
  int exponent = 0;  ///< that it brings to the alignment
  Dyadic exact, aligned;
  bool is_cut() const;  ///< bits were lost where it was aligned
};

/// One block of products that are added at once. Integers are one block, of unit 0.
struct BlockSteps {
  std::vector<TermStep> terms;
  int largest = 0;          ///< exponent that all are aligned to
  int unit = 0;             ///< terms are multiples of 2^unit
  Dyadic sum;               ///< of the aligned terms
  bool is_special = false;  ///< infinities or NaN decide, and nothing is added
  uint64_t result = 0;      ///< as a code of D
};

/// How one element of D comes about. No blocks where it is a chain of fused multiply-adds.
struct DotSteps {
  std::vector<BlockSteps> blocks;
  uint64_t result = 0;
};

/// One element of D in rational arithmetic, step by step as the rules are written. Slow; the judge of fast.h,
/// with which it shares the rows of spec/formats.h and nothing else.
uint64_t exact_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot);
/// The same with every step on the way, for people.
DotSteps exact_steps(const Arithmetic& arithmetic, const Types& types, const Dot& dot);

}  // namespace assay::numerics
