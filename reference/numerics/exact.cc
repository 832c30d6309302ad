// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/exact.h"

#include <algorithm>

namespace assay::numerics {
namespace {

using spec::Format;
using spec::Rounding;
using spec::Value;
using spec::ValueClass;

/// What is added: a number with the exponent that it brings to the alignment, which is that of its factors.
struct Term {
  Dyadic value;
  int alignment = 0;
  int k = -1;  ///< of the product, or of the first of its group
  bool is_minus_zero = false;
  bool counts_though_zero = false;  ///< its alignment does, in the maximum
  bool has_products = false;        ///< of numbers that are not zero, though they may cancel
};

/// Infinities and NaN met on the way: they decide the result before any addition.
struct Specials {
  bool nan = false, plus_infinity = false, minus_infinity = false;
  void add_infinity(bool negative) { (negative ? minus_infinity : plus_infinity) = true; }
  bool any() const { return nan || plus_infinity || minus_infinity; }
  bool is_nan() const { return nan || (plus_infinity && minus_infinity); }
};

/// e(x): the exponent of the leading bit, but not below that of the smallest normal number.
int alignment_exponent(const Format& format, const Value& value, const Arithmetic& arithmetic) {
  if (value.kind == ValueClass::zero && arithmetic.zeros_have_exponents) return -126;
  const bool normalised =
      !arithmetic.subnormals_align_at_emin || format.storage_bits <= arithmetic.normalised_bits;
  if (value.kind == ValueClass::subnormal && normalised) return Dyadic::of(value).leading_exponent();
  return value.exponent + format.mantissa_bits;
}

/// D's own format with fewer mantissa bits: the rest stays 0.
Format narrowed(const Format& d, int significant_bits) {
  Format narrow = d;
  narrow.mantissa_bits = significant_bits - 1;
  narrow.ignored_bits = d.ignored_bits + d.mantissa_bits - narrow.mantissa_bits;
  return narrow;
}

uint64_t special_result(const Arithmetic& arithmetic, const Format& d, const Specials& specials) {
  if (specials.is_nan()) return arithmetic.nan;
  return d.infinity() | (specials.minus_infinity ? d.sign_bit() : 0);
}

/// Aligns, cuts, adds, rounds.
uint64_t fused_sum(const Arithmetic& arithmetic, const Format& d, const std::vector<Term>& terms,
                   BlockSteps* steps) {
  int largest = arithmetic.floor_exponent;
  bool all_minus_zero = true;
  for (const Term& term : terms) {
    if (!term.value.is_zero() || term.counts_though_zero) largest = std::max(largest, term.alignment);
    all_minus_zero = all_minus_zero && term.is_minus_zero;
  }
  const int unit = largest - arithmetic.kept_bits;
  Dyadic sum{BigInt(0), unit};
  for (const Term& term : terms) {
    const Dyadic aligned = term.value.rounded_to(unit, arithmetic.term_rounding);
    sum = sum + aligned;
    if (steps != nullptr) steps->terms.push_back({term.k, term.alignment, term.value, aligned});
  }
  if (steps != nullptr) steps->largest = largest, steps->unit = unit, steps->sum = sum;
  const bool keeps_c =
      arithmetic.keeps_minus_zero && terms.front().is_minus_zero &&
      std::none_of(terms.begin(), terms.end(), [](const Term& term) { return term.has_products; });
  if (keeps_c) return d.sign_bit();
  if (sum.is_zero()) return all_minus_zero && arithmetic.all_minus_zero_gives_minus_zero ? d.sign_bit() : 0;
  const uint64_t code = spec::encode(narrowed(d, arithmetic.result_bits), sum.exact(),
                                     arithmetic.result_rounding, spec::Overflow::leave);
  const bool became_zero = (code & ~d.sign_bit()) == 0;
  return became_zero && !arithmetic.underflow_keeps_sign ? 0 : code;
}

Term accumulator_term(const Arithmetic& arithmetic, const Format& d, uint64_t c, int scale_input_d,
                      Specials& specials) {
  const Value value = spec::decode(d, c);
  if (value.kind == ValueClass::nan) specials.nan = true;
  if (value.kind == ValueClass::infinity) specials.add_infinity(value.negative);
  if (!value.is_finite()) return {};
  Term term{Dyadic::of(value), value.exponent + d.mantissa_bits, -1,
            value.kind == ValueClass::zero && value.negative};
  if (scale_input_d == 0 || value.kind == ValueClass::zero) return term;
  term.value = term.value.times_power_of_two(-scale_input_d);
  term.alignment -= scale_input_d;
  if (arithmetic.scaled_input == ScaledInput::exact) return term;
  const Rounding rounding = arithmetic.scaled_input == ScaledInput::rounded_toward_zero
                                ? Rounding::toward_zero
                                : Rounding::nearest_even;
  const uint64_t rounded = spec::encode(d, term.value.exact(), rounding, spec::Overflow::ieee);
  return accumulator_term(arithmetic, d, rounded, 0, specials);
}

/// A factor of a product and the format that it aligns as.
struct Factor {
  const Format* format;
  Value value;
};
Factor factor_of(const Arithmetic& arithmetic, const Format& format, uint64_t code) {
  if (!arithmetic.operands_become_f16) return {&format, spec::decode(format, code)};
  const Format& f16 = spec::format("f16");
  return {&f16,
          spec::decode(f16, spec::convert(format, code, f16, Rounding::nearest_even, spec::Overflow::leave))};
}

/// One product of a fused block, times its scales.
Term product_term(const Arithmetic& arithmetic, const Types& types, const Dot& dot, int k,
                  Specials& specials) {
  const auto [a_format, a] = factor_of(arithmetic, *types.a, dot.a[k]);
  const auto [b_format, b] = factor_of(arithmetic, *types.b, dot.b[k]);
  const bool negative = a.negative != b.negative;
  if (a.kind == ValueClass::nan || b.kind == ValueClass::nan) specials.nan = true;
  if (a.kind == ValueClass::infinity || b.kind == ValueClass::infinity) {
    if (a.kind == ValueClass::zero || b.kind == ValueClass::zero) specials.nan = true;
    if (a.kind != ValueClass::nan && b.kind != ValueClass::nan) specials.add_infinity(negative);
  }
  if (!a.is_finite() || !b.is_finite()) return {};
  Term term;
  term.k = k;
  term.value = Dyadic::of(a) * Dyadic::of(b);
  term.alignment =
      alignment_exponent(*a_format, a, arithmetic) + alignment_exponent(*b_format, b, arithmetic);
  term.is_minus_zero = term.value.is_zero() && negative;
  term.counts_though_zero = arithmetic.zeros_have_exponents;  // of a group nobody asks
  term.has_products = !term.value.is_zero();
  if (types.scale == nullptr) return term;
  const int block = k / types.scale_block;
  for (const uint64_t code : {dot.scale_a[block], dot.scale_b[block]}) {
    const Value scale = spec::decode(*types.scale, code);
    if (scale.kind == ValueClass::nan) {
      specials.nan = true;
      return {};
    }
    term.value = term.value * Dyadic::of(scale);
    term.alignment += scale.exponent + types.scale->mantissa_bits;
    if (scale.kind == ValueClass::zero) term.has_products = false;
  }
  return term;
}

/// A group of products added exactly, times its pair of scales; aligned by the exponents of the scales alone.
Term group_term(const Arithmetic& arithmetic, const Types& types, const Dot& dot, int first,
                Specials& specials) {
  Types unscaled = types;
  unscaled.scale = nullptr;
  Term group;
  group.k = first;
  bool all_products_zero = true;
  group.is_minus_zero = true;
  for (int k = first; k < first + arithmetic.group_terms; ++k) {
    const Term product = product_term(arithmetic, unscaled, dot, k, specials);
    all_products_zero = all_products_zero && product.value.is_zero();
    group.is_minus_zero = group.is_minus_zero && product.is_minus_zero;
    group.value = group.value + product.value;
  }
  bool a_scale_is_zero = false;
  const int block = first / types.scale_block;
  for (const uint64_t code : {dot.scale_a[block], dot.scale_b[block]}) {
    const Value scale = spec::decode(*types.scale, code);
    if (scale.kind == ValueClass::nan) specials.nan = true;
    a_scale_is_zero = a_scale_is_zero || scale.kind == ValueClass::zero;
    group.value = group.value * Dyadic::of(scale);
    group.alignment += scale.exponent + types.scale->mantissa_bits;
  }
  group.has_products = !all_products_zero && !a_scale_is_zero;
  group.counts_though_zero = (!all_products_zero && !a_scale_is_zero) || arithmetic.zero_group_keeps_scale;
  return group;
}

/// The k of each block, in the order of the blocks.
std::vector<std::vector<int>> blocks_of(const Arithmetic& arithmetic, int k_count) {
  std::vector<int> order;
  const auto take = [&](auto wanted) {
    for (int k = 0; k < k_count; ++k)
      if (wanted(k)) order.push_back(k);
  };
  if (arithmetic.split == Split::by_four) {
    take([](int k) { return k % 4 < 2; });
    take([](int k) { return k % 4 >= 2; });
  } else {
    take([](int) { return true; });
  }
  const int length = arithmetic.fused_terms != 0          ? arithmetic.fused_terms
                     : arithmetic.split == Split::by_four ? k_count / 2
                                                          : k_count;
  std::vector<std::vector<int>> blocks;
  for (int first = 0; first < k_count; first += length)
    blocks.emplace_back(order.begin() + first, order.begin() + std::min(first + length, k_count));
  return blocks;
}

/// IEEE addition in the type of D, to nearest even.
uint64_t ieee_add(const Arithmetic& arithmetic, const Format& d, uint64_t x, uint64_t y) {
  Specials specials;
  Dyadic sum;
  bool both_minus = true;
  for (const uint64_t code : {x, y}) {
    const Value value = spec::decode(d, code);
    if (value.kind == ValueClass::nan) specials.nan = true;
    if (value.kind == ValueClass::infinity) specials.add_infinity(value.negative);
    both_minus = both_minus && value.negative;
    sum = sum + Dyadic::of(value);
  }
  if (specials.any()) return special_result(arithmetic, d, specials);
  if (sum.is_zero()) return both_minus ? d.sign_bit() : 0;
  return spec::encode(d, sum.exact(), Rounding::nearest_even, spec::Overflow::ieee);
}

uint64_t fused_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot, DotSteps* steps) {
  const bool inside = arithmetic.accumulator == AccumulatorPlace::inside;
  uint64_t running = inside ? dot.c : 0;
  int scale_input_d = inside ? dot.scale_input_d : 0;
  for (const std::vector<int>& block : blocks_of(arithmetic, types.k)) {
    Specials specials;
    std::vector<Term> terms{accumulator_term(arithmetic, *types.d, running, scale_input_d, specials)};
    if (arithmetic.scheme == Scheme::grouped) {
      for (size_t i = 0; i < block.size(); i += static_cast<size_t>(arithmetic.group_terms))
        terms.push_back(group_term(arithmetic, types, dot, block[i], specials));
    } else {
      for (const int k : block) terms.push_back(product_term(arithmetic, types, dot, k, specials));
    }
    BlockSteps* const block_steps = steps == nullptr ? nullptr : &steps->blocks.emplace_back();
    running = specials.any() ? special_result(arithmetic, *types.d, specials)
                             : fused_sum(arithmetic, *types.d, terms, block_steps);
    if (block_steps != nullptr) block_steps->is_special = specials.any(), block_steps->result = running;
    scale_input_d = 0;
  }
  return inside ? running : ieee_add(arithmetic, *types.d, running, dot.c);
}

uint64_t integer_sum(const Arithmetic& arithmetic, const Types& types, const Dyadic& sum) {
  if (arithmetic.saturates)
    return spec::encode(*types.d, sum.exact(), Rounding::toward_zero, spec::Overflow::saturate);
  const uint64_t magnitude = sum.significand.low_word();
  return (sum.is_negative() ? ~magnitude + 1 : magnitude) & types.d->code_mask();
}

uint64_t integer_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot, DotSteps* steps) {
  BlockSteps block;
  const auto add = [&](int k, const Dyadic& term) {
    block.sum = block.sum + term;
    block.terms.push_back({k, 0, term, term});
  };
  add(-1, Dyadic::of(spec::decode(*types.d, dot.c)));
  for (int k = 0; k < types.k; ++k)
    add(k, Dyadic::of(spec::decode(*types.a, dot.a[k])) * Dyadic::of(spec::decode(*types.b, dot.b[k])));
  block.result = integer_sum(arithmetic, types, block.sum);
  if (steps != nullptr) steps->blocks.push_back(block);
  return block.result;
}

