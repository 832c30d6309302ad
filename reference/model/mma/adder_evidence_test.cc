// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/adder_evidence.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/numerics/random_tile.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using numerics::Arithmetic;
using numerics::Types;

std::string names(const spec::RuleSet& rules) {
  std::string text;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (rules.test(i)) text += (text.empty() ? "" : " ") + std::string(spec::rule_table[i].id);
  return text;
}

/// One row by one column of f16 into f32 on tcgen05; the rest of K is zeros.
std::string of_f16(std::vector<uint32_t> a, std::vector<uint32_t> b, uint32_t c, bool goes_on = false) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f32"), 16};
  const Arithmetic& arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  a.resize(16), b.resize(16);
  const std::array<uint32_t, 1> of_c{c};
  std::array<uint32_t, 1> d{};
  numerics::fast_tile(arithmetic, types, {1, 1, a, b, of_c, {}, {}, 0}, d);
  spec::RuleSet rules;
  note_adder_rules({types, arithmetic, a, b, of_c, d, goes_on}, rules);
  return names(rules);
}

TEST(AdderEvidence, OnesShowNothingOfRoundingNanOrInfinity) {
  EXPECT_EQ(of_f16({0x3c00, 0xbc00, 0x3c00}, {0x3c00, 0x3c00, 0x3c00}, 0x3f800000), "");
  EXPECT_EQ(of_f16({0x3c00, 0xbc00}, {0x3c00, 0x3c00}, 0), "ADD-R12") << "a sum of zero";
}

TEST(AdderEvidence, WhatAnOperandIsShowsItsRule) {
  EXPECT_EQ(of_f16({0x7e00}, {0x3c00}, 0), "ADD-R13") << "NaN";
  EXPECT_EQ(of_f16({0x7c00}, {0x3c00}, 0), "ADD-R14") << "infinity";
  EXPECT_EQ(of_f16({0x7c00, 0xfc00}, {0x3c00, 0x3c00}, 0), "ADD-R13") << "both infinities";
  EXPECT_EQ(of_f16({0x3c00}, {0x3c00}, 0x7f800000), "ADD-R14") << "an infinite C";
  EXPECT_EQ(of_f16({0x0001}, {0x3c00}, 0), "ADD-R03") << "a subnormal";
}

TEST(AdderEvidence, WhatIsLostShowsHowManyBitsAreKept) {
  // 2^15 * 2^15 and 2^-14 * 2^-9: bits 53 places apart.
  EXPECT_EQ(of_f16({0x7800, 0x0400}, {0x7800, 0x1800}, 0), "ADD-R01 ADD-R02 ADD-R04 ADD-R07 ADD-R10");
  EXPECT_EQ(of_f16({0x7800, 0x0400}, {0x7800, 0x1800}, 0, true),
            "ADD-R01 ADD-R02 ADD-R04 ADD-R07 ADD-R10 ADD-R16")
      << "and goes on with what is left";
}

// 2^-25 + 2^-46 into f16: the second is kept and decides the tie, with a floor one higher it is lost.
TEST(AdderEvidence, WhatLiesAtTheFloorShowsIt) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f16"), 16};
  Arithmetic arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  std::vector<uint32_t> a(16), b(16);
  a[0] = 0x0c00, b[0] = 0x0800, a[1] = b[1] = 0x0002;
  const std::array<uint32_t, 1> c{};
  std::array<uint32_t, 1> d{};
  const auto multiply = [&] { numerics::fast_tile(arithmetic, types, {1, 1, a, b, c, {}, {}, 0}, d); };
  multiply();
  EXPECT_EQ(d[0], 1u);
  spec::RuleSet rules;
  note_adder_rules({types, arithmetic, a, b, c, d}, rules);
  EXPECT_TRUE(rules.test(spec::rule("ADD-R09"))) << names(rules);
  ++arithmetic.floor_exponent;
  multiply();
  EXPECT_EQ(d[0], 0u);
  // From 2^-45 on there is nothing that the floor could cut.
  b[1] = 0x0004;
  rules.reset();
  --arithmetic.floor_exponent;
  note_adder_rules({types, arithmetic, a, b, c, d}, rules);
  EXPECT_FALSE(rules.test(spec::rule("ADD-R09"))) << names(rules);
}

