// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::suites {

/// XXH3-64 with a seed: the same value on every machine, by the widest registers of this one.
uint64_t seeded_hash(const void* bytes, size_t size, uint64_t seed);

/// The same by the registers of every x86-64 processor, and by AVX2, which not all have.
uint64_t seeded_hash_by_sse2(const void* bytes, size_t size, uint64_t seed);
uint64_t seeded_hash_by_avx2(const void* bytes, size_t size, uint64_t seed);

}  // namespace assay::suites
