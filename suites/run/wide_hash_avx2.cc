// SPDX-License-Identifier: Apache-2.0
#include "suites/run/bytes.h"

#include <immintrin.h>

// The processor is asked before this code runs, so that nothing else may be compiled with it.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define XXH_INLINE_ALL
#define XXH_VECTOR 2  // XXH_AVX2
#include <xxhash.h>
static_assert(XXH_VECTOR == XXH_AVX2);

namespace assay::suites {

uint64_t seeded_hash_by_avx2(const void* bytes, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

}  // namespace assay::suites

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
