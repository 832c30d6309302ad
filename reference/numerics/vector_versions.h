// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/highway.h>
#include <vector>

/// A function of an instruction set's namespace, or null where Highway does not compile for it.
#if HWY_TARGETS & HWY_AVX3
#define ASSAY_AVX3(function) N_AVX3::function
#else
#define ASSAY_AVX3(function) nullptr
#endif
#if HWY_TARGETS & HWY_AVX2
#define ASSAY_AVX2(function) N_AVX2::function
#else
#define ASSAY_AVX2(function) nullptr
#endif

/// The tables that `function` makes in the namespaces of the instruction sets which this processor has: best
/// first, the last one runs anywhere.
#define ASSAY_USABLE_VERSIONS(function)                                          \
  ::assay::numerics::usable_versions(ASSAY_AVX3(function), ASSAY_AVX2(function), \
                                     HWY_STATIC_DISPATCH(function))

namespace assay::numerics {

template <typename Table, typename Avx3, typename Avx2>
std::vector<Table> usable_versions(Avx3 avx3, Avx2 avx2, Table (*anywhere)()) {
  Table (*const of_avx3)() = avx3;
  Table (*const of_avx2)() = avx2;
  std::vector<Table> usable;
  if (of_avx3 != nullptr && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    usable.push_back(of_avx3());
  // Every processor that has these has F16C.
  if (of_avx2 != nullptr && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    usable.push_back(of_avx2());
  usable.push_back(anywhere());
  return usable;
}

}  // namespace assay::numerics
