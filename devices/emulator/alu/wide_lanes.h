// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops over the lanes of a warp, compiled a second time for the vector instructions that most hosts have and
// that no host need have.

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
