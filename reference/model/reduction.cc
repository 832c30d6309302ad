// SPDX-License-Identifier: Apache-2.0
#include "reference/model/reduction.h"

#include <algorithm>
#include <cassert>

namespace assay::model {
namespace {

using spec::ReduceOp;
using spec::ReduceType;
using spec::Reduction;

/// A binary floating-point format, by its fields.
struct FloatFormat {
  int exponent_bits, fraction_bits;

  constexpr int width() const { return 1 + exponent_bits + fraction_bits; }
  constexpr uint64_t sign_bit() const { return uint64_t{1} << (width() - 1); }
  constexpr uint64_t top_exponent() const { return (uint64_t{1} << exponent_bits) - 1; }
  constexpr uint64_t infinity() const { return top_exponent() << fraction_bits; }
  constexpr uint64_t magnitude(uint64_t bits) const { return bits & (sign_bit() - 1); }
  constexpr bool is_nan(uint64_t bits) const { return magnitude(bits) > infinity(); }
  constexpr bool is_infinite(uint64_t bits) const { return magnitude(bits) == infinity(); }
  constexpr bool is_subnormal(uint64_t bits) const { return magnitude(bits) >> fraction_bits == 0; }
};
constexpr FloatFormat f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52};

/// Every operation of a format is compiled with its widths as constants.
#define OF_FORMAT [[gnu::always_inline]] inline

/// A finite number without its sign: significand * 2^exponent, the exponent counted from the format's least.
struct Number {
  uint64_t significand;
  int exponent;
};
OF_FORMAT Number number_of(const FloatFormat& format, uint64_t bits) {
  const uint64_t magnitude = format.magnitude(bits);
  const auto exponent = static_cast<int>(magnitude >> format.fraction_bits);
  const uint64_t fraction = magnitude & ((uint64_t{1} << format.fraction_bits) - 1);
  if (exponent == 0) return {fraction, 0};
  return {fraction | uint64_t{1} << format.fraction_bits, exponent - 1};
}

using Wide = unsigned __int128;
int width_of(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(value));
}

/// The sum of finite numbers of these signs, rounded once to nearest even. More than `room` binary places
/// below the larger operand only whether anything is there can matter.
OF_FORMAT uint64_t finite_sum(const FloatFormat& format, uint64_t a, uint64_t b) {
  Number large = number_of(format, a), small = number_of(format, b);
  bool large_is_negative = (a & format.sign_bit()) != 0, small_is_negative = (b & format.sign_bit()) != 0;
  if (large.exponent < small.exponent) {
    std::swap(large, small);
    std::swap(large_is_negative, small_is_negative);
  }
  constexpr int room = 64;
  const int apart = large.exponent - small.exponent, shift = std::min(apart, room);
  const Wide high = Wide{large.significand} << shift;
  Wide low = small.significand;
  if (apart > room) low = small.significand != 0 ? 1 : 0;
  const int exponent = large.exponent - shift;  // of the last place of both
  const bool subtracts = large_is_negative != small_is_negative;
  const bool is_turned = subtracts && low > high;
  Wide sum = subtracts ? (is_turned ? low - high : high - low) : high + low;
  const bool is_negative = is_turned ? small_is_negative : large_is_negative;
  if (sum == 0) return subtracts ? 0 : is_negative ? format.sign_bit() : 0;
  const uint64_t sign = is_negative ? format.sign_bit() : 0;
  // Places that do not fit; never below the least exponent, where the significand may stay short.
  const int dropped = std::max(width_of(sum) - (format.fraction_bits + 1), -exponent);
  if (dropped > 0) {
    const Wide half = Wide{1} << (dropped - 1), rest = sum & ((Wide{1} << dropped) - 1);
    sum >>= dropped;
    if (rest > half || (rest == half && (sum & 1) != 0)) ++sum;
  } else {
    sum <<= -dropped;
  }
  // The encoding counts on by itself where rounding carries into the next binade, or out of the subnormals.
  const int place = exponent + dropped;
  const auto significand = static_cast<uint64_t>(sum);
  const uint64_t hidden = uint64_t{1} << format.fraction_bits;
  const uint64_t magnitude = significand < hidden
                                 ? significand
                                 : (static_cast<uint64_t>(place) << format.fraction_bits) + significand;
  return sign | std::min(magnitude, format.infinity());
}

OF_FORMAT uint64_t all_ones_nan(const FloatFormat& format) {
  return format.sign_bit() - 1;
}

OF_FORMAT uint64_t flushed(const FloatFormat& format, uint64_t bits) {
  return format.is_subnormal(bits) ? bits & format.sign_bit() : bits;
}

OF_FORMAT uint64_t sum(const FloatFormat& format, uint64_t old, uint64_t operand) {
  const bool keeps_nan = format.width() == 64;
  if (format.is_nan(operand)) return keeps_nan ? operand : all_ones_nan(format);
  if (format.is_nan(old)) return keeps_nan ? old : all_ones_nan(format);
  if (format.is_infinite(old) || format.is_infinite(operand)) {
    if (format.is_infinite(old) && format.is_infinite(operand) && old != operand)
      return keeps_nan ? format.sign_bit() | format.infinity() | uint64_t{1} << (format.fraction_bits - 1)
                       : all_ones_nan(format);
    return format.is_infinite(old) ? old : operand;
  }
  return finite_sum(format, old, operand);
}

