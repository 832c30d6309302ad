// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

// cvt to and from pairs and quadruples of narrow floats, and to tf32.
namespace assay::emulator::alu {
namespace {

/// A narrow element format: magnitudes up to `largest` are finite; `nan` is the NaN a conversion makes, or -1
/// where the format has none. Codes above `largest` are infinity (if `infinity` says so) and NaNs.
struct Element {
  int bits, exponent_bits, fraction_bits;
  uint32_t largest;
  int infinity, nan;

  constexpr bool operator==(const Element&) const = default;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};
// ptx, alternate floating-point data formats.
inline constexpr Element f16_element{16, 5, 10, 0x7bff, 0x7c00, 0x7fff},
    bf16_element{16, 8, 7, 0x7f7f, 0x7f80, 0x7fff}, e5m2{8, 5, 2, 0x7b, 0x7c, 0x7f},
    e4m3{8, 4, 3, 0x7e, -1, 0x7f}, e3m2{8, 3, 2, 0x1f, -1, -1}, e2m3{8, 2, 3, 0x1f, -1, -1},
    e2m1{4, 2, 1, 0x7, -1, -1};

struct Mode {
  Rounding rounding;
  bool relu, satfinite;
};

/// .relu clamps below at +0. .satfinite keeps what is too large at the largest value; a NaN stays NaN, or is
/// the largest positive value where the format has none (ptx, cvt).
uint32_t narrow(const Element& to, const Number& number, const Mode& mode, uint32_t random = 0,
                int random_bits = 0) {
  if (number.kind == Number::nan) return to.nan >= 0 ? static_cast<uint32_t>(to.nan) : to.largest;
  if (mode.relu && number.negative) return 0;
  const uint32_t sign = number.negative ? to.sign() : 0;
  const bool is_infinite = number.kind == Number::infinite;
  const uint64_t magnitude = is_infinite ? ~uint64_t{0}
                                         : rounded_magnitude(to.bias(), to.fraction_bits, number,
                                                             mode.rounding, random, random_bits);
  if (magnitude <= to.largest) return sign | static_cast<uint32_t>(magnitude);
  const bool stays = mode.satfinite || (mode.rounding == Rounding::rz && !is_infinite);
  return sign | (stays || to.infinity < 0 ? to.largest : static_cast<uint32_t>(to.infinity));
}

Number widen(const Element& from, uint32_t bits) {
  const uint32_t magnitude = bits & (from.sign() - 1);
  if (magnitude > from.largest) {
    Number number;
    number.negative = (bits & from.sign()) != 0;
    number.kind = static_cast<int>(magnitude) == from.infinity ? Number::infinite : Number::nan;
    return number;
  }
  Number number = unpack(Format{from.exponent_bits + 1, from.fraction_bits}, magnitude);
  // One more exponent bit keeps the top exponent finite; its bias is larger by half the range.
  number.exponent += 1 << (from.exponent_bits - 1);
  number.negative = (bits & from.sign()) != 0;
  return number;
}

template <Element to, Mode mode>
uint32_t from_floats(uint32_t a, uint32_t b) {
  if constexpr (mode.rounding == Rounding::rn && !mode.relu && !mode.satfinite) {
    if constexpr (to == f16_element)
      return uint32_t{float_to_f16(value_of<float>(a))} << 16 | float_to_f16(value_of<float>(b));
    if constexpr (to == bf16_element)
      return uint32_t{float_to_bf16(value_of<float>(a))} << 16 | float_to_bf16(value_of<float>(b));
  }
  return narrow(to, unpack(f32_format, a), mode) << to.bits | narrow(to, unpack(f32_format, b), mode);
}
template <Element to, Mode mode>
uint32_t from_halves(uint32_t a) {
  return narrow(to, unpack(f16_format, a >> 16), mode) << to.bits |
         narrow(to, unpack(f16_format, a & 0xffff), mode);
}
template <Element from, Mode mode>
uint32_t to_halves(uint32_t a) {
  constexpr uint32_t all = (1u << from.bits) - 1;
  static const std::array<uint16_t, all + 1> half_of = [] {
    std::array<uint16_t, all + 1> table;
    for (uint32_t code = 0; code <= all; ++code)
      table[code] = static_cast<uint16_t>(narrow(f16_element, widen(from, code), mode));
    return table;
  }();
  return uint32_t{half_of[a >> from.bits & all]} << 16 | half_of[a & all];
}

// Random bits: 13 or 16 of each half of rbits for the two halves of the result (ptx, cvt). The document says
// how many there are and not where they are added: their top meets the top of what rounding drops.
template <Element to, Mode mode>
uint32_t from_floats_random(uint32_t a, uint32_t b, uint32_t random) {
  constexpr int kept = to == f16_element ? 13 : 16;
  constexpr uint32_t mask = (1u << kept) - 1;
  return narrow(to, unpack(f32_format, a), mode, random >> 16 & mask, kept) << to.bits |
         narrow(to, unpack(f32_format, b), mode, random & mask, kept);
}

constexpr uint32_t reversed_16(uint32_t bits) {
  uint32_t made = 0;
  for (int i = 0; i < 16; ++i) made |= (bits >> i & 1) << (15 - i);
  return made;
}

/// Two values of four share 16 random bits: the lower one takes them as they are, the upper one from the last
/// to the first. What was published of sm_100a is of e4m3x4 (flashinfer, mamba/conversion.cuh: software and
/// hardware alike in 3 x 65,520 values); the document has one rule for the formats of 8 and of 6 bits.
template <Element to, Mode mode>
uint32_t from_four_random(uint32_t a, uint32_t b, uint32_t e, uint32_t f, uint32_t random) {
  const auto one = [](uint32_t value, uint32_t bits) {
    return narrow(to, unpack(f32_format, value), mode, bits, 16);
  };
  const uint32_t upper = random >> 16, lower = random & 0xffff;
  return one(a, reversed_16(upper)) << 3 * to.bits | one(b, upper) << 2 * to.bits |
         one(e, reversed_16(lower)) << to.bits | one(f, lower);
}

/// The same to e2m1, a byte of the random bits each: of a and b the upper byte of each half, of e and f the
/// lower one.
template <Mode mode>
uint32_t from_four_by_halves(uint32_t a, uint32_t b, uint32_t e, uint32_t f, uint32_t random) {
  const auto one = [&](uint32_t value, int from) {
    return narrow(e2m1, unpack(f32_format, value), mode, random >> from & 0xff, 8);
  };
  return one(a, 24) << 12 | one(b, 8) << 8 | one(e, 16) << 4 | one(f, 0);
}
/// Or the bytes in the order of the operands, each with half of its last place more (CVT-AMB-01).
template <Mode mode>
uint32_t from_four_in_order(uint32_t a, uint32_t b, uint32_t e, uint32_t f, uint32_t random) {
  const auto one = [&](uint32_t value, int from) {
    return narrow(e2m1, unpack(f32_format, value), mode, 2 * (random >> from & 0xff) + 1, 9);
  };
  return one(a, 0) << 12 | one(b, 8) << 8 | one(e, 16) << 4 | one(f, 24);
}

// ue8m0 is an exponent without sign: 2^(code - 127), 0xff is NaN. Rounding is of the magnitude, and not up
// from at most 2^-127, the least there is (cutlass's type and cuda_fp8.h agree on it).
template <bool up, bool satfinite>
uint32_t exponent_of(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000u) return 0xff;
  uint32_t code = magnitude >> 23;
  if (up && (magnitude & 0x7fffff) != 0 && magnitude > 0x00400000u) ++code;
  return satfinite && code == 0xff ? 0xfe : code;
}
template <bool up, bool satfinite>
uint32_t exponents_of_floats(uint32_t a, uint32_t b) {
  return exponent_of<up, satfinite>(a) << 8 | exponent_of<up, satfinite>(b);
}
template <bool up, bool satfinite>
uint32_t exponents_of_brains(uint32_t a) {
  return exponents_of_floats<up, satfinite>(a & 0xffff0000u, a << 16);
}
uint32_t power_of_two(uint32_t code) {
  return code == 0xff ? 0x7fff : code == 0 ? 0x40 : code << 7;
}
uint32_t powers_of_two(uint32_t a) {
  return power_of_two(a >> 8 & 0xff) << 16 | power_of_two(a & 0xff);
}

/// A NaN becomes the canonical one of tf32, but with .rna: that adds half of the last place to the bits of a
/// NaN as to those of a number, and .satfinite takes off one place as it does of infinity (h200).
template <Mode mode>
uint32_t nan_to_tf32(uint32_t bits) {
  if (mode.rounding != Rounding::rna) return 0x7fffe000;
  return (mode.satfinite ? bits - 0x2000 : bits + 0x1000) & ~uint32_t{0x1fff};
}

template <Mode mode>
uint32_t to_tf32(uint32_t bits) {
  const Number number = unpack(f32_format, bits);
  if (number.kind == Number::nan) return nan_to_tf32<mode>(bits);
  if (mode.relu && number.negative) return 0;
  uint64_t result = round(tf32_format, number, mode.rounding);
  if (mode.satfinite && tf32_format.is_infinite(result)) --result;
  return static_cast<uint32_t>(result << 13);
}

template <Rounding rounding, class F>
std::optional<LaneForm> with_flags(const Words& w, F f) {
  switch (w.set) {
    case 0:
      return f.template operator()<Mode{rounding, false, false}>();
    case flags(Flag::relu):
      return f.template operator()<Mode{rounding, true, false}>();
    case flags(Flag::satfinite):
      return f.template operator()<Mode{rounding, false, true}>();
    case flags(Flag::relu, Flag::satfinite):
      return f.template operator()<Mode{rounding, true, true}>();
    default:
      return std::nullopt;
  }
}

template <Element to>
std::optional<LaneForm> find_pair(const Words& w) {
  switch (w.rounding) {
    case Rounding::rn:
      return with_flags<Rounding::rn>(w, []<Mode mode>() { return form<&from_floats<to, mode>>(); });
    case Rounding::rz:
      return with_flags<Rounding::rz>(w, []<Mode mode>() { return form<&from_floats<to, mode>>(); });
    case Rounding::rs:
      return with_flags<Rounding::rs>(w, []<Mode mode>() { return form<&from_floats_random<to, mode>>(); });
    default:
      return std::nullopt;
  }
}

/// To a pair of narrow floats: to nearest, always .satfinite.
template <Element to>
std::optional<LaneForm> find_narrow_pair(const Words& w, bool from_f16x2_too) {
  if (w.rounding != Rounding::rn || !w.has(Flag::satfinite)) return std::nullopt;
  return with_flags<Rounding::rn>(w, [&]<Mode mode>() -> std::optional<LaneForm> {
    if (w.types[1] == Type::f32) return form<&from_floats<to, mode>>();
    if (w.types[1] == Type::f16x2 && from_f16x2_too) return form<&from_halves<to, mode>>();
    return std::nullopt;
  });
}
template <Element to>
std::optional<LaneForm> find_four(const Words& w) {
  if (w.types[1] != Type::f32 || w.rounding != Rounding::rs || !w.has(Flag::satfinite)) return std::nullopt;
  return with_flags<Rounding::rs>(w, [&]<Mode mode>() {
    if constexpr (to == e2m1)
      return w.takes_bytes_in_order ? form<&from_four_in_order<mode>>() : form<&from_four_by_halves<mode>>();
    else
      return form<&from_four_random<to, mode>>();
  });
}

std::optional<LaneForm> find_to_f16x2(const Words& w) {
  if (w.types[1] == Type::f32) return find_pair<f16_element>(w);
  if (w.rounding != Rounding::rn || w.has(Flag::satfinite)) return std::nullopt;
  return with_flags<Rounding::rn>(w, [&]<Mode mode>() -> std::optional<LaneForm> {
    switch (w.types[1]) {
      case Type::e4m3x2:
        return form<&to_halves<e4m3, mode>>();
      case Type::e5m2x2:
        return form<&to_halves<e5m2, mode>>();
      case Type::e3m2x2:
        return form<&to_halves<e3m2, mode>>();
      case Type::e2m3x2:
        return form<&to_halves<e2m3, mode>>();
      case Type::e2m1x2:
        return form<&to_halves<e2m1, mode>>();
      default:
        return std::nullopt;
    }
  });
}

std::optional<LaneForm> find_to_ue8m0x2(const Words& w) {
  const bool floats = w.types[1] == Type::f32, up = w.rounding == Rounding::rp, sat = w.has(Flag::satfinite);
  if ((!floats && w.types[1] != Type::bf16x2) || (!up && w.rounding != Rounding::rz)) return std::nullopt;
  if (!w.only(flags(Flag::satfinite))) return std::nullopt;
  if (floats && up)
    return sat ? form<&exponents_of_floats<true, true>>() : form<&exponents_of_floats<true, false>>();
  if (floats)
    return sat ? form<&exponents_of_floats<false, true>>() : form<&exponents_of_floats<false, false>>();
  if (up) return sat ? form<&exponents_of_brains<true, true>>() : form<&exponents_of_brains<true, false>>();
  return sat ? form<&exponents_of_brains<false, true>>() : form<&exponents_of_brains<false, false>>();
}

std::optional<LaneForm> find_to_tf32(const Words& w) {
  if (w.types[1] != Type::f32) return std::nullopt;
  const auto make = []<Mode mode>() { return form<&to_tf32<mode>>(); };
  if (w.rounding == Rounding::rn) return with_flags<Rounding::rn>(w, make);
  if (w.rounding == Rounding::rz) return with_flags<Rounding::rz>(w, make);
  if (w.rounding == Rounding::rna && !w.has(Flag::relu)) return with_flags<Rounding::rna>(w, make);
  return std::nullopt;
}

}  // namespace

