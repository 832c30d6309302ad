// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"

namespace assay::emulator::alu {
namespace {

// Unsigned arithmetic wide enough that nothing is promoted to a signed int: PTX wraps.
template <class T>
using Wrap = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;

template <class T>
T add(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
}

int32_t saturate(int64_t wide) {
  if (wide > std::numeric_limits<int32_t>::max()) return std::numeric_limits<int32_t>::max();
  if (wide < std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(wide);
}
int32_t add_sat(int32_t a, int32_t b) {
  return saturate(int64_t{a} + b);
}
int32_t sub_sat(int32_t a, int32_t b) {
  return saturate(int64_t{a} - b);
}

// Division by zero gives an unspecified value (ptx, div and rem); here all ones, and the dividend as
// remainder, which keeps a == q * b + r. The most negative number over -1 wraps to itself with remainder 0.
template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}

template <class T>
T negate(T a) {
  return sub<T>(0, a);
}
template <class T>
T absolute(T a) {
  return a < 0 ? negate(a) : a;
}
template <class T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T greatest(T a, T b) {
  return a > b ? a : b;
}
template <class T, T (*f)(T, T)>
T not_below_zero(T a, T b) {
  return greatest<T>(f(a, b), 0);
}

// c + |a - b|, the difference taken before it can wrap.
template <class T>
T sad(T a, T b, T c) {
  const Wrap<T> distance = a < b ? static_cast<Wrap<T>>(b) - static_cast<Wrap<T>>(a)
                                 : static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b);
  return static_cast<T>(static_cast<Wrap<T>>(c) + distance);
}

/// f on the two 16-bit halves of a word.
template <class T, T (*f)(T, T)>
uint32_t halves(uint32_t a, uint32_t b) {
  const auto low = static_cast<uint16_t>(f(static_cast<T>(a), static_cast<T>(b)));
  const auto high = static_cast<uint16_t>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return uint32_t{high} << 16 | low;
}

bool plain(const Words& w) {
  return w.type_count == 1 && w.rounding == Rounding::none && w.set == 0;
}
bool saturating(const Words& w) {
  return w.is(Type::s32) && w.rounding == Rounding::none && w.set == flags(Flag::sat);
}
bool rectified(const Words& w, Type type) {
  return w.is(type) && w.rounding == Rounding::none && w.set == flags(Flag::relu);
}

}  // namespace

std::optional<LaneForm> find_add_integer(const Words& w) {
  if (saturating(w)) return form<&add_sat>();
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::u16x2)) return form<&halves<uint16_t, &add<uint16_t>>>();
  if (w.is(Type::s16x2)) return form<&halves<int16_t, &add<int16_t>>>();
  return for_integer(w.types[0], []<class T>() { return form<&add<T>>(); });
}
std::optional<LaneForm> find_sub_integer(const Words& w) {
  if (saturating(w)) return form<&sub_sat>();
  if (!plain(w)) return std::nullopt;
  return for_integer(w.types[0], []<class T>() { return form<&sub<T>>(); });
}
std::optional<LaneForm> find_div_integer(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_integer(w.types[0], []<class T>() { return form<&divide<T>>(); });
}
std::optional<LaneForm> find_rem(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_integer(w.types[0], []<class T>() { return form<&remainder<T>>(); });
}
std::optional<LaneForm> find_abs_integer(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_signed(w.types[0], []<class T>() { return form<&absolute<T>>(); });
}
std::optional<LaneForm> find_neg_integer(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_signed(w.types[0], []<class T>() { return form<&negate<T>>(); });
}
std::optional<LaneForm> find_min_integer(const Words& w) {
  if (rectified(w, Type::s32)) return form<&not_below_zero<int32_t, &least<int32_t>>>();
  if (rectified(w, Type::s16x2)) return form<&halves<int16_t, &not_below_zero<int16_t, &least<int16_t>>>>();
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::u16x2)) return form<&halves<uint16_t, &least<uint16_t>>>();
  if (w.is(Type::s16x2)) return form<&halves<int16_t, &least<int16_t>>>();
  return for_integer(w.types[0], []<class T>() { return form<&least<T>>(); });
}
std::optional<LaneForm> find_max_integer(const Words& w) {
  if (rectified(w, Type::s32)) return form<&not_below_zero<int32_t, &greatest<int32_t>>>();
  if (rectified(w, Type::s16x2))
    return form<&halves<int16_t, &not_below_zero<int16_t, &greatest<int16_t>>>>();
  if (!plain(w)) return std::nullopt;
  if (w.is(Type::u16x2)) return form<&halves<uint16_t, &greatest<uint16_t>>>();
  if (w.is(Type::s16x2)) return form<&halves<int16_t, &greatest<int16_t>>>();
  return for_integer(w.types[0], []<class T>() { return form<&greatest<T>>(); });
}
std::optional<LaneForm> find_sad(const Words& w) {
  if (!plain(w)) return std::nullopt;
  return for_integer(w.types[0], []<class T>() { return form<&sad<T>>(); });
}

}  // namespace assay::emulator::alu
