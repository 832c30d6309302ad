// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/settings.h"

#include <gtest/gtest.h>

#include "devices/emulator/driver/driver_rig.h"

namespace assay::emulator {
namespace {

/// The table that rules and forms are read from and the emulator's own were written apart. A cell that is
/// altered in either is found here; a new column does not compile until it is compared too.
TEST(Targets, BothTablesSayTheSameOfEveryArchitecture) {
  struct Golden {
    std::string_view target;
    uint32_t shared_bytes;
    int ptx;
    int capability;
    bool is_measured, is_encoder_known;
    uint32_t threads, ctas;
  };
  const Golden golden[] = {{"sm_90a", 232448, 80, 90, true, true, 2048, 32},
                           {"sm_100a", 232448, 86, 100, false, true, 2048, 32},
                           {"sm_103a", 232448, 88, 103, false, true, 2048, 32},
                           {"sm_107a", 334848, 94, 107, false, false, 2048, 32},
                           {"sm_110a", 232448, 90, 110, false, false, 1536, 24},
                           {"sm_120a", 101376, 87, 120, false, false, 1536, 24}};
  ASSERT_EQ(std::size(golden), spec::architectures.size());
  for (const Target arch : spec::all_archs) {
    const auto& [target, shared_bytes, ptx, is_measured, is_encoder_known, has_wgmma, has_tcgen05,
                 has_tcgen05_i8, has_scale_d, has_k96, has_absolute_leading, has_ld_red, has_swizzle_96B,
                 halves_b6_stores, has_rs, has_mma_kinds, has_32_ctas] = spec::row_of(arch);
    const auto& [warpgroups, tensor_memory, bytes, scales_d, products_96, absolute, reduces, swizzle_96B,
                 relaxed, rounds_at_random, reduces_floats, kinds, most_threads, most_ctas, shared, columns,
                 masks_32] = facts_of(arch);
    const Golden& known = golden[static_cast<size_t>(arch)];
    EXPECT_EQ(target, known.target);
    EXPECT_EQ(shared_bytes, known.shared_bytes) << target;
    EXPECT_EQ(ptx, known.ptx) << target;
    EXPECT_EQ(spec::capability(arch), known.capability) << target;
    EXPECT_EQ(is_measured, known.is_measured) << target;
    EXPECT_EQ(is_encoder_known, known.is_encoder_known) << target;
    EXPECT_EQ(has_wgmma, warpgroups) << target;
    EXPECT_EQ(has_tcgen05, tensor_memory) << target;
    EXPECT_EQ(has_tcgen05_i8, bytes) << target;
    EXPECT_EQ(has_scale_d, scales_d) << target;
    EXPECT_EQ(has_k96, products_96) << target;
    EXPECT_EQ(has_absolute_leading, absolute) << target;
    EXPECT_EQ(has_ld_red, reduces) << target;
    EXPECT_EQ(has_swizzle_96B, swizzle_96B) << target;
    EXPECT_EQ(halves_b6_stores, relaxed) << target;
    EXPECT_EQ(has_rs, rounds_at_random) << target;
    EXPECT_EQ(has_mma_kinds, kinds) << target;
    EXPECT_EQ(has_32_ctas, masks_32) << target;
    EXPECT_EQ(columns, known.capability == 107 ? 576 : 512) << target;
    // 100 KiB of sm_120a are not kept to.
    EXPECT_EQ(shared, arch == Target::sm_120 ? 228u << 10 : shared_bytes + 1024) << target;
    EXPECT_EQ(std::pair(most_threads, most_ctas), std::pair(known.threads, known.ctas)) << target;
    // What tcgen05.mma scales, redux.sync reduces: both are of the family of sm_100 (PTX ISA 9.0).
    EXPECT_EQ(reduces_floats, known.capability / 10 == 10) << target;
  }
}

TEST(DriverSettings, EveryWordIsRead) {
  Settings settings;
  EXPECT_EQ(
      parse_settings(
          "sm_103a,schedule=random:77,strict,fault=tx_16_short,reading=TMA-AMB-11:B,reading=X-17:A,limit=9",
          settings),
      "");
  EXPECT_EQ(settings.target, Target::sm_103);
  EXPECT_EQ(settings.completion, Completion::random);
  EXPECT_EQ(settings.seed, 77u);
  EXPECT_TRUE(settings.strict);
  EXPECT_EQ(settings.fault, "tx_16_short");
  ASSERT_EQ(settings.readings.size(), 2u);
  EXPECT_EQ(settings.readings[1], std::pair(std::string("X-17"), 'A'));
  EXPECT_EQ(settings.instruction_limit, 9u);
  EXPECT_EQ(parse_settings("", settings), "");
  EXPECT_EQ(settings.target, Target::sm_100);
  EXPECT_FALSE(settings.moves_tensor_memory);
  EXPECT_EQ(settings.workers, 0u);
  EXPECT_EQ(parse_settings("schedule=lazy,tmem_base=random,workers=3", settings), "");
  EXPECT_EQ(settings.completion, Completion::lazy);
  EXPECT_EQ(settings.workers, 3u);
  EXPECT_TRUE(settings.moves_tensor_memory);
}

TEST(DriverSettings, AWrongWordIsNamedWithWhatWouldBeRight) {
  const std::pair<const char*, const char*> wrong[] = {{"sm_80", "sm_90a"},
                                                       {"schedule=sometimes", "eager, lazy"},
                                                       {"schedule=random:x", "random:SEED"},
                                                       {"tmem_base=high", "lowest, random"},
                                                       {"fault=gravity", "tx_16_short"},
                                                       {"reading=TMA-AMB-11", "ID:LETTER"},
                                                       {"reading=TMA-AMB-11:Z", "AB"},
                                                       {"reading=TMA-AMB-99:A", "TMA-AMB-11"},
                                                       {"limit=ten", "number"},
                                                       {"limit=", "number"},
                                                       {"workers=1025", "0 to 1024"},
                                                       {"workers=all", "0 to 1024"}};
  for (const auto& [text, hint] : wrong) {
    Settings settings;
    const std::string sentence = parse_settings(text, settings);
    EXPECT_NE(sentence.find(hint), std::string::npos) << text << ": " << sentence;
  }
}

}  // namespace
}  // namespace assay::emulator

