// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "devices/emulator/alu/convert.h"
#include "devices/emulator/alu/families.h"
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

}  // namespace assay::emulator::alu
