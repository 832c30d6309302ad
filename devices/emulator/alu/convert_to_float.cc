// SPDX-License-Identifier: Apache-2.0

#include "devices/emulator/alu/convert.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

// cvt from an integer or a float to a scalar float.
namespace assay::emulator::alu {
namespace {

struct Mode {
  Rounding rounding = Rounding::none;
  bool ftz = false, sat = false, relu = false, satfinite = false;
};

/// What .ftz, .sat, .relu and .satfinite make of the rounded bits. .sat clamps to [0, 1] with NaN to +0;
/// .relu clamps below at +0; .satfinite keeps infinity and what rounds to it at the largest finite value.
template <Format format, Mode mode>
uint64_t finished(uint64_t bits) {
  constexpr uint64_t one = static_cast<uint64_t>(format.bias()) << format.fraction_bits;
  const bool negative = (bits & format.sign()) != 0;
  if (mode.ftz && format == f32_format) bits = format.flushed(bits);
  if (mode.sat) return format.is_nan(bits) || negative ? 0 : bits > one ? one : bits;
  if (format.is_nan(bits)) return bits;
  if (mode.relu && negative) return 0;
  if (mode.satfinite && format.is_infinite(bits)) return bits - 1;
  return bits;
}

template <Type to, class From, Mode mode>
uint64_t integer_to_float(uint64_t bits) {
  constexpr Format format = format_of(to);
  const From value = value_of<From>(bits);
  uint64_t result;
  if constexpr (to == Type::f32 && mode.rounding == Rounding::rn) {
    result = bits_of(static_cast<float>(value));
  } else if constexpr (to == Type::f64 && mode.rounding == Rounding::rn) {
    result = bits_of(static_cast<double>(value));
  } else {
    const bool negative = std::is_signed_v<From> && value < From{0};
    const auto wide = static_cast<uint64_t>(static_cast<int64_t>(value));
    const uint64_t magnitude = std::is_unsigned_v<From> ? static_cast<uint64_t>(value)
                               : negative               ? 0 - wide
                                                        : wide;
    result = round(format, from_integer(negative, magnitude), mode.rounding);
  }
  return finished<format, mode>(result);
}

/// A NaN between formats: to and from double what fits of sign and payload is kept and becomes quiet, bf16 is
/// widened as it stands, the others are canonical; under .ftz so is a NaN of single precision on either side,
/// but for one made of a double (all of it h200).
template <Format to, Format from, bool ftz>
uint64_t converted_nan(uint64_t bits) {
  if constexpr (to == f32_format && from == bf16_format && !ftz) return bits << 16;
  if constexpr (from == f64_format && to != f64_format) {
    const uint64_t payload = (bits & (from.smallest_normal() - 1)) >> (from.fraction_bits - to.fraction_bits);
    const uint64_t sign = (bits & from.sign()) != 0 ? to.sign() : 0;
    return sign | to.infinity() | to.smallest_normal() >> 1 | payload;
  }
  if constexpr (to == f64_format) {
    if (ftz) bits = from.sign() - 1;
    const uint64_t payload = (bits & (from.smallest_normal() - 1)) << (to.fraction_bits - from.fraction_bits);
    const uint64_t sign = (bits & from.sign()) != 0 ? to.sign() : 0;
    return sign | to.infinity() | to.smallest_normal() >> 1 | payload;
  }
  return to.sign() - 1;
}

template <Type to, Type from, Mode mode>
uint64_t float_to_float(uint64_t bits) {
  constexpr Format target = format_of(to), source = format_of(from);
  bits &= 2 * source.sign() - 1;
  // Narrowed to f16, a subnormal is rounded and not flushed (h200).
  if (mode.ftz && from == Type::f32 && to != Type::f16) bits = source.flushed(bits);
  // A conversion to itself that rounds nothing is a move: a signalling NaN stays one (h200).
  if constexpr (to == from && mode.rounding == Rounding::none && !mode.ftz && !mode.sat &&
                (to == Type::f32 || to == Type::f64))
    return bits;
  if (source.is_nan(bits)) return finished<target, mode>(converted_nan<target, source, mode.ftz>(bits));
  if constexpr (to == from && integral(mode.rounding) == Rounding::none) return finished<target, mode>(bits);
  if constexpr (to == Type::f32 && from == Type::f16)
    return finished<target, mode>(bits_of(f16_to_float(static_cast<uint16_t>(bits))));
  if constexpr (to == Type::f32 && from == Type::bf16) return finished<target, mode>(bits << 16);
  if constexpr (to == Type::f64 && from == Type::f32)
    return finished<target, mode>(bits_of<double>(value_of<float>(bits)));
  if constexpr (mode.rounding == Rounding::rn) {
    if constexpr (to == Type::f16 && from == Type::f32)
      return finished<target, mode>(float_to_f16(value_of<float>(bits)));
    if constexpr (to == Type::bf16 && from == Type::f32)
      return finished<target, mode>(float_to_bf16(value_of<float>(bits)));
    if constexpr (to == Type::f32 && from == Type::f64)
      return finished<target, mode>(bits_of(static_cast<float>(value_of<double>(bits))));
  }
  Number number = unpack(source, bits);
  constexpr Rounding to_integer = integral(mode.rounding);
  if (to_integer != Rounding::none && number.kind == Number::finite && number.exponent < 0) {
    number.significand = integral_magnitude(number, to_integer);
    number.exponent = 0;
  }
  return finished<target, mode>(
      round(target, number, to_integer == Rounding::none ? mode.rounding : Rounding::rn));
}

/// f.operator()<mode>() for a rounding of the list and the flags; the rounding comes first to keep the tree
/// small.
template <Mode base, class F>
std::optional<LaneForm> with_flags(const Words& w, F f) {
  constexpr auto with = [](bool ftz, bool sat, bool relu, bool satfinite) {
    return Mode{base.rounding, ftz, sat, relu, satfinite};
  };
  switch (w.set) {
    case 0:
      return f.template operator()<base>();
    case flags(Flag::ftz):
      return f.template operator()<with(true, false, false, false)>();
    case flags(Flag::sat):
      return f.template operator()<with(false, true, false, false)>();
    case flags(Flag::ftz, Flag::sat):
      return f.template operator()<with(true, true, false, false)>();
    case flags(Flag::relu):
      return f.template operator()<with(false, false, true, false)>();
    case flags(Flag::satfinite):
      return f.template operator()<with(false, false, false, true)>();
    case flags(Flag::relu, Flag::satfinite):
      return f.template operator()<with(false, false, true, true)>();
    default:
      return std::nullopt;
  }
}
template <class F>
std::optional<LaneForm> with_mode(const Words& w, F f) {
  switch (w.rounding) {
    case Rounding::none:
      return with_flags<Mode{Rounding::none}>(w, f);
    case Rounding::rn:
      return with_flags<Mode{Rounding::rn}>(w, f);
    case Rounding::rz:
      return with_flags<Mode{Rounding::rz}>(w, f);
    case Rounding::rm:
      return with_flags<Mode{Rounding::rm}>(w, f);
    case Rounding::rp:
      return with_flags<Mode{Rounding::rp}>(w, f);
    case Rounding::rni:
      return with_flags<Mode{Rounding::rni}>(w, f);
    case Rounding::rzi:
      return with_flags<Mode{Rounding::rzi}>(w, f);
    case Rounding::rmi:
      return with_flags<Mode{Rounding::rmi}>(w, f);
    case Rounding::rpi:
      return with_flags<Mode{Rounding::rpi}>(w, f);
    default:
      return std::nullopt;
  }
}

constexpr bool rounds_values(Rounding r) {
  return r == Rounding::rn || r == Rounding::rz || r == Rounding::rm || r == Rounding::rp;
}

// Integers need a rounding of values. bf16 takes no bytes and no .sat; .ftz is about single precision
// (ptxas).
constexpr bool is_legal_from_integer(Type to, size_t source_bytes, Mode m) {
  if (!rounds_values(m.rounding) || m.relu || m.satfinite) return false;
  if (m.ftz && to != Type::f32) return false;
  return to != Type::bf16 || (source_bytes > 1 && !m.sat);
}

// What ptxas 13.0 takes, which is what the PTX document says of cvt: a conversion that loses precision names
// its rounding, one that does not names none, an equal one may round to an integer. From bf16, and from f16
// to it, a rounding may be there or not; without one it is to nearest.
constexpr bool is_legal_from_float(Type to, Type from, Mode m) {
  const bool single = to == Type::f32 || from == Type::f32, brain = to == Type::bf16 || from == Type::bf16;
  if (m.ftz && !single) return false;
  if (m.relu || m.satfinite)
    return from == Type::f32 && (to == Type::f16 || to == Type::bf16) &&
           (m.rounding == Rounding::rn || m.rounding == Rounding::rz);
  if (brain && m.sat) return false;
  if (to == from) return m.rounding == Rounding::none || integral(m.rounding) != Rounding::none;
  if (from == Type::bf16 || (from == Type::f16 && brain))
    return m.rounding == Rounding::none || rounds_values(m.rounding);
  const bool widens = from == Type::f16 || (from == Type::f32 && to == Type::f64);
  return widens ? m.rounding == Rounding::none : rounds_values(m.rounding);
}

}  // namespace

std::optional<LaneForm> find_cvt_from_integer(const Words& w) {
  if (w.type_count != 2) return std::nullopt;
  return for_float(w.types[0], [&]<Type to>() {
    return for_integer_or_byte(w.types[1], [&]<class From>() {
      return with_mode(w, []<Mode mode>() -> std::optional<LaneForm> {
        if constexpr (is_legal_from_integer(to, sizeof(From), mode))
          return form<&integer_to_float<to, From, mode>>();
        return std::nullopt;
      });
    });
  });
}

std::optional<LaneForm> find_cvt_float(const Words& w) {
  if (w.type_count != 2) return std::nullopt;
  return for_float(w.types[0], [&]<Type to>() {
    return for_float(w.types[1], [&]<Type from>() {
      return with_mode(w, []<Mode mode>() -> std::optional<LaneForm> {
        if constexpr (is_legal_from_float(to, from, mode)) return form<&float_to_float<to, from, mode>>();
        return std::nullopt;
      });
    });
  });
}

}  // namespace assay::emulator::alu