/// d = b * a + d, one rounding. The NaN that comes out is the first NaN among b, d, a, made quiet.
uint64_t multiply_add_step(const Format& f, uint64_t a_code, uint64_t b_code, uint64_t d_code,
                           uint64_t invalid) {
  const Value a = spec::decode(f, a_code), b = spec::decode(f, b_code), d = spec::decode(f, d_code);
  const uint64_t quiet = uint64_t{1} << (f.mantissa_bits - 1);
  if (b.kind == ValueClass::nan) return b_code | quiet;
  if (d.kind == ValueClass::nan) return d_code | quiet;
  if (a.kind == ValueClass::nan) return a_code | quiet;
  const bool negative = a.negative != b.negative;
  const bool infinite = a.kind == ValueClass::infinity || b.kind == ValueClass::infinity;
  if (infinite && (a.kind == ValueClass::zero || b.kind == ValueClass::zero)) return invalid;
  if (infinite && d.kind == ValueClass::infinity && d.negative != negative) return invalid;
  if (infinite) return f.infinity() | (negative ? f.sign_bit() : 0);
  if (d.kind == ValueClass::infinity) return d_code;
  const Dyadic sum = Dyadic::of(a) * Dyadic::of(b) + Dyadic::of(d);
  const bool both_minus = negative && d.negative;
  if (sum.is_zero()) return both_minus ? f.sign_bit() : 0;
  return spec::encode(f, sum.exact(), Rounding::nearest_even, spec::Overflow::ieee);
}

/// `steps`: null where nobody asks.
uint64_t any_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot, DotSteps* steps) {
  if (arithmetic.scheme == Scheme::integer) return integer_dot(arithmetic, types, dot, steps);
  if (arithmetic.scheme != Scheme::chain) return fused_dot(arithmetic, types, dot, steps);
  uint64_t d = dot.c;
  for (int k = 0; k < types.k; ++k) d = multiply_add_step(*types.d, dot.a[k], dot.b[k], d, arithmetic.nan);
  return d;
}

}  // namespace

bool TermStep::is_cut() const {
  return !(exact + Dyadic{-aligned.significand, aligned.exponent}).is_zero();
}

uint64_t exact_dot(const Arithmetic& arithmetic, const Types& types, const Dot& dot) {
  return any_dot(arithmetic, types, dot, nullptr);
}

DotSteps exact_steps(const Arithmetic& arithmetic, const Types& types, const Dot& dot) {
  DotSteps steps;
  steps.result = any_dot(arithmetic, types, dot, &steps);
  return steps;
}

}  // namespace assay::numerics
