// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

namespace assay::emulator::alu {
namespace {

// Predicates are 0 or 1 (bool), so the bitwise operators serve them too; only not and cnot differ.
template <class U>
U bit_and(U a, U b) {
  return static_cast<U>(a & b);
}
template <class U>
U bit_or(U a, U b) {
  return static_cast<U>(a | b);
}
template <class U>
U bit_xor(U a, U b) {
  return static_cast<U>(a ^ b);
}
template <class U>
U bit_not(U a) {
  return static_cast<U>(~a);
}
bool pred_not(bool a) {
  return !a;
}
template <class U>
U logical_not(U a) {
  return a == 0 ? 1 : 0;
}

/// The table of lop3 spread out: row r is all ones if bit r of the table is set. Bit i of the result is bit
/// 4 * a[i] + 2 * b[i] + c[i] of the table.
struct Table {
  uint32_t row[8];

  // The table is an integer constant (ptx, lop3), the same in each lane.
  explicit Table(const LaneArgs& x) {
    const auto bits = static_cast<uint32_t>(x.s[3][std::countr_zero(x.mask) & 31]);
    for (int i = 0; i < 8; ++i) row[i] = 0u - (bits >> i & 1);
  }
  uint32_t look_up(uint32_t a, uint32_t b, uint32_t c) const {
    const uint32_t without_a = (~b & ((~c & row[0]) | (c & row[1]))) | (b & ((~c & row[2]) | (c & row[3])));
    const uint32_t with_a = (~b & ((~c & row[4]) | (c & row[5]))) | (b & ((~c & row[6]) | (c & row[7])));
    return (~a & without_a) | (a & with_a);
  }
};
ASSAY_ALWAYS_INLINE inline void lop3_lanes(const LaneArgs& x) {
  const Table table(x);
  const uint64_t *a = x.s[0], *b = x.s[1], *c = x.s[2];
  uint64_t* d = x.d;
  each_lane(x.mask, [=](int lane) {
    d[lane] = table.look_up(static_cast<uint32_t>(a[lane]), static_cast<uint32_t>(b[lane]),
                            static_cast<uint32_t>(c[lane]));
  });
}
void lop3(const LaneArgs& x) {
  lop3_lanes(x);
}
ASSAY_WIDE void lop3_wide(const LaneArgs& x) {
  lop3_lanes(x);
}
template <bool conjunction>
void lop3_with_predicate(const LaneArgs& x) {
  const Table table(x);
  each_lane(x.mask, [&](int lane) {
    const uint32_t result =
        table.look_up(static_cast<uint32_t>(x.s[0][lane]), static_cast<uint32_t>(x.s[1][lane]),
                      static_cast<uint32_t>(x.s[2][lane]));
    const bool some = result != 0, q = x.s[4][lane] != 0;
    if (x.d != nullptr) x.d[lane] = result;
    if (x.d2 != nullptr) x.d2[lane] = conjunction ? some && q : some || q;
  });
}

// Shift amounts above the width count as the width (ptx, shl and shr).
template <class U>
U shl(U a, uint32_t amount) {
  constexpr uint32_t width = 8 * sizeof(U);
  return amount >= width ? U{0} : static_cast<U>(static_cast<uint64_t>(a) << amount);
}
template <class T>
T shr(T a, uint32_t amount) {
  constexpr uint32_t width = 8 * sizeof(T);
  if (amount >= width) return std::is_signed_v<T> && a < T{0} ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> amount);
}

template <bool left, bool clamp>
uint32_t funnel(uint32_t low, uint32_t high, uint32_t amount) {
  const uint64_t both = uint64_t{high} << 32 | low;
  amount = clamp ? std::min(amount, 32u) : amount & 31;
  return static_cast<uint32_t>(left ? both << amount >> 32 : both >> amount);
}

uint32_t byte_of(uint64_t bytes, uint32_t index) {
  return static_cast<uint32_t>(bytes >> (8 * index) & 0xff);
}

uint32_t permute(uint32_t a, uint32_t b, uint32_t control) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t select = control >> (4 * i) & 0xf;
    const uint32_t byte = byte_of(bytes, select & 7);
    const uint32_t copied = (select & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0;
    result |= copied << (8 * i);
  }
  return result;
}
/// A mode of prmt: source(control, i) is the byte of the pair that goes to byte i.
template <uint32_t (*source)(uint32_t, uint32_t)>
uint32_t extract(uint32_t a, uint32_t b, uint32_t control) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) result |= byte_of(bytes, source(control & 3, i)) << (8 * i);
  return result;
}
uint32_t forward(uint32_t c, uint32_t i) {
  return c + i;
}
uint32_t backward(uint32_t c, uint32_t i) {
  return (c - i) & 7;
}
uint32_t replicate8(uint32_t c, uint32_t) {
  return c;
}
uint32_t edge_left(uint32_t c, uint32_t i) {
  return std::max(c, i);
}
uint32_t edge_right(uint32_t c, uint32_t i) {
  return std::min(c, i);
}
uint32_t replicate16(uint32_t c, uint32_t i) {
  return (c & 1) * 2 + (i & 1);
}

