// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "devices/emulator/alu/words.h"

namespace assay::emulator::alu {

/// f.operator()<T>() with the C++ type of a PTX integer type of 16, 32 or 64 bits; nothing for other types.
template <class F>
std::optional<LaneForm> for_integer(Type type, F f) {
  switch (type) {
    case Type::u16:
      return f.template operator()<uint16_t>();
    case Type::u32:
      return f.template operator()<uint32_t>();
    case Type::u64:
      return f.template operator()<uint64_t>();
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

template <class F>
std::optional<LaneForm> for_signed(Type type, F f) {
  switch (type) {
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

/// As for_integer, for the types of 32 and 64 bits.
template <class F>
std::optional<LaneForm> for_wide_integer(Type type, F f) {
  switch (type) {
    case Type::u32:
      return f.template operator()<uint32_t>();
    case Type::u64:
      return f.template operator()<uint64_t>();
    case Type::s32:
      return f.template operator()<int32_t>();
    case Type::s64:
      return f.template operator()<int64_t>();
    default:
      return std::nullopt;
  }
}

/// As for_integer, for the types of 16 and 32 bits: those that have one of twice the width.
template <class F>
std::optional<LaneForm> for_narrow_integer(Type type, F f) {
  switch (type) {
    case Type::u16:
      return f.template operator()<uint16_t>();
    case Type::u32:
      return f.template operator()<uint32_t>();
    case Type::s16:
      return f.template operator()<int16_t>();
    case Type::s32:
      return f.template operator()<int32_t>();
    default:
      return std::nullopt;
  }
}

/// f.operator()<U>() for an untyped word of 16, 32 or 64 bits.
template <class F>
std::optional<LaneForm> for_bits(Type type, F f) {
  switch (type) {
    case Type::b16:
      return f.template operator()<uint16_t>();
    case Type::b32:
      return f.template operator()<uint32_t>();
    case Type::b64:
      return f.template operator()<uint64_t>();
    default:
      return std::nullopt;
  }
}

}  // namespace assay::emulator::alu