/// Rises with the number that the bits stand for, -0 below +0.
OF_FORMAT int64_t order_of(const FloatFormat& format, uint64_t bits) {
  const auto magnitude = static_cast<int64_t>(format.magnitude(bits));
  return (bits & format.sign_bit()) != 0 ? -1 - magnitude : magnitude;
}
OF_FORMAT uint64_t extreme(const FloatFormat& format, bool wants_less, uint64_t old, uint64_t operand) {
  const bool old_is_nan = format.is_nan(old), operand_is_nan = format.is_nan(operand);
  if (old_is_nan && operand_is_nan) return all_ones_nan(format);
  if (old_is_nan) return operand;
  if (operand_is_nan) return old;
  return (order_of(format, old) < order_of(format, operand)) == wants_less ? old : operand;
}

OF_FORMAT uint64_t of_floats(const FloatFormat& format, ReduceOp op, uint64_t old, uint64_t operand) {
  return op == ReduceOp::add ? sum(format, old, operand) : extreme(format, op == ReduceOp::min, old, operand);
}

#undef OF_FORMAT

uint64_t of_integers(ReduceOp op, int bits, bool is_signed, uint64_t old, uint64_t operand) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  // Signed order is unsigned order with the sign bits turned round.
  const uint64_t turn = is_signed ? uint64_t{1} << (bits - 1) : 0;
  const bool old_is_less = (old ^ turn) < (operand ^ turn);
  switch (op) {
    case ReduceOp::add:
      return (old + operand) & mask;
    case ReduceOp::min:
      return old_is_less ? old : operand;
    case ReduceOp::max:
      return old_is_less ? operand : old;
    case ReduceOp::inc:
      return old >= operand ? 0 : old + 1;
    case ReduceOp::dec:
      return old == 0 || old > operand ? operand : old - 1;
    case ReduceOp::bit_and:
      return old & operand;
    case ReduceOp::bit_or:
      return old | operand;
    case ReduceOp::bit_xor:
      return old ^ operand;
  }
  return old;
}

}  // namespace

uint64_t reduced(const Reduction& r, uint64_t old, uint64_t operand) {
  switch (r.type) {
    case ReduceType::f16:
      return of_floats(f16, r.op, old, operand);
    case ReduceType::bf16:
      return of_floats(bf16, r.op, old, operand);
    case ReduceType::f32:
      return of_floats(f32, r.op, old, operand);
    case ReduceType::f64:
      return of_floats(f64, r.op, old, operand);
    case ReduceType::f32_ftz:
      return flushed(f32, of_floats(f32, r.op, flushed(f32, old), flushed(f32, operand)));
    default:
      return of_integers(r.op, static_cast<int>(8 * spec::bytes_of(r.type)),
                         r.type == ReduceType::s32 || r.type == ReduceType::s64, old, operand);
  }
}

bool is_order_dependent(const Reduction& r) {
  if (r.op == ReduceOp::inc || r.op == ReduceOp::dec) return true;
  const bool is_float = r.type == ReduceType::f16 || r.type == ReduceType::bf16 ||
                        r.type == ReduceType::f32 || r.type == ReduceType::f32_ftz ||
                        r.type == ReduceType::f64;
  return r.op == ReduceOp::add && is_float;
}

namespace {

template <typename Step>
std::vector<uint64_t> in_any_order(uint64_t old, std::span<const uint64_t> operands, const Step& step) {
  assert(operands.size() <= most_orders_of);
  // What may stand there once the operands of a set have been taken: from every set that lacks one of them.
  thread_local std::vector<std::vector<uint64_t>> after;
  const size_t sets = size_t{1} << operands.size();
  if (after.size() < sets) after.resize(sets);
  after[0] = {old};
  for (size_t taken = 1; taken < sets; ++taken) {
    std::vector<uint64_t>& values = after[taken];
    values.clear();
    for (size_t last = 0; last < operands.size(); ++last)
      if (taken >> last & 1)
        for (const uint64_t before : after[taken & ~(size_t{1} << last)])
          values.push_back(step(before, operands[last]));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return after[sets - 1];
}

}  // namespace

std::vector<uint64_t> reduced_in_any_order(const Reduction& r, uint64_t old,
                                           std::span<const uint64_t> operands) {
  return in_any_order(old, operands,
                      [&](uint64_t before, uint64_t operand) { return reduced(r, before, operand); });
}
std::vector<uint64_t> reduced_in_any_order(const Reduction& r, uint64_t old,
                                           std::span<const uint64_t> operands,
                                           const spec::Readings& readings) {
  return in_any_order(old, operands, [&](uint64_t before, uint64_t operand) {
    return bent_reduction(r, before, operand, readings);
  });
}

}  // namespace assay::model
