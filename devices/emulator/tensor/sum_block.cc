// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fragment.h"

namespace assay::emulator {
namespace {

using spec::Format;
using spec::ValueClass;

/// A product or C, exactly.
struct Term {
  bool negative;
  uint64_t significand;  ///< 0: the term does not count
  int lowest, alignment;
};

/// significand * 2^(lowest - exponent), to an integer.
int64_t in_units(const Term& term, int exponent, bool truncates) {
  const int shift = term.lowest - exponent;
  uint64_t units;
  if (shift >= 0) {
    units = term.significand << shift;
  } else if (shift < -62) {
    units = 0;
  } else {
    units = term.significand >> -shift;
    const uint64_t rest = term.significand & ((uint64_t{1} << -shift) - 1),
                   half = uint64_t{1} << (-shift - 1);
    if (!truncates && (rest > half || (rest == half && units & 1))) ++units;
  }
  return term.negative ? -static_cast<int64_t>(units) : static_cast<int64_t>(units);
}

class Summation {
 public:
  Summation(const Block& block, const AdderRules& rules) : block_(block), rules_(rules), d_(*block.d_format) {
    read(*block.a_format, block.a, static_cast<size_t>(block.m) * block.k, block.negate_a, a_);
    read(*block.b_format, block.b, static_cast<size_t>(block.n) * block.k, block.negate_b, b_);
  }
  uint32_t element(uint32_t row, uint32_t column, uint32_t c_code) const;

 private:
  void read(const Format& format, const uint32_t* codes, size_t count, bool negate,
            std::vector<Element>& out) const {
    out.resize(count);
    for (size_t i = 0; i < count; ++i) {
      Element& x = out[i];
      x = read_element(format, codes[i]);
      x.negative ^= negate;
      if (x.kind != ValueClass::subnormal) continue;
      if (rules_.flushes_subnormals) x.kind = ValueClass::zero;
      if (format.storage_bits <= rules_.normalised_bits)
        x.alignment = x.lowest + 31 - std::countl_zero(x.significand);
    }
  }
  Element accumulator(uint32_t code) const;
  uint32_t nan(const Element* a, const Element* b, uint32_t c_code, const Element& c) const;

