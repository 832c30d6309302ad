// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <type_traits>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

/// Integer products as PTX's .lo, .hi and .wide take them.
namespace assay::emulator::alu {

template <class T>
struct DoubleOf;
template <>
struct DoubleOf<int16_t> {
  using type = int32_t;
};
template <>
struct DoubleOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct DoubleOf<int32_t> {
  using type = int64_t;
};
template <>
struct DoubleOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct DoubleOf<int64_t> {
  using type = __int128;
};
template <>
struct DoubleOf<uint64_t> {
  using type = unsigned __int128;
};

/// The integer of twice the width.
template <class T>
using Double = typename DoubleOf<T>::type;

/// Exact: no product of two Ts overflows Double<T>.
template <class T>
Double<T> full_product(T a, T b) {
  return static_cast<Double<T>>(a) * static_cast<Double<T>>(b);
}
template <class T>
T high_product(T a, T b) {
  return static_cast<T>(full_product(a, b) >> (8 * sizeof(T)));
}
template <class T>
T low_product(T a, T b) {
  using Wrap = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;
  return static_cast<T>(static_cast<Wrap>(a) * static_cast<Wrap>(b));
}
template <class T>
T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
}

namespace {

template <class T>
T mul_lo(T a, T b) {
  return low_product(a, b);
}
template <class T>
T mul_hi(T a, T b) {
  return high_product(a, b);
}
template <class T>
Double<T> mul_wide(T a, T b) {
  return full_product(a, b);
}
template <class T>
T mad_lo(T a, T b, T c) {
  return wrapping_sum(low_product(a, b), c);
}
template <class T>
T mad_hi(T a, T b, T c) {
  return wrapping_sum(high_product(a, b), c);
}
template <class T>
Double<T> mad_wide(T a, T b, Double<T> c) {
  return wrapping_sum(full_product(a, b), c);
}

int32_t clamp_to_s32(int64_t wide) {
  if (wide > std::numeric_limits<int32_t>::max()) return std::numeric_limits<int32_t>::max();
  if (wide < std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(wide);
}
int32_t mad_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_to_s32(int64_t{high_product(a, b)} + c);
}

// The 48-bit product of the low 24 bits of each operand, sign- or zero-extended.
int64_t product24(int32_t a, int32_t b) {
  const auto low24 = [](int32_t v) {
    return int64_t{static_cast<int32_t>(static_cast<uint32_t>(v) << 8) >> 8};
  };
  return low24(a) * low24(b);
}
uint64_t product24(uint32_t a, uint32_t b) {
  return uint64_t{a & 0xffffff} * (b & 0xffffff);
}

template <class T>
T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return wrapping_sum(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return wrapping_sum(mul24_hi(a, b), c);
}
int32_t mad24_hi_sat(int32_t a, int32_t b, int32_t c) {
  return clamp_to_s32(int64_t{mul24_hi(a, b)} + c);
}

/// Element i of a vector of N-bit elements packed in a word.
template <class E>
uint32_t element(uint32_t word, int i) {
  return static_cast<uint32_t>(
      static_cast<int32_t>(static_cast<E>(word >> (i * 8 * static_cast<int>(sizeof(E))))));
}
template <class A, class B>
uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) c += element<A>(a, i) * element<B>(b, i);
  return c;
}
template <class A, class B, int first>
uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 2; ++i) c += element<A>(a, i) * element<B>(b, first + i);
  return c;
}

bool plain(const Words& w, uint64_t set) {
  return w.rounding == Rounding::none && w.set == set;
}

}  // namespace

std::optional<LaneForm> find_mul_integer(const Words& w) {
  if (w.type_count != 1) return std::nullopt;
  const Type type = w.types[0];
  if (plain(w, flags(Flag::lo))) return for_integer(type, []<class T>() { return form<&mul_lo<T>>(); });
  if (plain(w, flags(Flag::hi))) return for_integer(type, []<class T>() { return form<&mul_hi<T>>(); });
  if (plain(w, flags(Flag::wide)))
    return for_narrow_integer(type, []<class T>() { return form<&mul_wide<T>>(); });
  return std::nullopt;
}
std::optional<LaneForm> find_mad_integer(const Words& w) {
  if (w.type_count != 1) return std::nullopt;
  const Type type = w.types[0];
  if (plain(w, flags(Flag::lo))) return for_integer(type, []<class T>() { return form<&mad_lo<T>>(); });
  if (plain(w, flags(Flag::hi))) return for_integer(type, []<class T>() { return form<&mad_hi<T>>(); });
  if (plain(w, flags(Flag::hi, Flag::sat)) && type == Type::s32) return form<&mad_hi_sat>();
  if (plain(w, flags(Flag::wide)))
    return for_narrow_integer(type, []<class T>() { return form<&mad_wide<T>>(); });
  return std::nullopt;
}
std::optional<LaneForm> find_mul24(const Words& w) {
  const bool is_signed = w.is(Type::s32);
  if (!is_signed && !w.is(Type::u32)) return std::nullopt;
  if (plain(w, flags(Flag::lo))) return is_signed ? form<&mul24_lo<int32_t>>() : form<&mul24_lo<uint32_t>>();
  if (plain(w, flags(Flag::hi))) return is_signed ? form<&mul24_hi<int32_t>>() : form<&mul24_hi<uint32_t>>();
  return std::nullopt;
}
std::optional<LaneForm> find_mad24(const Words& w) {
  const bool is_signed = w.is(Type::s32);
  if (!is_signed && !w.is(Type::u32)) return std::nullopt;
  if (plain(w, flags(Flag::lo))) return is_signed ? form<&mad24_lo<int32_t>>() : form<&mad24_lo<uint32_t>>();
  if (plain(w, flags(Flag::hi))) return is_signed ? form<&mad24_hi<int32_t>>() : form<&mad24_hi<uint32_t>>();
  if (plain(w, flags(Flag::hi, Flag::sat)) && is_signed) return form<&mad24_hi_sat>();
  return std::nullopt;
}
std::optional<LaneForm> find_dp4a(const Words& w) {
  if (!plain(w, 0)) return std::nullopt;
  if (w.is(Type::u32, Type::u32)) return form<&dot4<uint8_t, uint8_t>>();
  if (w.is(Type::u32, Type::s32)) return form<&dot4<uint8_t, int8_t>>();
  if (w.is(Type::s32, Type::u32)) return form<&dot4<int8_t, uint8_t>>();
  if (w.is(Type::s32, Type::s32)) return form<&dot4<int8_t, int8_t>>();
  return std::nullopt;
}
std::optional<LaneForm> find_dp2a(const Words& w) {
  const auto pick = [&]<int first>() -> std::optional<LaneForm> {
    if (w.is(Type::u32, Type::u32)) return form<&dot2<uint16_t, uint8_t, first>>();
    if (w.is(Type::u32, Type::s32)) return form<&dot2<uint16_t, int8_t, first>>();
    if (w.is(Type::s32, Type::u32)) return form<&dot2<int16_t, uint8_t, first>>();
    if (w.is(Type::s32, Type::s32)) return form<&dot2<int16_t, int8_t, first>>();
    return std::nullopt;
  };
  if (plain(w, flags(Flag::lo))) return pick.template operator()<0>();
  if (plain(w, flags(Flag::hi))) return pick.template operator()<2>();
  return std::nullopt;
}