/// What an H200's driver gives and refuses, and what its launches do at the limits.
namespace assay::emulator {
namespace {

class Limits : public DriverRig {
 protected:
  void SetUp() override { start(); }
  static size_t now(int limit) {
    size_t value = 0;
    EXPECT_EQ(cuCtxGetLimit(&value, limit), abi::success) << limit;
    return value;
  }
};

TEST_F(Limits, AreRoundedClampedAndRefusedAsByTheDriver) {
  EXPECT_EQ(now(0), 1024u);
  EXPECT_EQ(cuCtxSetLimit(0, 1000), abi::success);
  EXPECT_EQ(now(0), 1008u);
  EXPECT_EQ(cuCtxSetLimit(0, 523264), abi::success);
  EXPECT_EQ(cuCtxSetLimit(0, 524288), abi::invalid_value);
  EXPECT_EQ(now(0), 523264u) << "what is refused changes nothing";
  EXPECT_EQ(now(1), 8650752u);
  EXPECT_EQ(cuCtxSetLimit(1, 4096), abi::success);
  EXPECT_EQ(now(1), 524288u);
  EXPECT_EQ(cuCtxSetLimit(1, size_t{1} << 40), abi::success);
  EXPECT_EQ(now(1), size_t{1} << 31);
  EXPECT_EQ(cuCtxSetLimit(5, 4096), abi::invalid_value);
  EXPECT_EQ(now(7), 232448u);
  EXPECT_EQ(cuCtxSetLimit(7, 4096), abi::not_permitted);
  size_t value;
  EXPECT_EQ(cuCtxGetLimit(&value, 3), abi::unsupported_limit);
  EXPECT_EQ(cuCtxSetLimit(3, 1), abi::unsupported_limit);
  EXPECT_EQ(cuCtxGetLimit(&value, 8), abi::unsupported_limit);
}

/// Calls itself %r1 times; each call has 256 bytes of its own.
constexpr const char* recursion = R"(
.func f(.reg .b32 %n) {
.local .align 8 .b8 own[256];
.reg .pred %p;
.reg .b32 %r<2>;
st.local.u32 [own], %n;
setp.eq.u32 %p, %n, 0;
@%p ret;
sub.u32 %r1, %n, 1;
call f, (%r1);
ret;
}
.visible .entry recurse(.param .u32 depth) {
.reg .b32 %r<2>;
ld.param.u32 %r1, [depth];
call f, (%r1);
ret;
})";

/// (H200: with 256 bytes a call, 1,024 bytes hold a depth of 2 and not of 4, 65,536 one of 200 and not of
/// 256.)
TEST_F(Limits, CallsBeyondTheStackAreIllegalAddresses) {
  struct {
    size_t stack;
    uint32_t holds, too_deep;
  } const rows[] = {{1024, 2, 4}, {65536, 200, 256}};
  for (const auto& row : rows) {
    start();
    ASSERT_EQ(cuCtxSetLimit(0, row.stack), abi::success);
    const abi::Function kernel = function(recursion, "recurse");
    uint32_t depth = row.holds;
    EXPECT_EQ(run(kernel, {&depth}, 1, 1), abi::success) << notes();
    depth = row.too_deep;
    EXPECT_EQ(run(kernel, {&depth}, 1, 1), abi::illegal_address) << row.stack;
    EXPECT_NE(notes().find("CU_LIMIT_STACK_SIZE is " + std::to_string(row.stack)), std::string::npos);
  }
}

/// Prints %r1 lines of one number each.
constexpr const char* talk = R"(
.extern .func (.param .b32 a) vprintf(.param .b64 b, .param .b64 c);
.global .align 1 .b8 text[4] = {37, 117, 10, 0};
.visible .entry talk(.param .u32 lines) {
.local .align 8 .b8 own[8];
.reg .pred %p;
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.param.u32 %r1, [lines];
mov.u64 %rd1, own;
cvta.local.u64 %rd2, %rd1;
mov.u64 %rd1, text;
cvta.global.u64 %rd3, %rd1;
mov.u32 %r2, 0;
LOOP:
st.local.u32 [own], %r2;
{ .param .b64 x; st.param.b64 [x], %rd3;
.param .b64 y; st.param.b64 [y], %rd2;
.param .b32 z;
call (z), vprintf, (x, y); }
add.u32 %r2, %r2, 1;
setp.lt.u32 %p, %r2, %r1;
@%p bra LOOP;
ret;
})";