  const Block& block_;
  const AdderRules& rules_;
  const Format& d_;
  std::vector<Element> a_, b_;
};

/// C times 2^-scale_input_d.
Element Summation::accumulator(uint32_t code) const {
  Element c = read_element(d_, block_.reads_c ? code : 0);
  const int n = block_.scale_input_d;
  if (n == 0 || c.is_zero() || c.is_nan() || c.is_infinite()) return c;
  if (rules_.scales_c == AdderRules::ScalesC::exactly) {
    c.lowest -= n, c.alignment -= n;
    return c;
  }
  AdderRules rounding = rules_;
  rounding.rounds_to_nearest = rules_.scales_c == AdderRules::ScalesC::rounded;
  rounding.significant_bits = d_.significant_bits();
  const int64_t signed_significand = c.negative ? -int64_t{c.significand} : int64_t{c.significand};
  return read_element(d_, round_sum(d_, rounding, signed_significand, c.lowest - n));
}

uint32_t Summation::nan(const Element* a, const Element* b, uint32_t c_code, const Element& c) const {
  const auto canonical = static_cast<uint32_t>(d_.canonical_nan());
  if (!rules_.keeps_nan) return canonical;
  if (c.is_nan()) return c_code | 1u << (d_.mantissa_bits - 1);
  for (uint32_t i = 0; i < block_.k; ++i)
    if (a[i].is_nan() || b[i].is_nan()) {
      const bool negative = a[i].is_nan() ? a[i].negative : b[i].negative;
      return negative ? canonical | static_cast<uint32_t>(d_.sign_bit()) : canonical;
    }
  return canonical;
}

uint32_t Summation::element(uint32_t row, uint32_t column, uint32_t c_code) const {
  const Element* a = &a_[static_cast<size_t>(row) * block_.k];
  const Element* b = &b_[static_cast<size_t>(column) * block_.k];
  const Element c = accumulator(c_code);

  // Only infinities among the operands count; a product that is large is not one.
  bool is_nan = c.is_nan(), is_plus = c.is_infinite() && !c.negative,
       is_minus = c.is_infinite() && c.negative;
  bool all_minus_zero = c.is_zero() && c.negative;
  for (uint32_t i = 0; i < block_.k; ++i) {
    const bool is_infinite = a[i].is_infinite() || b[i].is_infinite(),
               is_zero = a[i].is_zero() || b[i].is_zero();
    const bool negative = a[i].negative != b[i].negative;
    is_nan |= a[i].is_nan() || b[i].is_nan() || (is_infinite && is_zero);
    (negative ? is_minus : is_plus) |= is_infinite;
    all_minus_zero &= is_zero && negative;
  }
  const bool cancels = is_plus && is_minus;
  if (cancels && !is_nan && rules_.cancels_infinities) return 0;
  if (is_nan || cancels) return nan(a, b, c_code, c);
  if (is_plus || is_minus) return static_cast<uint32_t>(d_.infinity() | (is_minus ? d_.sign_bit() : 0));

  Term terms[65];
  uint32_t count = 0;
  int largest = rules_.lowest_exponent;
  if (!c.is_zero()) {
    terms[count++] = {c.negative, c.significand, c.lowest, c.alignment};
    largest = std::max(largest, c.alignment);
  }
  for (uint32_t i = 0; i < block_.k; ++i) {
    if (a[i].is_zero() || b[i].is_zero()) {
      if (rules_.zeros_have_exponents)
        largest = std::max(
            largest, (a[i].is_zero() ? -126 : a[i].alignment) + (b[i].is_zero() ? -126 : b[i].alignment));
      continue;
    }
    terms[count++] = {a[i].negative != b[i].negative, uint64_t{a[i].significand} * b[i].significand,
                      a[i].lowest + b[i].lowest, a[i].alignment + b[i].alignment};
    largest = std::max(largest, terms[count - 1].alignment);
  }
  int64_t sum = 0;
  const int unit = largest - rules_.kept_bits;
  for (uint32_t i = 0; i < count; ++i) sum += in_units(terms[i], unit, rules_.truncates_terms);
  if (sum == 0)
    return all_minus_zero && rules_.zero_sign == AdderRules::ZeroSign::minus_when_all_are
               ? static_cast<uint32_t>(d_.sign_bit())
               : 0;
  return round_sum(d_, rules_, sum, unit);
}

}  // namespace

uint32_t round_sum(const Format& format, const AdderRules& rules, int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const bool negative = sum < 0;
  const uint64_t magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(sum) : static_cast<uint64_t>(sum);
  const auto sign = static_cast<uint32_t>(negative ? format.sign_bit() : 0);
  const int leading = exponent + 63 - std::countl_zero(magnitude);
  // The lowest bit that the result can hold.
  const int grid = std::max(leading, format.emin()) - (rules.significant_bits - 1);
  uint64_t kept;
  const int drop = grid - exponent;
  if (drop <= 0) {
    kept = magnitude << -drop;
  } else {
    kept = drop > 63 ? 0 : magnitude >> drop;
    const uint64_t rest = drop > 63 ? magnitude : magnitude & ((uint64_t{1} << drop) - 1);
    const uint64_t half = drop > 64 ? ~uint64_t{0} : uint64_t{1} << (drop - 1);
    if (rules.rounds_to_nearest && (rest > half || (rest == half && kept & 1))) ++kept;
  }
  if (kept == 0) return rules.zero_sign == AdderRules::ZeroSign::minus_when_rounded ? sign : 0;
  const int top = grid + 63 - std::countl_zero(kept);
  if (top > static_cast<int>(format.exponent_mask()) - 1 - format.bias)
    return sign | static_cast<uint32_t>(format.infinity());
  if (kept >> rules.significant_bits) kept >>= 1;
  const uint64_t mantissa = kept << (format.mantissa_bits - (rules.significant_bits - 1));
  if (top < format.emin()) return sign | static_cast<uint32_t>(mantissa);
  // The leading bit adds one to the exponent field.
  const auto field = static_cast<uint64_t>(top + format.bias - 1);
  return sign | static_cast<uint32_t>((field << format.mantissa_bits) + mantissa);
}

void sum_block(const Block& block, const AdderRules& rules) {
  const Summation summation(block, rules);
  for (uint32_t row = 0; row < block.m; ++row)
    for (uint32_t column = 0; column < block.n; ++column) {
      uint32_t& d = block.d[static_cast<size_t>(row) * block.n + column];
      d = summation.element(row, column, d);
    }
}

}  // namespace assay::emulator
