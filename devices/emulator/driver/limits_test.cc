// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/device_facts.h"

#include <gtest/gtest.h>

#include "devices/emulator/driver/driver_rig.h"

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
