// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

namespace assay::emulator::alu {
namespace {

template <class U>
U move(U a) {
  return a;
}
template <class U>
U select(U a, U b, bool c) {
  return c ? a : b;
}
template <class U>
U select_by_sign(U a, U b, int32_t c) {
  return c >= 0 ? a : b;
}
// Minus zero is not below zero and a NaN is not at or above it (ptx, slct). Flushing c to a zero of its sign
// makes every subnormal select a.
template <class U, bool flush>
U select_by_float(U a, U b, uint32_t c) {
  if (flush && (c & 0x7f800000u) == 0) return a;
  return value_of<float>(c) >= 0 ? a : b;
}

/// The untyped word of a type's width, for instructions that only copy.
Type word_of(Type type) {
  switch (type) {
    case Type::u16:
    case Type::s16:
      return Type::b16;
    case Type::u32:
    case Type::s32:
    case Type::f32:
      return Type::b32;
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return Type::b64;
    default:
      return type;
  }
}

}  // namespace

// Moves of vectors ({a,b} to or from a wider register), of addresses and of 128-bit registers are the
// machine's.
std::optional<LaneForm> find_mov(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  if (w.is(Type::pred)) return form<&move<bool>>();
  return for_bits(word_of(w.types[0]), []<class U>() { return form<&move<U>>(); });
}
std::optional<LaneForm> find_selp(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  return for_bits(word_of(w.types[0]), []<class U>() { return form<&select<U>>(); });
}
std::optional<LaneForm> find_slct(const Words& w) {
  if (w.type_count != 2 || w.rounding != Rounding::none) return std::nullopt;
  const Type word = word_of(w.types[0]);
  if (w.types[1] == Type::s32 && w.set == 0)
    return for_bits(word, []<class U>() { return form<&select_by_sign<U>>(); });
  if (w.types[1] == Type::f32 && w.set == 0)
    return for_bits(word, []<class U>() { return form<&select_by_float<U, false>>(); });
  if (w.types[1] == Type::f32 && w.set == flags(Flag::ftz))
    return for_bits(word, []<class U>() { return form<&select_by_float<U, true>>(); });
  return std::nullopt;
}

}  // namespace assay::emulator::alu
