// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

namespace assay::emulator::alu {
namespace {

template <class U>
uint32_t popc(U a) {
  return static_cast<uint32_t>(std::popcount(a));
}
template <class U>
uint32_t clz(U a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}

template <class T, bool shift_amount>
uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  const U magnitude = a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
  if (magnitude == 0) return 0xffffffffu;
  const auto leading = static_cast<uint32_t>(std::countl_zero(magnitude));
  return shift_amount ? leading : 8 * sizeof(T) - 1 - leading;
}

// The n-th set bit counted from `base`, upwards for n > 0, downwards for n < 0; n = 0 asks for the bit at
// base.
uint32_t fns(uint32_t mask, uint32_t base, int32_t n) {
  base &= 31;
  if (n == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  const int step = n > 0 ? 1 : -1;
  int64_t to_skip = (n > 0 ? int64_t{n} : -int64_t{n}) - 1;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) == 0) continue;
    if (to_skip-- == 0) return static_cast<uint32_t>(at);
  }
  return 0xffffffffu;
}

template <class U>
U brev(U a) {
  U reversed = 0;
  for (int i = 0; i < static_cast<int>(8 * sizeof(U)); ++i, a >>= 1)
    reversed = static_cast<U>(reversed << 1 | (a & 1));
  return reversed;
}

// The fields of 32 bits take position and length from bits 7:0, as the document says (ptx, bfe and bfi);
// those of 64 bits, which have no instruction of their own, take the whole words (h200).
template <class T>
uint32_t of_field(uint32_t operand) {
  return sizeof(T) == 4 ? operand & 0xff : operand;
}

template <class T>
T bfe(T a, uint32_t start, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  start = of_field<T>(start);
  length = of_field<T>(length);
  if (length == 0) return 0;
  if (start >= width) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
  const uint32_t kept = std::min(length, width - start);
  using U = std::make_unsigned_t<T>;
  // To the top and back: the shift right brings the sign of the field, or zeros.
  return static_cast<T>(static_cast<T>(static_cast<U>(a) << (width - start - kept)) >> (width - kept));
}

template <class U>
U bfi(U field, U into, uint32_t start, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(U);
  start = of_field<U>(start);
  length = of_field<U>(length);
  if (length == 0 || start >= width) return into;
  const U mask = static_cast<U>((length >= width ? ~U{0} : (U{1} << length) - 1) << start);
  return static_cast<U>((into & ~mask) | (static_cast<U>(field << start) & mask));
}

template <bool clamp>
uint32_t bmsk(uint32_t start, uint32_t width) {
  if (clamp && start >= 32) return 0;
  const bool all = clamp && width >= 32;
  start &= 31;
  width &= 31;
  const uint32_t from_start = 0xffffffffu << start;
  if (all || start + width >= 32) return from_start;
  return from_start & ~(0xffffffffu << (start + width));
}

template <class T, bool clamp>
T szext(T a, uint32_t bits) {
  if (clamp && bits >= 32) return a;
  bits &= 31;
  if (bits == 0) return 0;
  return static_cast<T>(static_cast<T>(static_cast<uint32_t>(a) << (32 - bits)) >> (32 - bits));
}

bool plain(const Words& w, uint64_t set = 0) {
  return w.type_count == 1 && w.rounding == Rounding::none && w.set == set;
}

/// A form over the untyped words of 32 and 64 bits.
template <class F>
std::optional<LaneForm> for_word(const Words& w, F f) {
  if (!plain(w) || w.is(Type::b16)) return std::nullopt;
  return for_bits(w.types[0], f);
}

}  // namespace

std::optional<LaneForm> find_popc(const Words& w) {
  return for_word(w, []<class U>() { return form<&popc<U>>(); });
}
std::optional<LaneForm> find_clz(const Words& w) {
  return for_word(w, []<class U>() { return form<&clz<U>>(); });
}
std::optional<LaneForm> find_brev(const Words& w) {
  return for_word(w, []<class U>() { return form<&brev<U>>(); });
}
std::optional<LaneForm> find_bfi(const Words& w) {
  return for_word(w, []<class U>() { return form<&bfi<U>>(); });
}
std::optional<LaneForm> find_bfind(const Words& w) {
  if (plain(w)) return for_wide_integer(w.types[0], []<class T>() { return form<&bfind<T, false>>(); });
  if (plain(w, flags(Flag::shiftamt)))
    return for_wide_integer(w.types[0], []<class T>() { return form<&bfind<T, true>>(); });
  return std::nullopt;
}
std::optional<LaneForm> find_fns(const Words& w) {
  if (!plain(w) || !w.is(Type::b32)) return std::nullopt;
  return form<&fns>();
}
std::optional<LaneForm> find_bfe(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_wide_integer(w.types[0], []<class T>() { return form<&bfe<T>>(); });
}
std::optional<LaneForm> find_bmsk(const Words& w) {
  if (!w.is(Type::b32)) return std::nullopt;
  if (plain(w, flags(Flag::clamp))) return form<&bmsk<true>>();
  if (plain(w, flags(Flag::wrap))) return form<&bmsk<false>>();
  return std::nullopt;
}
std::optional<LaneForm> find_szext(const Words& w) {
  const bool is_signed = w.is(Type::s32);
  if (!is_signed && !w.is(Type::u32)) return std::nullopt;
  if (plain(w, flags(Flag::clamp)))
    return is_signed ? form<&szext<int32_t, true>>() : form<&szext<uint32_t, true>>();
  if (plain(w, flags(Flag::wrap)))
    return is_signed ? form<&szext<int32_t, false>>() : form<&szext<uint32_t, false>>();
  return std::nullopt;
}

}  // namespace assay::emulator::alu
