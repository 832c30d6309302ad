// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/spec/field.h"
#include "reference/spec/formats.h"

namespace assay::numerics {

/// How the products of one element of D are added up.
enum class Scheme : uint8_t {
  fused,    ///< products aligned to the largest exponent, cut, added as integers; optionally scaled
  grouped,  ///< groups of products added exactly, each times its scales, then as `fused` over the groups
  integer,  ///< exact
  chain,    ///< one fused multiply-add after the other, k increasing (f64)
};

/// Which products share a fused block.
enum class Split : uint8_t {
  consecutive,
  by_four,  ///< those with k mod 4 in {0, 1} first, those in {2, 3} after
};

enum class AccumulatorPlace : uint8_t {
  inside,      ///< one of the terms of the first block; later blocks take the result of the one before
  added_last,  ///< the first block starts from +0, C is added at the end by one IEEE addition in the type of
               ///< D
};

/// C * 2^-n of scale-input-d.
enum class ScaledInput : uint8_t { exact, rounded_to_nearest_even, rounded_toward_zero };

/// Everything that the documents leave open about the adder of a tensor core, as values. The defaults are
/// those of f16 into f32 as measured on an H200.
struct Arithmetic {
  Scheme scheme = Scheme::fused;
  /// Each term is cut at 2^(E - kept_bits), E the largest exponent among the terms.
  int kept_bits = 25;
  /// Products per fused block; 0: all of K. A last block may be shorter.
  int fused_terms = 0;
  Split split = Split::consecutive;
  AccumulatorPlace accumulator = AccumulatorPlace::inside;
  spec::Rounding term_rounding = spec::Rounding::toward_zero;
  /// Rounding of the sum to result_bits significant bits (hidden bit included); lower mantissa bits of D are
  /// 0.
  spec::Rounding result_rounding = spec::Rounding::toward_zero;
  int result_bits = 24;
  /// E is never below this: what a zero term counts as.
  int floor_exponent = -133;
  /// false: subnormal operands align with the exponent of their leading bit instead of emin.
  bool subnormals_align_at_emin = true;
  /// Subnormal operands of formats of at most so many bits align with the exponent of their leading bit.
  int normalised_bits = 0;
  /// fused: an operand that is zero aligns with -126 and its product counts in the maximum.
  bool zeros_have_exponents = false;
  /// 8-bit operands are f16 before they are multiplied: they align as f16 numbers do, where a subnormal of
  /// e4m3 is a normal number.
  bool operands_become_f16 = false;
  /// A negative sum that rounds to zero gives -0 instead of +0.
  bool underflow_keeps_sign = false;
  /// A sum whose terms are all -0 gives -0 instead of +0.
  bool all_minus_zero_gives_minus_zero = false;
  /// grouped: products that are added exactly before anything is cut; divides 16.
  int group_terms = 16;
  /// An accumulator of -0 stays -0 where every product, scales included, is zero.
  bool keeps_minus_zero = false;
  /// grouped: a group whose products are all zero counts with the exponents of its scales.
  bool zero_group_keeps_scale = false;
  ScaledInput scaled_input = ScaledInput::exact;
  bool saturates = false;     ///< integer: clamp to the range of s32 once, instead of wrapping
  uint64_t nan = 0x7fffffff;  ///< every NaN result, as a code of D
};

/// Formats and shape of one dot product.
struct Types {
  const spec::Format* a;
  const spec::Format* b;
  const spec::Format* d;  ///< of C too
  int k;
  const spec::Format* scale = nullptr;  ///< null: not block-scaled
  int scale_block = 0;                  ///< elements of K that share a scale
  constexpr int scale_count() const { return scale == nullptr ? 0 : (k + scale_block - 1) / scale_block; }
};

/// The operands of one element of D, as codes.
struct Dot {
  std::span<const uint64_t> a, b;  ///< k codes each
  uint64_t c = 0;
  std::span<const uint64_t> scale_a, scale_b;  ///< scale_count() codes each
  int scale_input_d = 0;                       ///< n of C * 2^-n
};

/// The arithmetic of one class of instruction forms.
struct Instruction {
  std::string_view family;  ///< "wgmma", "mma_sm90", "mma_sm100", "mma_sm120", "tcgen05"
  std::string_view kind;    ///< tcgen05: the .kind; others: the same word, or empty
  std::string_view types;   ///< of A and B, separated by blanks
  bool mixes;               ///< A and B may differ
  std::string_view d;
  std::array<int, 2> k;    ///< products per instruction, dense; unused entries 0
  std::string_view scale;  ///< format of the scale factors, or empty
  int scale_block;
  Arithmetic arithmetic;
  bool measured;  ///< confirmed on silicon of the family's own architecture; else expected
  spec::Cite cite;
};

std::span<const Instruction> instructions();

/// The row for a dot product of these formats; null when no instruction computes it.
const Instruction* find_instruction(std::string_view family, const Types& types, bool saturates);

}  // namespace assay::numerics
