// SPDX-License-Identifier: Apache-2.0
#include "suites/run/bytes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace assay::suites {

bool equal_where_defined(std::span<const std::byte> a, std::span<const std::byte> b,
                         std::span<const std::byte> mask) {
  if (a.size() != b.size()) return false;
  if (a.empty()) return true;  // its place may be null, which memcmp does not take
  if (mask.empty()) return std::memcmp(a.data(), b.data(), a.size()) == 0;
  size_t i = 0;
  for (; i + 8 <= a.size(); i += 8) {
    uint64_t x, y, m;
    std::memcpy(&x, a.data() + i, 8);
    std::memcpy(&y, b.data() + i, 8);
    std::memcpy(&m, mask.data() + i, 8);
    if (((x ^ y) & m) != 0) return false;
  }
  for (; i < a.size(); ++i)
    if (((a[i] ^ b[i]) & mask[i]) != std::byte{0}) return false;
  return true;
}

uint32_t word_at(std::span<const uint8_t> bytes, size_t index) {
  uint32_t word;
  std::memcpy(&word, &bytes[4 * index], sizeof word);
  return word;
}

void append(std::vector<uint8_t>& to, std::span<const std::byte> from) {
  const auto* first = reinterpret_cast<const uint8_t*>(from.data());
  to.insert(to.end(), first, first + from.size());
}

uint64_t seeded_hash_by_sse2(const void* bytes, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

uint64_t seeded_hash(const void* bytes, size_t size, uint64_t seed) {
  static const auto by_widest = __builtin_cpu_supports("avx512f") ? seeded_hash_by_avx512
                                : __builtin_cpu_supports("avx2")  ? seeded_hash_by_avx2
                                                                  : seeded_hash_by_sse2;
  return by_widest(bytes, size, seed);
}

uint64_t fingerprint(std::span<const std::byte> bytes, std::span<const std::byte> mask, uint64_t seed) {
  if (mask.empty()) return seeded_hash(bytes.data(), bytes.size(), seed);
  std::array<std::byte, 512> piece;
  uint64_t hash = seed;
  for (size_t at = 0; at < bytes.size(); at += piece.size()) {
    const size_t n = std::min(piece.size(), bytes.size() - at);
    for (size_t i = 0; i < n; ++i) piece[i] = bytes[at + i] & mask[at + i];
    hash = seeded_hash(piece.data(), n, hash);
  }
  return hash;
}

uint64_t defined_bytes(std::span<const std::byte> mask) {
  uint64_t n = 0;
  for (const std::byte b : mask) n += b != std::byte{0};
  return n;
}

std::string hash_128(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits;
}

}  // namespace assay::suites
