// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "devices/emulator/alu/convert.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

// cvt between integers, and cvt.pack.
namespace assay::emulator::alu {
namespace {

template <class To, class From>
To clamped(From value) {
  using Limits = std::numeric_limits<To>;
  if (std::cmp_less(value, Limits::min())) return Limits::min();
  if (std::cmp_greater(value, Limits::max())) return Limits::max();
  return static_cast<To>(value);
}

template <class To, class From, bool sat, int width>
uint64_t integer_to_integer(uint64_t bits) {
  const From value = value_of<From>(bits);
  return in_register<width>(sat ? clamped<To>(value) : static_cast<To>(value));
}

/// .sat says something only where some value does not fit, and is legal only there (ptxas).
template <class To, class From>
constexpr bool all_fit() {
  return std::in_range<To>(std::numeric_limits<From>::min()) &&
         std::in_range<To>(std::numeric_limits<From>::max());
}

/// N-bit limits for the types of 2 and 4 bits, which C++ lacks.
struct Range {
  int bits;
  int64_t least, greatest;
};
template <Range range>
uint32_t pack_two(int32_t a, int32_t b) {
  const auto clamp = [](int64_t v) {
    const int64_t kept = v < range.least ? range.least : v > range.greatest ? range.greatest : v;
    return static_cast<uint32_t>(kept) & ((1u << range.bits) - 1);
  };
  return clamp(a) << range.bits | clamp(b);
}
/// The two converted values go below what c already holds.
template <Range range>
uint32_t pack_below(int32_t a, int32_t b, uint32_t c) {
  return c << (2 * range.bits) | pack_two<range>(a, b);
}
constexpr Range unsigned_range(int bits) {
  return {bits, 0, (int64_t{1} << bits) - 1};
}
constexpr Range signed_range(int bits) {
  return {bits, -(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
}

}  // namespace

std::optional<LaneForm> find_cvt_integer(const Words& w) {
  if (w.type_count != 2 || w.rounding != Rounding::none || !w.only(flags(Flag::sat))) return std::nullopt;
  const bool sat = w.has(Flag::sat);
  return for_integer_or_byte(w.types[0], [&]<class To>() {
    return for_integer_or_byte(w.types[1], [&]<class From>() {
      return for_register<To>(w.destination_bits, [&]<int width>() -> std::optional<LaneForm> {
        if (!sat) return form<&integer_to_integer<To, From, false, width>>();
        if constexpr (all_fit<To, From>()) return std::nullopt;
        return form<&integer_to_integer<To, From, true, width>>();
      });
    });
  });
}

std::optional<LaneForm> find_cvt_pack(const Words& w) {
  if (w.set != flags(Flag::pack, Flag::sat) || w.rounding != Rounding::none) return std::nullopt;
  if (w.is(Type::u16, Type::s32)) return form<&pack_two<unsigned_range(16)>>();
  if (w.is(Type::s16, Type::s32)) return form<&pack_two<signed_range(16)>>();
  if (w.type_count != 3 || w.types[1] != Type::s32 || w.types[2] != Type::b32) return std::nullopt;
  switch (w.types[0]) {
    case Type::u8:
      return form<&pack_below<unsigned_range(8)>>();
    case Type::s8:
      return form<&pack_below<signed_range(8)>>();
    case Type::u4:
      return form<&pack_below<unsigned_range(4)>>();
    case Type::s4:
      return form<&pack_below<signed_range(4)>>();
    case Type::u2:
      return form<&pack_below<unsigned_range(2)>>();
    case Type::s2:
      return form<&pack_below<signed_range(2)>>();
    default:
      return std::nullopt;
  }
}

// cvt from a float to an integer: rounded, then clamped to the range of the type, with or without .sat (ptx,
// cvt).

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
