// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/encode.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "reference/model/case_json.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map_bits.h"

#include <nlohmann/json.hpp>

namespace assay::model {
namespace {

const spec::Readings on_sm_90(spec::Arch::sm_90);

/// FLOAT16 64 x 40 x 50 x 8, dense, corners of -1, 64 channels, 64 pixels (h200, X rows: I0).
EncodeIm2colCase base_call() {
  EncodeIm2colCase call;
  TensorMapArgs& m = call.map;
  m.data_type = 6;
  m.rank = 4;
  m.global_address = 0x100000;
  m.global_dim = {64, 40, 50, 8};
  m.global_stride = {128, 5120, 256000};
  m.element_stride = {1, 1, 1, 1};
  call.map.lower = call.map.upper = {-1, -1, 0};
  call.map.channels = call.map.pixels = 64;
  return call;
}

std::string words_of(std::span<const std::byte> map) {
  std::string text;
  for (size_t at = 0; at < map.size(); at += 4) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; ++i) word |= std::to_integer<uint32_t>(map[at + i]) << (8 * i);
    char digits[10];
    std::snprintf(digits, sizeof digits, "%x ", word);
    text += digits;
  }
  return text;
}

bool is_accepted(const EncodeIm2colCase& call, const spec::Readings& readings = on_sm_90) {
  return predict_encode(call, readings).accepted;
}

// Worked out by hand from the positions that were read off the driver.
TEST(EncodeIm2col, WritesEveryFieldWhereItWasSeen) {
  const std::string nothing_behind = "0 0 0 0 0 0 0 0 0 0 0 0 0 ";
  EXPECT_EQ(words_of(predict_encode(base_call(), on_sm_90).map),
            "100000 0 331 8 140 3e80 0 0 3f 27 31 7 0 3f000000 ffffffff 3f 2000 0 10 " + nothing_behind);

  EncodeIm2colCase five = base_call();
  TensorMapArgs& m = five.map;
  m.rank = 5;
  m.data_type = 12;  // tf32.ftz
  m.global_address = 0x1fffffffffffff0;
  m.global_dim = {8, 7, 6, 5, uint64_t{1} << 32};
  m.global_stride = {(uint64_t{1} << 40) - 16, 16, 0, uint64_t{1} << 36};
  m.element_stride = {8, 7, 6, 5, 4};
  m.interleave = 1;
  m.swizzle = 2;
  m.l2_promotion = 3;
  m.oob_fill = 1;
  five.map.lower = {-16, 3, -1};
  five.map.upper = {15, -1, 2};
  five.map.channels = 4;
  five.map.pixels = 1024;
  EXPECT_EQ(words_of(predict_encode(five, on_sm_90).map),
            "fffffff0 1ffffff 7cc41 ffffffff 1 0 0 100f 7 6 5 4 ffffffff 3003977 bef7c70 3ff 4000 0 200 " +
                nothing_behind);
}

TEST(EncodeIm2col, CornersGoWithTheRank) {
  EncodeIm2colCase call = base_call();
  call.map.lower = {-128, 127, 0};
  call.map.upper = {127, -40, 0};
  const auto corners = [](const EncodeIm2colCase& c) {
    const auto map = predict_encode(c, on_sm_90).map;
    return words_of(std::span(map).subspan(0x38, 4));
  };
  call.map.global_dim = {64, 400, 400, 8};
  EXPECT_EQ(corners(call), "d87f7f80 ");
  call.map.rank = 3;
  call.map.lower = {-32768, 99, 99};
  call.map.upper = {-2, 99, 99};
  EXPECT_EQ(corners(call), "fffe8000 ");
}

