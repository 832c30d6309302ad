// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::suites {

/// True when a and b agree in every bit that the mask (same size, or empty: all) defines. Sizes must agree.
bool equal_where_defined(std::span<const std::byte> a, std::span<const std::byte> b,
                         std::span<const std::byte> mask);

/// The 32-bit word with this index, little-endian.
uint32_t word_at(std::span<const uint8_t> bytes, size_t index);

void append(std::vector<uint8_t>& to, std::span<const std::byte> from);

/// Hash of the bits that the mask defines, seeded: what a conforming case adds to its property's fingerprint.
uint64_t fingerprint(std::span<const std::byte> bytes, std::span<const std::byte> mask, uint64_t seed);

/// How many bytes the mask defines at least one bit of.
uint64_t defined_bytes(std::span<const std::byte> mask);

/// Seed of a conforming case's fingerprint: equal bytes of two cases, or under two ends, do not cancel out.
constexpr uint64_t fingerprint_seed(uint64_t index, int expected_end) {
  return index * 0x9e3779b97f4a7c15ull + static_cast<uint64_t>(expected_end);
}

/// XXH3-128 as 32 hex digits: case ids.
std::string hash_128(std::string_view text);

/// XXH3-64 with a seed: the same value on every machine, by the widest registers of this one.
uint64_t seeded_hash(const void* bytes, size_t size, uint64_t seed);

/// The same by the registers of every x86-64 processor, and by AVX2 and AVX-512, which not all have.
uint64_t seeded_hash_by_sse2(const void* bytes, size_t size, uint64_t seed);
uint64_t seeded_hash_by_avx2(const void* bytes, size_t size, uint64_t seed);
uint64_t seeded_hash_by_avx512(const void* bytes, size_t size, uint64_t seed);

}  // namespace assay::suites
