// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

// min and max of every floating-point type, on the bits (ptx, min and max; half precision min and max).
namespace assay::emulator::alu {
namespace {

enum class Extreme { min, max };
/// What happens to signs: .abs compares magnitudes; .xorsign.abs gives the result the product's sign besides.
enum class Signs { kept, abs, xorsign_abs };

struct Mode {
  Extreme extreme;
  bool ftz, nan_wins;
  Signs signs;
};

/// The canonical NaN up to 32 bits; a double keeps the payload of its second NaN, made quiet (h200).
template <Format format>
uint64_t nan_of(uint64_t a, uint64_t b) {
  if (format != f64_format) return format.sign() - 1;
  return (format.is_nan(b) ? b : a) | format.smallest_normal() >> 1;
}

// Floats order like integers once negative ones are complemented and the sign bit is turned; -0 is below +0.
template <Format format>
uint64_t order(uint64_t bits) {
  constexpr uint64_t all = 2 * format.sign() - 1;
  return (bits & format.sign()) != 0 ? ~bits & all : bits | format.sign();
}

template <Format format, Mode mode>
uint64_t pick(uint64_t a, uint64_t b) {
  const uint64_t product_sign = (a ^ b) & format.sign();
  if (mode.ftz) {
    a = format.flushed(a);
    b = format.flushed(b);
  }
  if (mode.signs != Signs::kept) {
    a &= ~format.sign();
    b &= ~format.sign();
  }
  const bool a_is_nan = format.is_nan(a), b_is_nan = format.is_nan(b);
  if (a_is_nan && b_is_nan) return nan_of<format>(a, b);
  if (mode.nan_wins && (a_is_nan || b_is_nan)) return nan_of<format>(a, b);
  uint64_t picked;
  if (a_is_nan)
    picked = b;
  else if (b_is_nan)
    picked = a;
  else
    picked = (order<format>(a) < order<format>(b)) == (mode.extreme == Extreme::min) ? a : b;
  if (mode.signs == Signs::xorsign_abs) picked = (picked & ~format.sign()) | product_sign;
  return picked;
}

template <Format format, Mode mode>
uint64_t two(uint64_t a, uint64_t b) {
  constexpr uint64_t all = 2 * format.sign() - 1;
  return pick<format, mode>(a & all, b & all);
}
template <Format format, Mode mode>
uint64_t three(uint64_t a, uint64_t b, uint64_t c) {
  return two<format, mode>(two<format, mode>(a, b), c);
}
template <Format format, Mode mode>
uint64_t two_halves(uint64_t a, uint64_t b) {
  return pick<format, mode>(a >> 16 & 0xffff, b >> 16 & 0xffff) << 16 |
         pick<format, mode>(a & 0xffff, b & 0xffff);
}

/// Three operands where the third is given.
template <Format format, Mode mode>
void two_or_three(const LaneArgs& x) {
  if (x.s[2] == nullptr)
    Lanewise<&two<format, mode>>::run(x);
  else
    Lanewise<&three<format, mode>>::run(x);
}

enum class Shape { two, two_or_three, three, halves };

template <Shape shape, Format format, Mode mode>
LaneForm shaped() {
  if constexpr (shape == Shape::halves) return form<&two_halves<format, mode>>();
  if constexpr (shape == Shape::three) return form<&three<format, mode>>();
  if constexpr (shape == Shape::two_or_three) {
    LaneForm form;
    form.op = &two_or_three<format, mode>;
    form.sources = 2;
    form.optional_sources = 1;
    return form;
  }
  return form<&two<format, mode>>();
}
template <Shape shape, Format format, Extreme extreme, Signs signs, bool may_flush>
std::optional<LaneForm> with_flags(const Words& w) {
  const bool nan_wins = w.has(Flag::nan_wins);
  if (w.has(Flag::ftz)) {
    if constexpr (may_flush)
      return nan_wins ? shaped<shape, format, Mode{extreme, true, true, signs}>()
                      : shaped<shape, format, Mode{extreme, true, false, signs}>();
    return std::nullopt;
  }
  return nan_wins ? shaped<shape, format, Mode{extreme, false, true, signs}>()
                  : shaped<shape, format, Mode{extreme, false, false, signs}>();
}

/// The 16-bit types take two operands; .f32 takes a third one unless .xorsign is there, and must with .abs
/// alone.
template <Shape shape, Format format, Extreme extreme, bool may_flush>
std::optional<LaneForm> with_signs(const Words& w) {
  constexpr bool single = format == f32_format;
  const uint64_t signs = w.set & flags(Flag::abs, Flag::xorsign);
  if (signs == 0)
    return with_flags < single ? Shape::two_or_three : shape, format, extreme, Signs::kept, may_flush > (w);
  if (signs == flags(Flag::abs, Flag::xorsign))
    return with_flags<shape, format, extreme, Signs::xorsign_abs, may_flush>(w);
  if constexpr (single)
    if (signs == flags(Flag::abs)) return with_flags<Shape::three, format, extreme, Signs::abs, may_flush>(w);
  return std::nullopt;
}

template <Extreme extreme>
std::optional<LaneForm> find(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none) return std::nullopt;
  if (!w.only(flags(Flag::nan_wins, Flag::xorsign, Flag::abs, Flag::ftz))) return std::nullopt;
  switch (w.types[0]) {
    case Type::f32:
      return with_signs<Shape::two, f32_format, extreme, true>(w);
    case Type::f64:
      if (w.set != 0) return std::nullopt;
      return shaped<Shape::two, f64_format, Mode{extreme, false, false, Signs::kept}>();
    case Type::f16:
      return with_signs<Shape::two, f16_format, extreme, true>(w);
    case Type::f16x2:
      return with_signs<Shape::halves, f16_format, extreme, true>(w);
    case Type::bf16:
      return with_signs<Shape::two, bf16_format, extreme, false>(w);
    case Type::bf16x2:
      return with_signs<Shape::halves, bf16_format, extreme, false>(w);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<LaneForm> find_min_float(const Words& w) {
  return find<Extreme::min>(w);
}
std::optional<LaneForm> find_max_float(const Words& w) {
  return find<Extreme::max>(w);
}

// abs, neg and copysign of every floating-point type. For f32 and the 16-bit types the result for a NaN is an
// unspecified NaN (ptx, abs and neg): an H200 gives the canonical one. A double's NaN keeps sign and payload,
// under abs too, and becomes quiet (h200).

namespace {

enum class Sign { clear, flip };

template <Format format, Sign sign, bool ftz>
uint64_t change(uint64_t bits) {
  if (format.is_nan(bits))
    return format == f64_format ? bits | format.smallest_normal() >> 1 : format.sign() - 1;
  if (ftz) bits = format.flushed(bits);
  return sign == Sign::clear ? bits & ~format.sign() : bits ^ format.sign();
}
template <Format format, Sign sign, bool ftz>
uint64_t one(uint64_t bits) {
  return change<format, sign, ftz>(bits & (2 * format.sign() - 1));
}
template <Format format, Sign sign, bool ftz>
uint64_t both(uint64_t bits) {
  return change<format, sign, ftz>(bits >> 16 & 0xffff) << 16 | change<format, sign, ftz>(bits & 0xffff);
}

template <Sign sign>
std::optional<LaneForm> find(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || !w.only(flags(Flag::ftz))) return std::nullopt;
  if (w.has(Flag::ftz)) switch (w.types[0]) {
      case Type::f32:
        return form<&one<f32_format, sign, true>>();
      case Type::f16:
        return form<&one<f16_format, sign, true>>();
      case Type::f16x2:
        return form<&both<f16_format, sign, true>>();
      default:
        return std::nullopt;
    }
  switch (w.types[0]) {
    case Type::f32:
      return form<&one<f32_format, sign, false>>();
    case Type::f64:
      return form<&one<f64_format, sign, false>>();
    case Type::f16:
      return form<&one<f16_format, sign, false>>();
    case Type::f16x2:
      return form<&both<f16_format, sign, false>>();
    case Type::bf16:
      return form<&one<bf16_format, sign, false>>();
    case Type::bf16x2:
      return form<&both<bf16_format, sign, false>>();
    default:
      return std::nullopt;
  }
}

// The sign of a on the magnitude of b.
template <class U>
U copysign(U a, U b) {
  constexpr U sign = U{1} << (8 * sizeof(U) - 1);
  return (a & sign) | (b & ~sign);
}

}  // namespace

std::optional<LaneForm> find_abs_float(const Words& w) {
  return find<Sign::clear>(w);
}
std::optional<LaneForm> find_neg_float(const Words& w) {
  return find<Sign::flip>(w);
}
std::optional<LaneForm> find_copysign(const Words& w) {
  if (w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  if (w.is(Type::f32)) return form<&copysign<uint32_t>>();
  if (w.is(Type::f64)) return form<&copysign<uint64_t>>();
  return std::nullopt;
}

}  // namespace assay::emulator::alu
