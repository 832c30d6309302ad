// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "devices/emulator/alu/wide_lanes.h"
#include "devices/emulator/lane_op.h"

namespace assay::emulator::alu {

/// Calls f(lane) for the lanes of the mask. The lanes never depend on each other (a destination column may be
/// a source column, lane for lane), which is what lets the loop over a whole warp become vector code.
template <class F>
ASSAY_ALWAYS_INLINE inline void each_lane(uint32_t mask, F f) {
  if (mask == 0xffffffffu) {
#if !defined(__clang__)  // which warns of every loop that it then does not vectorise
#pragma GCC ivdep
#endif
    for (int lane = 0; lane < warp_lanes; ++lane) f(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

/// How a register's 64 bits hold a value of type T, and back. Bits above T are ignored on the way in and zero
/// on the way out.
template <class T>
inline T value_of(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::is_same_v<T, bool>)
    return bits != 0;
  else
    return static_cast<T>(bits);
}
template <class T>
inline uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

template <auto f>
struct Lanewise;

/// The lane operation of a function of one lane: reads one register for each parameter, writes one.
template <class R, class... A, R (*f)(A...)>
struct Lanewise<f> {
  template <size_t... i>
  ASSAY_ALWAYS_INLINE static void over(const LaneArgs& x, std::index_sequence<i...>) {
    uint64_t* const d = x.d;
    const uint64_t* const s[] = {x.s[i]...};
    each_lane(x.mask,
              [=](int lane) ASSAY_ALWAYS_INLINE { d[lane] = bits_of<R>(f(value_of<A>(s[i][lane])...)); });
  }
  static void run(const LaneArgs& x) { over(x, std::index_sequence_for<A...>{}); }
  ASSAY_WIDE static void run_wide(const LaneArgs& x) { over(x, std::index_sequence_for<A...>{}); }
  static constexpr int sources = sizeof...(A);
};

/// The form of a function of one lane with one destination.
template <auto f>
LaneForm form() {
  return {has_wide_lanes ? &Lanewise<f>::run_wide : &Lanewise<f>::run, Lanewise<f>::sources};
}

}  // namespace assay::emulator::alu
