// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_im2col.h"

#include <gtest/gtest.h>

#include <string>

#include "reference/model/tensor_map/encode_im2col.h"
#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

constexpr spec::Arch architectures[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103};

std::string ids_of(const spec::RuleSet& broken) {
  std::string text;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken[i]) text += (text.empty() ? "" : " ") + std::string(spec::rules()[i].id);
  return text;
}

TEST(Im2colEncodeCases, LegalOnesBreakNoRule) {
  for (const spec::Arch arch : architectures)
    for (const bool wide : {false, true})
      for (uint64_t i = 0; i < 10000; ++i) {
        Random random(case_stream(1, "legal im2col", i));
        EncodeIm2colCase c;
        make_legal_im2col_encode(random, arch, wide, c);
        ASSERT_EQ(ids_of(model::broken_rule_set(c, spec::Readings(arch))), "") << i << " " << wide;
      }
}

TEST(Im2colEncodeCases, EachBorderPointBreaksItsRuleAloneOrNothing) {
  for (const spec::Arch arch : architectures)
    for (const bool wide : {false, true}) {
      const auto probes = im2col_borders(arch, wide);
      ASSERT_LE(probes.size(), 128u) << "the coverage space has no more cells";
      for (uint64_t i = 0; i < probes.size() * 64; ++i) {
        EncodeIm2colCase c;
        (wide ? make_im2col_wide_boundary : make_im2col_boundary)({1, "borders", i, arch}, c);
        const Im2colProbe& probe = probes[i % probes.size()];
        ASSERT_EQ(ids_of(model::broken_rule_set(c, spec::Readings(arch))),
                  probe.inside ? "" : std::string(probe.rule))
            << probe.rule << " " << probe.value << " on " << spec::name(arch) << (wide ? ", wide" : "");
      }
    }
}

TEST(Im2colEncodeCases, DisputedPointsAreSeenBySomeReading) {
  for (const spec::Arch arch : architectures)
    for (const bool wide : {false, true})
      for (const Im2colProbe& probe : im2col_disputes(arch, wide)) {
        Random random(case_stream(1, "disputes", 0));
        EncodeIm2colCase c;
        make_legal_im2col_encode(random, arch, wide, c);
        apply(probe, random, arch, wide, c);
        const bool accepted = model::broken_rule_set(c, spec::Readings(arch)).none();
        EXPECT_EQ(accepted, probe.inside) << probe.rule << " " << probe.value;
        bool differs = false;
        for (size_t q = 0; q < spec::questions().size() && !differs; ++q)
          for (int r = 0; r < spec::questions()[q].reading_count(); ++r) {
            spec::Readings other(arch);
            other.choose(static_cast<spec::QuestionIndex>(q), spec::questions()[q].readings[r].letter);
            differs |= model::broken_rule_set(c, other).none() != accepted;
          }
        EXPECT_TRUE(differs) << probe.rule << " " << probe.value << " on " << spec::name(arch)
                             << (wide ? ", wide" : "");
      }
}

TEST(Im2colEncodeCases, HalfAreLegalAndSomeRuleIsBrokenByNearlyAllOthers) {
  for (const bool wide : {false, true}) {
    uint64_t accepted = 0;
    constexpr uint64_t cases = 8000;
    for (uint64_t i = 0; i < cases; ++i) {
      EncodeIm2colCase c;
      (wide ? make_im2col_wide_encode : make_im2col_encode)({1, "share", i, spec::Arch::sm_90}, c);
      EXPECT_FALSE(model::predict_encode(c, spec::Readings(spec::Arch::sm_90)).may_crash) << i;
      accepted += model::broken_rule_set(c, spec::Readings(spec::Arch::sm_90)).none();
    }
    EXPECT_GT(accepted, cases / 2);
    EXPECT_LT(accepted, cases * 3 / 4);
  }
}

TEST(Im2colEncodeCases, CrashingOnesAreNeverAccepted) {
  for (uint64_t i = 0; i < 56; ++i) {
    EncodeIm2colCase c;
    make_im2col_encode_crash({1, "crash", i, spec::Arch::sm_90}, c);
    const model::EncodePrediction prediction = model::predict_encode(c, spec::Readings(spec::Arch::sm_90));
    EXPECT_TRUE(prediction.may_crash && !prediction.accepted) << i;
  }
}

TEST(Im2colEncodeShrink, EndsAtTheBrokenArgument) {
  for (uint64_t i = 0; i < 40; ++i) {
    EncodeIm2colCase c;
    make_im2col_boundary({1, "shrink", i, spec::Arch::sm_90}, c);
    const auto broken = [](const EncodeIm2colCase& call) {
      return model::broken_rule_set(call, spec::Readings(spec::Arch::sm_90));
    };
    const spec::RuleSet wanted = broken(c);
    for (bool moved = true; moved;) {
      moved = false;
      for (const EncodeIm2colCase& next : simpler(c))
        if (broken(next) == wanted) {
          c = next, moved = true;
          break;
        }
    }
    EXPECT_EQ(broken(c), wanted);
    EXPECT_EQ(c.map_offset, 0u);
    EXPECT_LE(c.map.pixels, 2000u);
  }
}

}  // namespace
}  // namespace assay::gen