TEST(EncodeIm2col, EmptinessOfTheBoxIsSeenInThirtyTwoBits) {
  EncodeIm2colCase call = base_call();
  call.map.lower = call.map.upper = {0, 0, 0};
  call.map.global_dim[1] = uint64_t{1} << 31;
  EXPECT_FALSE(is_accepted(call));
  EXPECT_TRUE(broken_rule_set(call, on_sm_90)[spec::rule("V-34")]);
  spec::Readings exact(spec::Arch::sm_90);
  exact.choose({"X-07", "exactly"});
  EXPECT_TRUE(is_accepted(call, exact));
  call.map.global_dim[1] = (uint64_t{1} << 31) - 1;
  EXPECT_TRUE(is_accepted(call));
  call.map.global_dim[1] = uint64_t{1} << 32;  // counts as 0
  EXPECT_FALSE(is_accepted(call));
  call.map.lower[0] = -1;
  EXPECT_TRUE(is_accepted(call));
}

TEST(EncodeIm2col, AWideCallIsAPlainOneOnSm90) {
  EncodeIm2colCase wide = base_call();
  wide.map.wide = true;
  wide.map.wide_mode = 1;
  EncodeIm2colCase plain = base_call();
  plain.map.lower[1] = plain.map.upper[1] = 0;
  EXPECT_EQ(predict_encode(wide, on_sm_90).map, predict_encode(plain, on_sm_90).map);
  wide.map.pixels = 2000;
  EXPECT_FALSE(is_accepted(wide)) << "mode W128 does not lift the limit there";
  const spec::Readings on_sm_100(spec::Arch::sm_100);
  EXPECT_TRUE(broken_rule_set(wide, on_sm_100)[spec::rule("V-38")]);
  wide.map.swizzle = 3;
  EXPECT_TRUE(is_accepted(wide, on_sm_100));
}

TEST(EncodeIm2col, ARefusedCallLeavesZerosOrTheMapAsItWas) {
  EncodeIm2colCase call = base_call();
  call.map.pixels = 0;
  EXPECT_TRUE(predict_encode(call, on_sm_90).map_untouched);
  call.map.pixels = 1025;
  const EncodePrediction emptied = predict_encode(call, on_sm_90);
  EXPECT_TRUE(emptied.map_emptied);
  EXPECT_EQ(emptied.defined[0x3d], std::byte{0xfc}) << "bits above the pixels are zero";
  EXPECT_EQ(emptied.defined[0x38], std::byte{0}) << "corners may have been written";
}

TEST(EncodeIm2col, EveryRuleOfItsOwnIsBrokenBySomeCall) {
  spec::RuleSet seen;
  const spec::Readings on_sm_100(spec::Arch::sm_100);
  spec::Readings without_wide(spec::Arch::sm_90);
  without_wide.choose({"X-12", "refused"});
  const auto look = [&](auto change, const spec::Readings& readings) {
    EncodeIm2colCase call = base_call();
    change(call.map);
    seen |= broken_rule_set(call, readings);
  };
  using Map = Im2colMapArgs;
  look([](Map& m) { m.lower[1] = -129; }, on_sm_90);
  look([](Map& m) { m.channels = 257; }, on_sm_90);
  look([](Map& m) { m.pixels = 1025; }, on_sm_90);
  look([](Map& m) { m.upper[0] = -41; }, on_sm_90);
  look([](Map& m) { m.channels = 60; }, on_sm_90);
  look([](Map& m) { m.wide = true; }, without_wide);
  look([](Map& m) { m.wide = true, m.lower[0] = -32769, m.interleave = 1; }, on_sm_100);
  look([](Map& m) { m.wide = true, m.wide_mode = 2; }, on_sm_100);
  std::string missing;
  for (const spec::Rule& rule : spec::im2col_rules)
    if (rule.id.starts_with("V-") && !seen[*spec::find_rule(rule.id)]) missing += std::string(rule.id) + " ";
  EXPECT_EQ(missing, "");
}

TEST(EncodeIm2col, CasesAreReadBackAsTheyWereWritten) {
  EncodeIm2colCase call = base_call();
  call.null_mask = 32;
  call.map.lower = {-7, 8, -9};
  EXPECT_EQ(case_from_json<EncodeIm2colCase>(to_json(call)), call);
  EXPECT_THROW(case_from_json<EncodeIm2colCase>({{"map", {{"box_dim", {1, 1, 1, 1, 1}}}}}),
               std::runtime_error);
}

}  // namespace
}  // namespace assay::model
