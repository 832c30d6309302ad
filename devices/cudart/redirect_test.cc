// SPDX-License-Identifier: Apache-2.0
#include "devices/cudart/redirect.h"

#include <gtest/gtest.h>

namespace assay::cudart {
namespace {

__attribute__((noinline)) int original(int x) {
  // Long enough for a jump, and nothing that the compiler may fold.
  volatile int sum = 0;
  for (int i = 0; i < x; ++i) sum = sum + i * x;
  return sum;
}
__attribute__((noinline)) int replacement(int x) {
  return x + 1000;
}

TEST(Redirect, CallsOfAFunctionReachAnother) {
  int (*volatile call)(int) = original;
  EXPECT_EQ(call(3), 9);
  ASSERT_TRUE(redirect_function(reinterpret_cast<void*>(original), 32, reinterpret_cast<void*>(replacement)));
  EXPECT_EQ(call(3), 1003);
}

TEST(Redirect, AFunctionWithoutRoomStaysAsItIs) {
  int (*volatile call)(int) = replacement;
  EXPECT_FALSE(redirect_function(reinterpret_cast<void*>(replacement), 8, reinterpret_cast<void*>(original)));
  EXPECT_EQ(call(1), 1001);
}

TEST(ElfFile, KnowsTheRuntimesFunctionsOfThisProgram) {
  const ElfFile self = read_elf("/proc/self/exe");
  EXPECT_TRUE(self.has_symbols);
  EXPECT_FALSE(self.has_fat_binary);
  EXPECT_FALSE(self.needs_runtime);
  // The stand-in's own are linked into this test.
  for (const char* name : {"cudaMalloc", "cudaLaunchKernel", "__cudaRegisterFatBinary", "cudaMemcpy_ptds"})
    EXPECT_TRUE(self.functions.contains(name)) << name;
  EXPECT_FALSE(self.functions.contains("main"));
}

TEST(ElfFile, IsEmptyForWhatIsNone) {
  EXPECT_TRUE(read_elf("/nonexistent").functions.empty());
  EXPECT_FALSE(read_elf("/proc/self/environ").has_symbols);
}

}  // namespace
}  // namespace assay::cudart
