// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "devices/emulator/alu/by_type.h"
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/alu/product.h"

namespace assay::emulator::alu {
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

}  // namespace assay::emulator::alu
