// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/model/mma/bend.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What one instruction multiplied, as codes: C empty where it is not read.
struct Multiplied {
  const numerics::Types& types;
  const numerics::Arithmetic& arithmetic;
  std::span<const uint32_t> a, b, c, d;
  bool goes_on = false;   ///< C is what an instruction of the same case has left
  int scale_input_d = 0;  ///< C * 2^-this
  std::span<const uint8_t> a_scales = {}, b_scales = {};  ///< empty without block scaling
};

/// Adds the rules of the adder that this product could refute: of those on what is cut and rounded none where
/// every sum is exact, of NaN and infinity none where there is none.
void note_adder_rules(const Multiplied&, spec::RuleSet&);

/// numerics::fast_tile of an adder that has a rule wrong. `open` (as many as d) gets the bits of each element
/// that may be anything.
void bent_tile(const MmaBend&, numerics::Arithmetic, const numerics::Types&, const numerics::Tile&,
               bool reads_c, std::span<uint32_t> d, std::span<uint32_t> open);

}  // namespace assay::model
