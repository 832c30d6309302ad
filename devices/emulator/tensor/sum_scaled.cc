// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fragment.h"

// Products with scale factors (mma-sim, sections on Blackwell). With u = 2^(E - F) as in sum_block():
//
//   kind::mxf8f6f4   every product has the exponents of its pair of scales on top of its own
//   mxf4, mxf4nvf4   products of a group are added exactly; a group counts with the exponents of its scales
namespace assay::emulator {
namespace {

using spec::Format;

/// A matrix as its elements, and the scale of each of their blocks.
struct ScaledSide {
  std::vector<Element> elements, scales;
  std::vector<int32_t>
      units;  ///< where groups are added: elements in units of A's lowest exponent, of e2m1 1/2
  uint32_t k = 0, blocks = 0;
};

/// A row of A or a column of B.
struct Line {
  const Element *elements, *scales;
  const int32_t* units;
};
Line line_of(const ScaledSide& side, uint32_t i) {
  const size_t first = static_cast<size_t>(i) * side.k;
  return {&side.elements[first], &side.scales[static_cast<size_t>(i) * side.blocks],
          side.units.empty() ? nullptr : &side.units[first]};
}

Element read_scale(const Format& format, uint8_t code, AdderRules::ScaleBit7 bit_7) {
  Element scale = read_element(format, format.name == "ue4m3" ? code & 0x7fu : code);
  if (format.name != "ue4m3" || code < 0x80) return scale;
  if (bit_7 == AdderRules::ScaleBit7::negates) scale.negative = true;
  if (bit_7 == AdderRules::ScaleBit7::makes_nan) scale.kind = spec::ValueClass::nan;
  return scale;
}

Element read_operand(const Format& format, const AdderRules& rules, bool is_negated, uint32_t code) {
  Element x = read_element(format, code);
  x.negative ^= is_negated;
  if (x.is_zero()) x.significand = 0;
  if (x.kind != spec::ValueClass::subnormal) return x;
  if (rules.flushes_subnormals) x.kind = spec::ValueClass::zero, x.significand = 0;
  if (format.storage_bits <= rules.normalised_bits)
    x.alignment = x.lowest + 31 - std::countl_zero(x.significand);
  return x;
}

int lowest_exponent(const Format& format) {
  return format.emin() - format.mantissa_bits;
}

ScaledSide read_side(const TileProduct& p, const AdderRules& rules, bool is_a) {
  const Format& format = is_a ? *p.a_format : *p.b_format;
  const uint32_t rows = is_a ? p.m : p.n;
  const std::span<const uint32_t> codes = is_a ? p.a : p.b;
  const std::span<const uint8_t> scales = is_a ? p.a_scales : p.b_scales;
  ScaledSide side;
  side.k = p.k, side.blocks = p.k / p.scale_block;
  // Types of block-scaled products have at most 8 bits: each code is read once.
  const auto mask = static_cast<uint32_t>(format.code_mask());
  std::vector<Element> of_code(mask + 1);
  for (uint32_t code = 0; code <= mask; ++code)
    of_code[code] = read_operand(format, rules, is_a ? p.negate_a : p.negate_b, code);
  side.elements.resize(static_cast<size_t>(rows) * p.k);
  for (size_t i = 0; i < side.elements.size(); ++i) side.elements[i] = of_code[codes[i] & mask];
  if (p.adds_groups) {
    std::vector<int32_t> units(mask + 1);
    for (uint32_t code = 0; code <= mask; ++code) {
      const Element& x = of_code[code];
      const int up = x.lowest - lowest_exponent(*p.a_format);
      const auto magnitude = static_cast<int32_t>(x.significand == 0 ? 0 : x.significand << up);
      units[code] = x.negative ? -magnitude : magnitude;
    }
    side.units.resize(side.elements.size());
    for (size_t i = 0; i < side.units.size(); ++i) side.units[i] = units[codes[i] & mask];
  }
  for (size_t i = 0; i < static_cast<size_t>(rows) * side.blocks; ++i)
    side.scales.push_back(read_scale(*p.scale_format, scales[i], rules.scale_bit_7));
  return side;
}

/// One number of the sum, exactly: significand * 2^lowest.
struct Summand {
  int64_t significand;
  int lowest, alignment;
};

struct Sum {
  Summand summands[98];
  uint32_t count = 0;
  int largest;
  bool all_zero = true;        ///< products, scales included
  bool all_minus_zero = true;  ///< products; asked only where the sign of a zero hangs on it
  bool is_nan = false, is_plus = false, is_minus = false;

