// SPDX-License-Identifier: Apache-2.0
#if !defined(__clang__)
// Of what is to hold anything: _mm512_undefined_epi32() (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "suites/run/bytes.h"

#include <immintrin.h>

// As wide_hash_avx2.cc, with other registers: what is included here has one meaning in a file.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define XXH_INLINE_ALL
#define XXH_VECTOR 3  // XXH_AVX512
#include <xxhash.h>
static_assert(XXH_VECTOR == XXH_AVX512);

namespace assay::suites {

uint64_t seeded_hash_by_avx512(const void* bytes, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

}  // namespace assay::suites

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