bool plain(const Words& w, uint64_t set = 0) {
  return w.type_count == 1 && w.rounding == Rounding::none && w.set == set;
}

}  // namespace

std::optional<LaneForm> find_and(const Words& w) {
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::pred)) return form<&bit_and<bool>>();
  return for_bits(w.types[0], []<class U>() { return form<&bit_and<U>>(); });
}
std::optional<LaneForm> find_or(const Words& w) {
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::pred)) return form<&bit_or<bool>>();
  return for_bits(w.types[0], []<class U>() { return form<&bit_or<U>>(); });
}
std::optional<LaneForm> find_xor(const Words& w) {
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::pred)) return form<&bit_xor<bool>>();
  return for_bits(w.types[0], []<class U>() { return form<&bit_xor<U>>(); });
}
std::optional<LaneForm> find_not(const Words& w) {
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::pred)) return form<&pred_not>();
  return for_bits(w.types[0], []<class U>() { return form<&bit_not<U>>(); });
}
std::optional<LaneForm> find_cnot(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_bits(w.types[0], []<class U>() { return form<&logical_not<U>>(); });
}
std::optional<LaneForm> find_lop3(const Words& w) {
  if (!w.is(Type::b32)) return std::nullopt;
  if (plain(w)) {
    LaneForm form;
    form.op = has_wide_lanes ? &lop3_wide : &lop3;
    form.sources = 4;
    return form;
  }
  LaneForm with_predicate;
  with_predicate.sources = 5;
  with_predicate.second_destination = true;
  if (plain(w, flags(Flag::logical_and)))
    with_predicate.op = &lop3_with_predicate<true>;
  else if (plain(w, flags(Flag::logical_or)))
    with_predicate.op = &lop3_with_predicate<false>;
  else
    return std::nullopt;
  return with_predicate;
}
std::optional<LaneForm> find_shl(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_bits(w.types[0], []<class U>() { return form<&shl<U>>(); });
}
std::optional<LaneForm> find_shr(const Words& w) {
  if (!plain(w)) return std::nullopt;
  if (const auto logical = for_bits(w.types[0], []<class U>() { return form<&shr<U>>(); })) return logical;
  return for_integer(w.types[0], []<class T>() { return form<&shr<T>>(); });
}
std::optional<LaneForm> find_shf(const Words& w) {
  if (!w.is(Type::b32)) return std::nullopt;
  if (plain(w, flags(Flag::l, Flag::clamp))) return form<&funnel<true, true>>();
  if (plain(w, flags(Flag::l, Flag::wrap))) return form<&funnel<true, false>>();
  if (plain(w, flags(Flag::r, Flag::clamp))) return form<&funnel<false, true>>();
  if (plain(w, flags(Flag::r, Flag::wrap))) return form<&funnel<false, false>>();
  return std::nullopt;
}
std::optional<LaneForm> find_prmt(const Words& w) {
  if (!w.is(Type::b32)) return std::nullopt;
  if (plain(w)) return form<&permute>();
  if (plain(w, flags(Flag::f4e))) return form<&extract<&forward>>();
  if (plain(w, flags(Flag::b4e))) return form<&extract<&backward>>();
  if (plain(w, flags(Flag::rc8))) return form<&extract<&replicate8>>();
  if (plain(w, flags(Flag::ecl))) return form<&extract<&edge_left>>();
  if (plain(w, flags(Flag::ecr))) return form<&extract<&edge_right>>();
  if (plain(w, flags(Flag::rc16))) return form<&extract<&replicate16>>();
  return std::nullopt;
}

}  // namespace assay::emulator::alu