std::optional<LaneForm> find_cvt_packed(const Words& w) {
  if (w.type_count != 2) return std::nullopt;
  switch (w.types[0]) {
    case Type::f16x2:
      return find_to_f16x2(w);
    case Type::bf16x2:
      if (w.types[1] == Type::f32) return find_pair<bf16_element>(w);
      if (w.types[1] == Type::ue8m0x2 && w.rounding == Rounding::rn && w.set == 0)
        return form<&powers_of_two>();
      return std::nullopt;
    case Type::e4m3x2:
      return find_narrow_pair<e4m3>(w, true);
    case Type::e5m2x2:
      return find_narrow_pair<e5m2>(w, true);
    case Type::e2m1x2:
      return find_narrow_pair<e2m1>(w, true);
    case Type::e2m3x2:
      return find_narrow_pair<e2m3>(w, false);
    case Type::e3m2x2:
      return find_narrow_pair<e3m2>(w, false);
    case Type::e4m3x4:
      return find_four<e4m3>(w);
    case Type::e5m2x4:
      return find_four<e5m2>(w);
    case Type::e2m1x4:
      return find_four<e2m1>(w);
    case Type::e2m3x4:
      return find_four<e2m3>(w);
    case Type::e3m2x4:
      return find_four<e3m2>(w);
    case Type::ue8m0x2:
      return find_to_ue8m0x2(w);
    case Type::tf32:
      return find_to_tf32(w);
    default:
      return std::nullopt;
  }
}

}  // namespace assay::emulator::alu