/// A machine that breaks one rule, and the rules of which one must have been noted where it shows.
struct Rival {
  const char* what;
  void (*change)(Arithmetic&, const Types&);
  std::vector<const char*> rules;
};

// Whatever a device that is wrong in one rule gives differently, that rule was noted: no case that could
// refute a rule goes uncounted.
TEST(AdderEvidence, WhereAWrongAdderShowsItsRuleIsNoted) {
  const Rival rivals[] = {
      {"one bit less", [](Arithmetic& a, const Types&) { --a.kept_bits; }, {"ADD-R04", "ADD-R05", "ADD-R06"}},
      {"terms rounded",
       [](Arithmetic& a, const Types&) { a.term_rounding = spec::Rounding::nearest_even; },
       {"ADD-R01"}},
      {"a result of one bit less",
       [](Arithmetic& a, const Types&) { --a.result_bits; },
       {"ADD-R10", "ADD-R11"}},
      {"two blocks", [](Arithmetic& a, const Types& t) { a.fused_terms = t.k / 2; }, {"ADD-R07"}},
      {"C last",
       [](Arithmetic& a, const Types&) { a.accumulator = numerics::AccumulatorPlace::added_last; },
       {"ADD-R07"}},
      {"subnormals aligned by their own bit",
       [](Arithmetic& a, const Types&) { a.subnormals_align_at_emin = false; },
       {"ADD-R03"}},
      {"another NaN", [](Arithmetic& a, const Types&) { a.nan ^= 1; }, {"ADD-R13"}},
      {"minus zero", [](Arithmetic& a, const Types&) { a.underflow_keeps_sign = true; }, {"ADD-R12"}},
  };
  numerics::TileMaker maker(77);
  std::array<int, std::size(rivals)> shown{};
  for (const numerics::Instruction& row : numerics::instructions()) {
    const auto& arithmetic = row.arithmetic;
    const bool plain = (row.family == "tcgen05" || row.family == "wgmma") && row.scale.empty() &&
                       arithmetic.scheme == numerics::Scheme::fused;
    if (!plain) continue;
    const std::string_view type = row.types.substr(0, row.types.find(' '));
    const spec::Format* format = spec::find_format(type);
    const Types types{format, format, spec::find_format(row.d), row.k[0]};
    for (int round = 0; round < 40 * numerics::mix_count; ++round) {
      const numerics::RandomTile made =
          maker.make(types, 1, 1, static_cast<numerics::Mix>(round % numerics::mix_count));
      const numerics::Tile tile = made.tile(1, 1);
      std::array<uint32_t, 1> d{}, wrong{};
      numerics::fast_tile(arithmetic, types, tile, d);
      spec::RuleSet rules;
      note_adder_rules({types, arithmetic, made.a, made.b, made.c, d, false, tile.scale_input_d}, rules);
      for (size_t i = 0; i < std::size(rivals); ++i) {
        Arithmetic changed = arithmetic;
        rivals[i].change(changed, types);
        numerics::fast_tile(changed, types, tile, wrong);
        if (wrong == d) continue;
        ++shown[i];
        bool noted = false;
        for (const char* id : rivals[i].rules) noted |= rules.test(*spec::find_rule(id));
        EXPECT_TRUE(noted) << rivals[i].what << ", " << row.family << " " << row.kind << ": " << names(rules);
      }
    }
  }
  for (size_t i = 0; i < std::size(rivals); ++i) EXPECT_GT(shown[i], 0) << rivals[i].what << " never shows";
}

}  // namespace
}  // namespace assay::model
