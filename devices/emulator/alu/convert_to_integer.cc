// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "devices/emulator/alu/convert.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

// cvt from a float to an integer: rounded, then clamped to the range of the type, with or without .sat (ptx,
// cvt).
namespace assay::emulator::alu {
namespace {

template <Type from, bool ftz>
double widened(uint64_t bits) {
  switch (from) {
    case Type::f16:
      return f16_to_float(static_cast<uint16_t>(bits));
    case Type::bf16:
      return bf16_to_float(static_cast<uint16_t>(bits));
    case Type::f32:
      return ftz ? flushed(value_of<float>(bits)) : value_of<float>(bits);
    default:
      return value_of<double>(bits);
  }
}

template <Rounding rounding>
double rounded(double value) {
  switch (rounding) {
    case Rounding::rn:
      return std::nearbyint(value);
    case Rounding::rz:
      return std::trunc(value);
    case Rounding::rm:
      return std::floor(value);
    default:
      return std::ceil(value);
  }
}

// A NaN becomes 0, or the highest bit alone if the source or the destination has 64 bits (ptx, cvt).
template <class To, Type from>
constexpr To nan_as() {
  using Bits = std::make_unsigned_t<To>;
  if (from != Type::f64 && sizeof(To) < 8) return 0;
  return static_cast<To>(static_cast<Bits>(Bits{1} << (8 * sizeof(To) - 1)));
}

template <class To, Type from, Rounding rounding, bool ftz, int width>
uint64_t float_to_integer(uint64_t bits) {
  using Limits = std::numeric_limits<To>;
  constexpr double lower = static_cast<double>(Limits::min());
  constexpr double above = 2.0 * static_cast<double>(Limits::max() / 2 + 1);  // a power of two
  const double value = rounded<rounding>(widened<from, ftz>(bits));
  To result;
  if (value != value)
    result = nan_as<To, from>();
  else if (value < lower)
    result = Limits::min();
  else if (value >= above)
    result = Limits::max();
  else
    result = static_cast<To>(value);
  return in_register<width>(result);
}

template <class To, Type from, bool ftz>
std::optional<LaneForm> with_rounding(const Words& w) {
  const auto with_width = [&]<int width>() -> std::optional<LaneForm> {
    switch (integral(w.rounding)) {
      case Rounding::rn:
        return form<&float_to_integer<To, from, Rounding::rn, ftz, width>>();
      case Rounding::rz:
        return form<&float_to_integer<To, from, Rounding::rz, ftz, width>>();
      case Rounding::rm:
        return form<&float_to_integer<To, from, Rounding::rm, ftz, width>>();
      case Rounding::rp:
        return form<&float_to_integer<To, from, Rounding::rp, ftz, width>>();
      default:
        return std::nullopt;
    }
  };
  // bf16 becomes a byte in a register of a byte only (ptxas): cuda_bf16.hpp declares one for it.
  if constexpr (from == Type::bf16 && sizeof(To) == 1) {
    if (w.destination_bits != 8) return std::nullopt;
    return with_width.template operator()<8>();
  } else {
    return for_register<To>(w.destination_bits, with_width);
  }
}

}  // namespace

std::optional<LaneForm> find_cvt_to_integer(const Words& w) {
  if (w.type_count != 2 || !w.only(flags(Flag::ftz, Flag::sat))) return std::nullopt;
  const bool ftz = w.has(Flag::ftz);
  return for_integer_or_byte(w.types[0], [&]<class To>() {
    return for_float(w.types[1], [&]<Type from>() -> std::optional<LaneForm> {
      // bf16 takes no .sat; .ftz is about single precision (ptxas).
      if (from == Type::bf16 && w.set != 0) return std::nullopt;
      if constexpr (from == Type::f32)
        if (ftz) return with_rounding<To, from, true>(w);
      if (ftz) return std::nullopt;
      return with_rounding<To, from, false>(w);
    });
  });
}

}  // namespace assay::emulator::alu