// The condition code register holds one bit, CC.CF (ptx, extended-precision integer arithmetic). The document
// calls it the carry out of an addition and the borrow out of a subtraction and leaves open how one reads as
// the other. Hardware has one adder, a - b is a + ~b + 1, and its carry out is "no borrow": on an H100 addc
// sees 1 after a sub.cc that did not borrow, and subc borrows after an add.cc that did not carry. The machine
// keeps the bit as a column of 0 or 1: see LaneForm.

namespace {

template <class U>
struct Sum {
  U value;
  bool carry;
};

template <class U>
Sum<U> add(U a, U b, bool carry) {
  const U partial = a + b;
  const U value = partial + carry;
  return {value, partial < a || value < partial};
}
template <class U>
Sum<U> subtract(U a, U b, bool no_borrow) {
  return add<U>(a, static_cast<U>(~b), no_borrow);
}

enum class Step { add, subtract, mad_lo, mad_hi };

template <Step step, class T, bool reads, bool writes>
void run(const LaneArgs& x) {
  using U = std::make_unsigned_t<T>;
  constexpr int sources = step == Step::add || step == Step::subtract ? 2 : 3;
  each_lane(x.mask, [&](int lane) {
    const T a = value_of<T>(x.s[0][lane]), b = value_of<T>(x.s[1][lane]);
    // What does not read the flag starts a chain: no carry, no borrow.
    const bool in = reads ? x.s[sources][lane] != 0 : step == Step::subtract;
    Sum<U> sum;
    if constexpr (step == Step::add)
      sum = add<U>(a, b, in);
    else if constexpr (step == Step::subtract)
      sum = subtract<U>(a, b, in);
    else if constexpr (step == Step::mad_lo)
      sum = add<U>(low_product(a, b), value_of<U>(x.s[2][lane]), in);
    else
      sum = add<U>(high_product(a, b), value_of<U>(x.s[2][lane]), in);
    x.d[lane] = sum.value;
    if (writes) x.d2[lane] = sum.carry;
  });
}

template <Step step, bool reads, bool writes>
std::optional<LaneForm> pick(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none) return std::nullopt;
  return for_wide_integer(w.types[0], []<class T>() {
    LaneForm form;
    form.op = &run<step, T, reads, writes>;
    form.sources = step == Step::add || step == Step::subtract ? 2 : 3;
    form.reads_carry = reads;
    form.writes_carry = writes;
    return form;
  });
}

}  // namespace

std::optional<LaneForm> find_add_carry(const Words& w) {
  if (w.set == flags(Flag::cc)) return pick<Step::add, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_addc(const Words& w) {
  if (w.set == 0) return pick<Step::add, true, false>(w);
  if (w.set == flags(Flag::cc)) return pick<Step::add, true, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_sub_carry(const Words& w) {
  if (w.set == flags(Flag::cc)) return pick<Step::subtract, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_subc(const Words& w) {
  if (w.set == 0) return pick<Step::subtract, true, false>(w);
  if (w.set == flags(Flag::cc)) return pick<Step::subtract, true, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_mad_carry(const Words& w) {
  if (w.set == flags(Flag::lo, Flag::cc)) return pick<Step::mad_lo, false, true>(w);
  if (w.set == flags(Flag::hi, Flag::cc)) return pick<Step::mad_hi, false, true>(w);
  return std::nullopt;
}
std::optional<LaneForm> find_madc(const Words& w) {
  if (w.set == flags(Flag::lo)) return pick<Step::mad_lo, true, false>(w);
  if (w.set == flags(Flag::hi)) return pick<Step::mad_hi, true, false>(w);
  if (w.set == flags(Flag::lo, Flag::cc)) return pick<Step::mad_lo, true, true>(w);
  if (w.set == flags(Flag::hi, Flag::cc)) return pick<Step::mad_hi, true, true>(w);
  return std::nullopt;
}

}  // namespace assay::emulator::alu
