// SPDX-License-Identifier: Apache-2.0
// Loops over the lanes of a warp, compiled a second time for the vector instructions that most hosts have and
// that no host need have.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "devices/emulator/alu/words.h"
#include "devices/emulator/lane_op.h"

#define ASSAY_ALWAYS_INLINE __attribute__((always_inline))
#if defined(__x86_64__)
#define ASSAY_WIDE __attribute__((target("avx2,fma,bmi,popcnt")))
#else
#define ASSAY_WIDE
#endif

namespace assay::emulator {

/// Whether the host has what ASSAY_WIDE functions are compiled for.
#if defined(__x86_64__)
inline const bool has_wide_lanes = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("popcnt");
}();
#else
inline constexpr bool has_wide_lanes = false;
#endif

}  // namespace assay::emulator

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

template <class T>
inline constexpr Type integer_type = sizeof(T) == 2        ? std::is_signed_v<T> ? Type::s16 : Type::u16
                                     : sizeof(T) == 4      ? std::is_signed_v<T> ? Type::s32 : Type::u32
                                     : std::is_signed_v<T> ? Type::s64
                                                           : Type::u64;

/// f.operator()<T>() with that of the C++ types that the PTX integer type is; nothing where none is.
template <class... Ts, class F>
std::optional<LaneForm> for_one_of(Type type, F f) {
  std::optional<LaneForm> form;
  ((type == integer_type<Ts> ? void(form = f.template operator()<Ts>()) : void()), ...);
  return form;
}

/// Of the integer types of 16, 32 and 64 bits.
template <class F>
std::optional<LaneForm> for_integer(Type type, F f) {
  return for_one_of<uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t>(type, f);
}
template <class F>
std::optional<LaneForm> for_signed(Type type, F f) {
  return for_one_of<int16_t, int32_t, int64_t>(type, f);
}
/// Of 32 and 64 bits.
template <class F>
std::optional<LaneForm> for_wide_integer(Type type, F f) {
  return for_one_of<uint32_t, uint64_t, int32_t, int64_t>(type, f);
}
/// Of 16 and 32 bits: those that have one of twice the width.
template <class F>
std::optional<LaneForm> for_narrow_integer(Type type, F f) {
  return for_one_of<uint16_t, uint32_t, int16_t, int32_t>(type, f);
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
