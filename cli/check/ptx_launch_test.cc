// SPDX-License-Identifier: Apache-2.0
#include "cli/check/ptx_launch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cli/command.h"

namespace assay::cli::check {
namespace {

TEST(PtxLaunch, ReadsNumbersOfEveryType) {
  const auto word = [](const char* text) {
    const Argument argument = read_argument(text);
    uint64_t value = 0;
    std::memcpy(&value, argument.bytes.data(), argument.bytes.size());
    return std::pair(argument.bytes.size(), value);
  };
  EXPECT_EQ(word("u32:5"), std::pair(size_t{4}, uint64_t{5}));
  EXPECT_EQ(word("s32:-1"), std::pair(size_t{4}, uint64_t{0xffffffff}));
  EXPECT_EQ(word("u64:0x10"), std::pair(size_t{8}, uint64_t{16}));
  EXPECT_EQ(word("u8:7"), std::pair(size_t{1}, uint64_t{7}));
  EXPECT_EQ(word("f32:1.5"), std::pair(size_t{4}, uint64_t{0x3fc00000}));
  EXPECT_EQ(word("s8:-128"), std::pair(size_t{1}, uint64_t{0x80}));
  EXPECT_EQ(word("u64:0xffffffffffffffff"), std::pair(size_t{8}, ~uint64_t{0}));
  for (const char* wrong : {"u32:", "u32:x", "f32:1.5x", "u33:1", "buffer:", "5", "map:f16,64x8",
                            "map:f17,8,box=8", "map:f16,64x8,box=64", "map:f16,64,box=8,swizzle=7B",
                            // What does not fit is never cut.
                            "u8:256", "s8:-129", "u32:4294967296", "u64:18446744073709551616",
                            "map:f16,64,box=4294967304", "map:f16,64x8x8,channels=4294967360,pixels=8",
                            "map:f16,64x8x8,channels=64,pixels=8,lower=4294967295"})
    EXPECT_THROW(read_argument(wrong), UsageError) << wrong;
}

TEST(PtxLaunch, ReadsTensorMaps) {
  const Argument map = read_argument("map_buffer:bf16,64x32,box=64x8,swizzle=128B,pitch=256");
  EXPECT_EQ(map.kind, Argument::Kind::map_buffer);
  EXPECT_EQ(map.element_type, 9);
  EXPECT_EQ(map.extents, (std::vector<uint64_t>{64, 32}));
  EXPECT_EQ(map.box, (std::vector<uint32_t>{64, 8}));
  EXPECT_EQ(map.swizzle, 3);
  EXPECT_EQ(map.pitch, 256u);
}

TEST(PtxLaunch, ReadsSizesAndWhatAFileSays) {
  EXPECT_EQ(read_sizes("--grid", "4"), (std::array<uint32_t, 3>{4, 1, 1}));
  EXPECT_EQ(read_sizes("--grid", "4,2,3"), (std::array<uint32_t, 3>{4, 2, 3}));
  for (const char* wrong : {"1,2,3,4", "", "x", "4294967297", "1,4294967296", "99999999999999999999"})
    EXPECT_THROW(read_sizes("--grid", wrong), UsageError) << wrong;
  EXPECT_EQ(read_size("--launches", "4294967295", 1), 4294967295u);
  EXPECT_EQ(read_size("--shared", "0"), 0u);
  EXPECT_THROW(read_size("--launches", "0", 1), UsageError);
  EXPECT_THROW(read_size("--shared", "4294967296"), UsageError);
  EXPECT_EQ(launch_words("// a\n// launch: --block 32 --arg u32:1\n.version 9.0\n"),
            (std::vector<std::string>{"--block", "32", "--arg", "u32:1"}));
  EXPECT_TRUE(launch_words(".version 9.0\n").empty());
}

TEST(PtxLaunch, KnowsTheKernelsOfAFile) {
  const std::string_view two =
      ".version 9.0\n// .entry none\n/* .entry none */ .visible .entry first(.param .u64 p)\n{\n}\n"
      ".entry\n  second\n(\n)\n.entry third{}";
  EXPECT_EQ(kernels_of(two), (std::vector<std::string>{"first", "second", "third"}));
  EXPECT_TRUE(kernels_of("no PTX /* at all").empty());
  EXPECT_NO_THROW(check_kernel_name("f", two, "second"));
  EXPECT_NO_THROW(check_kernel_name("f", ".entry only()", ""));
  EXPECT_NO_THROW(check_kernel_name("f", "no PTX", "k"));
  const auto refusal = [&](const std::string& kernel) {
    try {
      check_kernel_name("f", two, kernel);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(""), "--kernel: f has 3 kernels; name one of first, second, third");
  EXPECT_EQ(refusal("nosuch"), "--kernel: f has no kernel 'nosuch'; it has first, second, third");
}

}  // namespace
}  // namespace assay::cli::check