  void add(const Summand& s) {
    summands[count++] = s;
    largest = std::max(largest, s.alignment);
  }
};

int64_t in_units(const Summand& s, int unit, bool truncates) {
  const int shift = s.lowest - unit;
  const bool negative = s.significand < 0;
  const uint64_t magnitude =
      negative ? uint64_t{0} - static_cast<uint64_t>(s.significand) : static_cast<uint64_t>(s.significand);
  uint64_t units = 0;
  if (shift >= 0) {
    units = magnitude << shift;
  } else if (shift > -62) {
    units = magnitude >> -shift;
    const uint64_t rest = magnitude & ((uint64_t{1} << -shift) - 1), half = uint64_t{1} << (-shift - 1);
    if (!truncates && (rest > half || (rest == half && units & 1))) ++units;
  }
  return negative ? -static_cast<int64_t>(units) : static_cast<int64_t>(units);
}

/// Products [first, end) of a row and a column, one by one.
void add_products(const TileProduct& p, const AdderRules& rules, const Line& a, const Line& b, uint32_t first,
                  uint32_t end, Sum& sum) {
  for (uint32_t i = first; i < end;) {
    const uint32_t block = i / p.scale_block, block_end = std::min(end, (block + 1) * p.scale_block);
    const Element &sx = a.scales[block], &sy = b.scales[block];
    sum.is_nan |= sx.is_nan() || sy.is_nan();
    const bool scale_is_negative = sx.negative ^ sy.negative;
    const int scale = sx.alignment + sy.alignment, lowest = sx.lowest + sy.lowest;
    const int64_t significand = int64_t{sx.significand} * sy.significand;
    for (; i < block_end; ++i) {
      const Element &x = a.elements[i], &y = b.elements[i];
      const bool negative = x.negative ^ y.negative ^ scale_is_negative;
      if (x.is_nan() || y.is_nan()) sum.is_nan = true;
      if (x.is_infinite() || y.is_infinite()) {
        if (x.is_zero() || y.is_zero()) sum.is_nan = true;
        (negative ? sum.is_minus : sum.is_plus) = true;
        continue;
      }
      if (x.is_zero() || y.is_zero()) {
        sum.all_minus_zero &= negative;
        if (rules.zeros_have_exponents)
          sum.largest = std::max(
              sum.largest, (x.is_zero() ? -126 : x.alignment) + (y.is_zero() ? -126 : y.alignment) + scale);
        continue;
      }
      sum.all_zero = sum.all_minus_zero = false;
      const int64_t product = significand * x.significand * y.significand;
      sum.add(
          {negative ? -product : product, x.lowest + y.lowest + lowest, x.alignment + y.alignment + scale});
    }
  }
}

bool are_minus_zero(const Line& a, const Line& b, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; ++i) {
    const Element &x = a.elements[i], &y = b.elements[i];
    if (!(x.is_zero() || y.is_zero()) || x.negative == y.negative) return false;
  }
  return true;
}

/// Groups of products.
void add_groups(const TileProduct& p, const AdderRules& rules, const Line& a, const Line& b, uint32_t first,
                uint32_t end, Sum& sum) {
  sum.all_minus_zero &=
      rules.zero_sign == AdderRules::ZeroSign::minus_when_all_are && are_minus_zero(a, b, first, end);
  for (uint32_t begin = first; begin < end; begin += rules.group) {
    const Element &sx = a.scales[begin / p.scale_block], &sy = b.scales[begin / p.scale_block];
    if (sx.is_nan() || sy.is_nan()) sum.is_nan = true;
    int32_t in_all = 0, any = 0;
    for (uint32_t i = begin; i < std::min(end, begin + rules.group); ++i) {
      const int32_t product = a.units[i] * b.units[i];
      in_all += product;
      any |= product;
    }
    int64_t total = in_all;
    const bool is_live = any != 0 && !sx.is_zero() && !sy.is_zero();
    const int alignment = sx.alignment + sy.alignment;
    if (!is_live) {
      if (rules.zeros_have_exponents) sum.largest = std::max(sum.largest, alignment);
      continue;
    }
    sum.all_zero = false;
    total *= int64_t{sx.significand} * sy.significand;
    sum.add({sx.negative != sy.negative ? -total : total,
             2 * lowest_exponent(*p.a_format) + sx.lowest + sy.lowest, alignment});
  }
}

uint32_t finish(const AdderRules& rules, const Format& d, const Element& c, Sum& sum) {
  const auto sign = static_cast<uint32_t>(d.sign_bit());
  sum.is_nan |= c.is_nan();
  if (c.is_infinite()) (c.negative ? sum.is_minus : sum.is_plus) = true;
  if (!sum.is_nan && sum.is_plus && sum.is_minus && rules.cancels_infinities) return 0;
  if (sum.is_nan || (sum.is_plus && sum.is_minus)) return static_cast<uint32_t>(d.canonical_nan());
  if (sum.is_plus || sum.is_minus) return static_cast<uint32_t>(d.infinity()) | (sum.is_minus ? sign : 0);
  if (!c.is_zero())
    sum.add({c.negative ? -int64_t{c.significand} : int64_t{c.significand}, c.lowest, c.alignment});
  const int unit = sum.largest - rules.kept_bits;
  int64_t total = 0;
  for (uint32_t i = 0; i < sum.count; ++i) total += in_units(sum.summands[i], unit, rules.truncates_terms);
  if (total != 0) return round_sum(d, rules, total, unit);
  const bool c_is_minus_zero = c.is_zero() && c.negative;
  if (c_is_minus_zero && sum.all_zero && rules.keeps_minus_zero) return sign;
  return c_is_minus_zero && sum.all_minus_zero && rules.zero_sign == AdderRules::ZeroSign::minus_when_all_are
             ? sign
             : 0;
}

/// Scales that are powers of two, as exponents.
std::vector<int32_t> exponents_of(const Format& format, std::span<const uint8_t> codes, size_t count) {
  std::vector<int32_t> made(count);
  for (size_t i = 0; i < count; ++i) {
    const Element scale = read_element(format, codes[i]);
    made[i] = scale.is_nan() ? Block::nan_scale : scale.alignment;
  }
  return made;
}

bool is_regular(const TileProduct& p, const AdderRules& rules) {
  return !p.adds_groups && p.scale_format->mantissa_bits == 0 && rules.fits_fast(p.k) &&
         rules.products >= p.k && rules.fused >= p.k && !rules.keeps_minus_zero &&
         rules.adds_c == AdderRules::AddsC::inside;
}

void sum_regular(const TileProduct& p, const AdderRules& rules) {
  const size_t scales = p.k / p.scale_block;
  const std::vector<int32_t> a = exponents_of(*p.scale_format, p.a_scales, p.m * scales),
                             b = exponents_of(*p.scale_format, p.b_scales, p.n * scales);
  sum_block_fast({.a_format = p.a_format,
                  .b_format = p.b_format,
                  .d_format = p.d_format,
                  .m = p.m,
                  .n = p.n,
                  .k = p.k,
                  .negate_a = p.negate_a,
                  .negate_b = p.negate_b,
                  .reads_c = p.reads_c,
                  .scale_input_d = 0,
                  .a = p.a.data(),
                  .b = p.b.data(),
                  .d = p.d.data(),
                  .a_scales = a.data(),
                  .b_scales = b.data(),
                  .scale_block = p.scale_block},
                 rules);
}

}  // namespace