/// (H200: of 20,000 such lines in 524,288 bytes the first 3,730 are gone; in 1 MiB there is room for all.)
TEST_F(Limits, TheOldestOfTooMuchPrintedIsLost) {
  const abi::Function kernel = function(talk, "talk");
  uint32_t lines = 20000;
  ASSERT_EQ(cuCtxSetLimit(1, 524288), abi::success);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(kernel, {&lines}, 1, 1), abi::success) << notes();
  const std::string little = testing::internal::GetCapturedStdout();
  const int first = std::stoi(little);
  EXPECT_GE(first, 3500);
  EXPECT_LE(first, 3730);
  EXPECT_TRUE(little.ends_with("\n19998\n19999\n"));
  ASSERT_EQ(cuCtxSetLimit(1, 1 << 20), abi::success);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(kernel, {&lines}, 1, 1), abi::success) << notes();
  EXPECT_TRUE(testing::internal::GetCapturedStdout().starts_with("0\n1\n"));
}

/// A kernel that keeps `count` values of 32 bits at once.
std::string keeps(int count, const std::string& directive) {
  std::string text = ".visible .entry keep(.param .u64 p)\n" + directive +
                     "{\n.reg .b64 %rd<2>;\n.reg .b32 %r<" + std::to_string(count + 1) +
                     ">;\nld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < count; ++i)
    text += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  for (int i = count; i-- > 0;)
    text += "st.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
  return text + "ret;\n}";
}

/// (H200: a kernel of 127 registers runs with 512 threads; 513 are CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, and
/// the context stays whole.)
TEST_F(Limits, ThreadsThatNeedMoreRegistersThanThereAreAreRefused) {
  abi::DevicePtr memory = allocate(4096);
  abi::Function kernel = function(keeps(125, ""), "keep");
  int value = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, abi::function_registers, kernel), abi::success);
  EXPECT_EQ(value, 127) << "125 values and an address";
  EXPECT_EQ(cuFuncGetAttribute(&value, abi::function_max_threads, kernel), abi::success);
  EXPECT_EQ(value, 512);
  EXPECT_EQ(run(kernel, {&memory}, 1, 512), abi::success) << notes();
  EXPECT_EQ(run(kernel, {&memory}, 1, 513), abi::launch_out_of_resources);
  EXPECT_EQ(run(kernel, {&memory}, 1, 512), abi::success) << "the refusal does not last";
  int blocks = 0;
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0), abi::success);
  EXPECT_EQ(blocks, 4) << "65,536 registers of 128 for each of 128 threads";

  // ptxas keeps to what a kernel says of its threads.
  kernel = function(keeps(125, ".maxntid 1024, 1, 1\n"), "keep");
  EXPECT_EQ(cuFuncGetAttribute(&value, abi::function_registers, kernel), abi::success);
  EXPECT_EQ(value, 64);
  EXPECT_EQ(run(kernel, {&memory}, 1, 1024), abi::success) << notes();
}

}  // namespace
}  // namespace assay::emulator
