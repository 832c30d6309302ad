// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

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

}  // namespace assay::emulator::alu
