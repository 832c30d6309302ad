// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "devices/emulator/gpu.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// Whose adder: they keep different numbers of bits and treat C differently.
enum class Adder { mma_sync, wgmma, tcgen05, mma_kind };

/// D = A * B + C of one matrix instruction, operands already collected from where they lay.
struct TileProduct {
  Adder adder;
  Target target;
  const spec::Format* a_format;
  const spec::Format* b_format;
  const spec::Format* d_format;  ///< of C too: f32, f16, s32
  uint32_t m, n, k;              ///< k: products of one instruction
  bool negate_a = false, negate_b = false;
  bool reads_c = true;          ///< false: D = A * B, what d holds before is not looked at
  int scale_input_d = 0;        ///< C * 2^-n first
  bool saturates = false;       ///< s32
  bool is_sparse = false;       ///< mma.sp with a kind: what a row has kept, by what it meets
  std::span<const uint32_t> a;  ///< m rows of k codes
  std::span<const uint32_t> b;  ///< n columns of k codes, or of b_k where `met` is given
  /// Empty, or of a sparse A which code of a column of B each of its m rows of k meets.
  std::span<const uint16_t> met = {};
  uint32_t b_k = 0;
  // Block scaling.
  const spec::Format* scale_format = nullptr;
  uint32_t scale_block = 0;                     ///< products that share a pair of scales
  bool adds_groups = false;                     ///< kinds mxf4 and mxf4nvf4
  std::span<const uint8_t> a_scales, b_scales;  ///< k / scale_block of each row of A, of each column of B
  std::span<uint32_t> d;                        ///< m rows of n codes: C before, D after
  uint32_t sm = 0;                              ///< multiprocessor of the CTA whose rows of D these are
};

/// Bit-exact. Honours the arithmetic faults and readings that `settings` names.
void multiply_tile(const TileProduct& product, const Settings& settings);

/// Everything in which adders differ from each other, or in which a fault or a reading of an open question
/// makes one differ from itself. The words E, F and u are those of `sum_block`.
struct AdderRules {
  int kept_bits;         ///< F: u is 2^(E - F)
  int lowest_exponent;   ///< E is at least this
  uint32_t fused;        ///< products summed at once; where k is more, D of a block is C of the next
  uint32_t products;     ///< the first of k, those that are summed at all
  int significant_bits;  ///< of the result: 24, 14 or 11
  bool rounds_to_nearest = false;  ///< to even; else toward zero
  /// 8-bit floats become f16 first; then the products with k mod 4 of 0 and 1 are summed, then the others on
  /// top of them, and C comes last.
  bool is_widened = false;
  enum class AddsC : uint8_t {
    inside,  ///< as one more term
    first,   ///< with the first product alone
    last,    ///< to the rounded sum of the products, by one addition that rounds to nearest even
  } adds_c = AddsC::inside;
  /// What a sum gives that is zero (NUM-AMB-03).
  enum class ZeroSign : uint8_t { always_plus, minus_when_rounded, minus_when_all_are } zero_sign{};
  enum class ScalesC : uint8_t { exactly, rounded, truncated } scales_c{};  ///< NUM-AMB-17
  bool zeros_have_exponents = false;  ///< a zero operand counts with -126 (NUM-AMB-01)
  /// Subnormal operands of formats of at most so many bits count with their own exponent: 6 in one reading of
  /// NUM-AMB-08.
  int normalised_bits = 0;
  bool flushes_subnormals = false;  ///< of the operands
  bool truncates_terms = true;      ///< false: each term is rounded to nearest even at u
  bool keeps_nan = false;           ///< a NaN result has sign and payload of a NaN operand
  bool cancels_infinities = false;  ///< infinities of both signs give +0
  uint32_t group = 16;              ///< with groups: products that are added before the cut
  enum class ScaleBit7 : uint8_t { ignored, negates, makes_nan } scale_bit_7{};  ///< of ue4m3 (NUM-AMB-11)
  bool keeps_minus_zero = false;   ///< C of -0 where all products are zero (NUM-AMB-20)
  bool saturates_integers = true;  ///< where the instruction says so

  /// True when nothing is unusual.
  bool is_regular() const {
    return zero_sign == ZeroSign::always_plus && scales_c == ScalesC::exactly && !zeros_have_exponents &&
           normalised_bits == 0 && !flushes_subnormals && truncates_terms && !keeps_nan &&
           !cancels_infinities;
  }
  /// Whether `sum_block_fast` does a block of so many products.
  bool fits_fast(uint32_t k) const { return is_regular() && k <= 32 && kept_bits <= 25; }
};

/// Those of the instruction, with the readings that the settings choose; without faults.
AdderRules adder_rules(const TileProduct& product, const Settings& settings);

/// A product of floating-point matrices that is summed at once.
struct Block {
  const spec::Format* a_format;
  const spec::Format* b_format;
  const spec::Format* d_format;
  uint32_t m, n, k;
  bool negate_a, negate_b, reads_c;
  int scale_input_d;
  const uint32_t* a;  ///< m rows of k codes
  const uint32_t* b;  ///< n columns of k codes, or of b_k where `met` is given
  uint32_t* d;        ///< m rows of n codes
  /// Of sum_block_fast(): which of at most 64 codes of a column of B each k of a row meets; null: that of k.
  const uint16_t* met = nullptr;
  uint32_t b_k = 0;
  /// Scales of sum_block_fast(), as exponents of two: of each row and column one for every scale_block of k.
  const int32_t* a_scales = nullptr;
  const int32_t* b_scales = nullptr;
  uint32_t scale_block = 0;
  static constexpr int32_t nan_scale = 1 << 16;
};

/// For every element, with e(x) the exponent of the leading bit of x, but that of the smallest normal number
/// of its format where x is subnormal (H200: sections 1 and 4 of the adder's measurements):
///
///   E = max(lowest_exponent, e(C), e(a_i) + e(b_i) ...)      terms that are zero do not count
///   u = 2^(E - F)
///   D = round(u * (trunc(C / u) + sum of trunc(a_i * b_i / u)))
///
/// One term after the other, in integers: the slow one, which knows every rule.
void sum_block(const Block& block, const AdderRules& rules);

/// The same where fits_fast().
void sum_block_fast(const Block& block, const AdderRules& rules);

/// Block-scaled products, with every rule (sum_scaled.cc); scales that are powers of two go to
/// sum_block_fast() where it has the rules.
void sum_scaled(const TileProduct& product, const AdderRules& rules);

/// The code of sum * 2^exponent in the format with that many significant bits. The rules say which
/// sign it has when it rounds to zero.
uint32_t round_sum(const spec::Format& format, const AdderRules& rules, int64_t sum, int exponent);

/// One step of a chain of f64 products as the tensor unit does it: the scalar fused multiply-add with the
/// factors exchanged, so that the NaN of b wins over that of the accumulator, and that over a's (H200,
/// section 8).
inline uint64_t f64_multiply_add(uint64_t a, uint64_t b, uint64_t d) {
  constexpr uint64_t quiet = 1ull << 51;
  const auto is_nan = [](uint64_t code) { return (code << 1) > 0xffe0000000000000; };
  for (const uint64_t code : {b, d, a})
    if (is_nan(code)) return code | quiet;
  const double made = std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(d));
  return made != made ? 0xfff8000000000000 : std::bit_cast<uint64_t>(made);
}

}  // namespace assay::emulator
