// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/mma/case.h"
#include "reference/spec/formats.h"

namespace assay::gen {

/// Mixes of operand values; each stresses one thing.
enum class FillMix : uint32_t {
  exact,       ///< small numbers whose sums of products are exact
  bits,        ///< any bits
  narrow,      ///< few exponents
  wide,        ///< random exponents, no specials
  cancelling,  ///< neighbours cancel
  tiny,        ///< subnormals and small normals
  specials,    ///< infinities, NaN, zeros and largest numbers strewn in
  underflow,   ///< results around the smallest number of D
  zeros,       ///< nothing but zeros in A, mostly minus zeros
};
inline constexpr uint32_t fill_mix_count = 9;

/// f16 into f16: sums half way between the two smallest numbers of D, but for terms around the lowest bits
/// that any reading of the adder's floor keeps.
void fill_ties(Random& random, Tcgen05MmaCase& c);
/// 4-bit subnormals whose products are the largest terms of their sums, beside accumulators of many bits.
void fill_narrow_subnormals(Random& random, Tcgen05MmaCase& c);

/// A pattern of elements of this format, `stored` bits apart (8 for padded containers in tensor memory; 0: as
/// the format is stored).
OperandPattern fill_of(Random& random, const spec::Format& format, FillMix mix, bool in_byte = false);
/// Accumulators: f16 in the low half of its cell, anything above.
OperandPattern accumulator_fill(Random& random, const spec::Format& format, FillMix mix);

/// Scale factors of either format beside operands of that mix.
OperandPattern scale_fill(Random& random, bool is_ue8m0, FillMix mix);
/// Of a case, beside operands of that mix: near one, or from end to end of their format with NaN among
/// them and, of ue4m3, with bit 7.
void fill_scales(Random& random, FillMix mix, Tcgen05MmaCase& c);
/// mxf4, mxf4nvf4: groups of products that cancel under the largest scales, beside some that do not under the
/// smallest: what is cut shows.
void fill_cancelling_groups(Random& random, Tcgen05MmaCase& c);

/// Patterns of all operands of a case whose form stands.
void fill_operands(Random& random, FillMix mix, Tcgen05MmaCase& c);

}  // namespace assay::gen
