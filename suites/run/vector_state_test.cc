// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <array>
#include <functional>
#include <vector>

#include "reference/layout/swizzle.h"
#include "reference/numerics/fast_kernels.h"
#include "suites/run/bytes.h"

namespace assay::suites {
namespace {

/// Those that this processor has.
std::vector<uint64_t (*)(const void*, size_t, uint64_t)> wide_hashes() {
  std::vector<uint64_t (*)(const void*, size_t, uint64_t)> all;
  if (__builtin_cpu_supports("avx2")) all.push_back(seeded_hash_by_avx2);
  if (__builtin_cpu_supports("avx512f")) all.push_back(seeded_hash_by_avx512);
  return all;
}

#if defined(__x86_64__)

using Registers = std::array<std::array<uint64_t, 4>, 16>;

[[gnu::noinline]] void set_all() {
#define ASSAY_SET(n) "vcmptrueps %%ymm" #n ", %%ymm" #n ", %%ymm" #n "\n"
  asm volatile(ASSAY_SET(0) ASSAY_SET(1) ASSAY_SET(2) ASSAY_SET(3) ASSAY_SET(4) ASSAY_SET(5) ASSAY_SET(6)
                   ASSAY_SET(7) ASSAY_SET(8) ASSAY_SET(9) ASSAY_SET(10) ASSAY_SET(11) ASSAY_SET(12)
                       ASSAY_SET(13) ASSAY_SET(14) ASSAY_SET(15)
               :
               :
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                 "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#undef ASSAY_SET
}

[[gnu::noinline]] void read_all(Registers& to) {
#define ASSAY_READ(n) "vmovups %%ymm" #n ", 32*" #n "(%0)\n"
  asm volatile(ASSAY_READ(0) ASSAY_READ(1) ASSAY_READ(2) ASSAY_READ(3) ASSAY_READ(4) ASSAY_READ(5)
                   ASSAY_READ(6) ASSAY_READ(7) ASSAY_READ(8) ASSAY_READ(9) ASSAY_READ(10) ASSAY_READ(11)
                       ASSAY_READ(12) ASSAY_READ(13) ASSAY_READ(14) ASSAY_READ(15)
               :
               : "r"(&to)
               : "memory");
#undef ASSAY_READ
}

/// Registers whose upper halves are not clear after the call.
int left_behind(const std::function<void()>& call) {
  Registers registers{};
  set_all();
  call();
  read_all(registers);
  int dirty = 0;
  for (const auto& words : registers) dirty += words[2] != 0 || words[3] != 0;
  return dirty;
}

// Where they are not, each SSE instruction that follows waits for what lies there: on a Xeon products take
// half as long again (Intel 64 and IA-32 Architectures Optimization Reference Manual, Mixing AVX Code with
// SSE Code).
TEST(VectorState, WideFunctionsLeaveTheUpperHalvesClear) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the processor has no AVX2";
  EXPECT_EQ(left_behind([] {}), 16) << "nothing clears them";
  std::vector<std::byte> bytes(1 << 12), other(1 << 12);
  for (const auto hash : wide_hashes())
    EXPECT_EQ(left_behind([&] { hash(bytes.data(), bytes.size(), 1); }), 0);
  const auto lines = model::every_line_copies();
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    const model::SwizzlePattern swizzle{};
    EXPECT_EQ(left_behind([&] { lines[i].place(swizzle, bytes.data(), 0, other.data(), 128, 16); }), 0) << i;
    EXPECT_EQ(left_behind([&] { lines[i].fetch(swizzle, bytes.data(), 128, other.data(), 0, 16); }), 0) << i;
  }
  const std::vector<uint32_t> codes(64);
  std::vector<double> values(64);
  const auto kernels = numerics::kernels_of_this_processor();
  for (size_t i = 0; i + 1 < kernels.size(); ++i) {
    const numerics::Kernels& k = kernels[i];
    EXPECT_EQ(left_behind([&] { k.widen(codes.data(), true, 64, values.data()); }), 0) << k.target;
    EXPECT_EQ(
        left_behind([&] { k.chain(values.data(), values.data(), values.data(), 1, 64, 0, values.data()); }),
        0)
        << k.target;
  }
}

#endif

TEST(WideHash, HasOneValueOnEveryMachine) {
  std::vector<unsigned char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + i / 256);
  if (wide_hashes().empty()) GTEST_SKIP() << "this processor has no AVX2";
  for (size_t size = 0; size <= bytes.size(); size += size < 300 ? 1 : 61)
    for (const uint64_t seed : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}})
      for (const auto hash : wide_hashes())
        EXPECT_EQ(hash(bytes.data(), size, seed), seeded_hash_by_sse2(bytes.data(), size, seed))
            << size << " bytes, seed " << seed;
}

}  // namespace
}  // namespace assay::suites
