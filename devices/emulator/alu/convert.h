// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/words.h"

/// What the conversions share.
namespace assay::emulator::alu {

/// An integer in a destination register of `width` bits: a signed type narrower than the register fills it
/// with its sign, an unsigned one with zeros (ptx, operand size exceeding instruction-type size).
template <int width, class T>
uint64_t in_register(T value) {
  const auto extended = static_cast<uint64_t>(static_cast<int64_t>(value));
  if constexpr (std::is_unsigned_v<T>) return static_cast<uint64_t>(value);
  if constexpr (width == 64) return extended;
  return extended & ((uint64_t{1} << (width % 64)) - 1);
}

/// f.operator()<width>() for a destination register of that many bits; 0 asks for the narrowest there is for
/// T.
template <class T, class F>
std::optional<LaneForm> for_register(int destination_bits, F f) {
  constexpr int narrowest = sizeof(T) <= 2 ? 16 : 8 * sizeof(T);
  if constexpr (std::is_signed_v<T> && narrowest < 64) {
    if (destination_bits == 64) return f.template operator()<64>();
    if constexpr (narrowest == 16)
      if (destination_bits == 32) return f.template operator()<32>();
  }
  return f.template operator()<narrowest>();
}

template <class F>
std::optional<LaneForm> for_integer_or_byte(Type type, F f) {
  switch (type) {
    case Type::u8:
      return f.template operator()<uint8_t>();
    case Type::u16:
      return f.template operator()<uint16_t>();
    case Type::u32:
      return f.template operator()<uint32_t>();
    case Type::u64:
      return f.template operator()<uint64_t>();
    case Type::s8:
      return f.template operator()<int8_t>();
    case Type::s16:
      return f.template operator()<int16_t>();
    case Type::s32:
      return f.template operator()<int32_t>();
    case Type::s64:
      return f.template operator()<int64_t>();
    default:
      return std::nullopt;
  }
}

/// The scalar floating-point types as tags with a format.
template <class F>
std::optional<LaneForm> for_float(Type type, F f) {
  switch (type) {
    case Type::f16:
      return f.template operator()<Type::f16>();
    case Type::bf16:
      return f.template operator()<Type::bf16>();
    case Type::f32:
      return f.template operator()<Type::f32>();
    case Type::f64:
      return f.template operator()<Type::f64>();
    default:
      return std::nullopt;
  }
}
constexpr Format format_of(Type type) {
  switch (type) {
    case Type::f16:
      return f16_format;
    case Type::bf16:
      return bf16_format;
    case Type::f32:
      return f32_format;
    default:
      return f64_format;
  }
}

/// The rounding to an integer that .rni and its kin name, as a rounding of values; none for the others.
constexpr Rounding integral(Rounding rounding) {
  switch (rounding) {
    case Rounding::rni:
      return Rounding::rn;
    case Rounding::rzi:
      return Rounding::rz;
    case Rounding::rmi:
      return Rounding::rm;
    case Rounding::rpi:
      return Rounding::rp;
    default:
      return Rounding::none;
  }
}

}  // namespace assay::emulator::alu