void sum_scaled(const TileProduct& p, const AdderRules& rules) {
  if (is_regular(p, rules)) return sum_regular(p, rules);
  const ScaledSide a = read_side(p, rules, true), b = read_side(p, rules, false);
  const uint32_t products = std::min(rules.products, p.k);
  const auto add = p.adds_groups ? add_groups : add_products;
  const bool c_alone = rules.adds_c == AdderRules::AddsC::first,
             c_last = rules.adds_c == AdderRules::AddsC::last;
  const uint32_t least = p.adds_groups ? rules.group : 1;
  for (uint32_t row = 0; row < p.m; ++row)
    for (uint32_t column = 0; column < p.n; ++column) {
      uint32_t& d = p.d[static_cast<size_t>(row) * p.n + column];
      const uint32_t before = p.reads_c ? d : 0;
      uint32_t running = c_last ? 0 : before;
      for (uint32_t first = 0; first < products;) {
        const uint32_t end = std::min(products, first + (c_alone && first == 0 ? least : rules.fused));
        Sum sum;
        sum.largest = rules.lowest_exponent;
        add(p, rules, line_of(a, row), line_of(b, column), first, end, sum);
        running = finish(rules, *p.d_format, read_element(*p.d_format, running), sum);
        first = end;
      }
      if (c_last && p.reads_c)
        running = std::bit_cast<uint32_t>(std::bit_cast<float>(running) + std::bit_cast<float>(before));
      d = running;
    }
}

}  // namespace assay::emulator
