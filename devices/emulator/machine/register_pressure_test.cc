// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/program.h"

#include <gtest/gtest.h>

#include <string>

#include "devices/emulator/gpu.h"

namespace assay::emulator {
namespace {

uint32_t registers_of(const std::string& body) {
  const auto gpu = Gpu::create({});
  auto loaded = gpu->load(
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [out];\n" +
      body + "ret;\n}\n");
  if (const auto* wrong = std::get_if<Diagnostic>(&loaded)) {
    ADD_FAILURE() << wrong->message;
    return 0;
  }
  return std::get<0>(loaded)->find_kernel("k")->registers();
}

const std::string four_loads =
    "ld.global.u32 %r4, [%rd1];\nld.global.u32 %r5, [%rd1+4];\n"
    "ld.global.u32 %r6, [%rd1+8];\nld.global.u32 %r7, [%rd1+12];\n"
    "add.u32 %r4, %r4, %r5;\nadd.u32 %r6, %r6, %r7;\nadd.u32 %r4, %r4, %r6;\n";

// The address, which is two, and what the four loads bring.
TEST(RegisterPressure, CountsWhatLivesAtOnce) {
  EXPECT_EQ(registers_of(four_loads + "st.global.u32 [%rd1], %r4;\n"), 6u);
}

// %r1 is read at the top of the outer loop alone, and lives through the inner one all the same, as its sum
// %r2 and the inner count %r3 do.
TEST(RegisterPressure, FollowsWhatTheNextRoundReads) {
  EXPECT_EQ(registers_of("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
                         "OUTER:\nadd.u32 %r2, %r2, %r1;\nmov.u32 %r3, 0;\n"
                         "INNER:\n" +
                         four_loads +
                         "add.u32 %r2, %r2, %r4;\nadd.u32 %r3, %r3, 1;\n"
                         "setp.lt.u32 %p1, %r3, 8;\n@%p1 bra INNER;\n"
                         "setp.lt.u32 %p2, %r2, 1000;\n@%p2 bra OUTER;\nst.global.u32 [%rd1], %r2;\n"),
            9u);
}

// A result under a guard may leave the old value in place: it lives on.
TEST(RegisterPressure, AGuardedResultEndsNothing) {
  EXPECT_EQ(registers_of("mov.u32 %r1, 5;\nsetp.eq.u32 %p1, %r1, 6;\n" + four_loads +
                         "@%p1 mov.u32 %r1, %r4;\nst.global.u32 [%rd1], %r1;\n"),
            7u);
}

}  // namespace
}  // namespace assay::emulator
