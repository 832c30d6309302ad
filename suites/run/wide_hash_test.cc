// SPDX-License-Identifier: Apache-2.0
#include "suites/run/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay::suites {
namespace {

TEST(WideHash, HasOneValueOnEveryMachine) {
  std::vector<unsigned char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + i / 256);
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  for (size_t size = 0; size <= bytes.size(); size += size < 300 ? 1 : 61)
    for (const uint64_t seed : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}})
      EXPECT_EQ(seeded_hash_by_avx2(bytes.data(), size, seed), seeded_hash_by_sse2(bytes.data(), size, seed))
          << size << " bytes, seed " << seed;
}

}  // namespace
}  // namespace assay::suites
