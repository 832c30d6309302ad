// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "generators/mma/makers_test.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/access.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

constexpr MmaMaker dense_makers[] = {
    {"f16", make_mma<MmaKind::f16>}, {"tf32", make_mma<MmaKind::tf32>}, {"f8f6f4", make_mma<MmaKind::f8f6f4>},
    {"i8", make_mma<MmaKind::i8>},   {"layout", make_mma_layout},       {"pair", make_mma_pair},
    {"ws", make_mma_ws_layout},      {"lanes", make_mma_output_lanes},  {"mask", make_mma_ws_mask},
    {"shift", make_mma_ws_shift},
};

TEST(MmaMakers, MakeLegalCasesThatFitTheRig) {
  expect_legal(dense_makers, 600);
}
TEST(MmaMakers, BreakARuleEachTime) {
  EXPECT_GE(rules_broken_by({"broken", make_mma_broken}, 600).size(), 8u) << "few rules are broken";
}

TEST(MmaMakers, TheFirstCasesOfMasksAreTheDocumentsExamples) {
  constexpr uint64_t words[] = {0x0003'0400'0000'0000, 0x0003'0280'0000'0000, 0x0003'0281'0000'0000,
                                0x0203'0283'0102'0100};
  constexpr uint32_t m[] = {128, 128, 64, 32};
  for (uint64_t i = 0; i < 4; ++i) {
    Tcgen05MmaCase c;
    make_mma_ws_mask({5, "masks", i, Arch::sm_103}, c);
    EXPECT_EQ(model::mask_word(c), words[i]);
    EXPECT_EQ(c.m, m[i]);
  }
}

// A mask that is right for short spans may be wrong where both fields are at their ends.
TEST(MmaMakers, EndsOfTheFieldsOfAMaskComeInPairs) {
  std::set<std::pair<uint32_t, uint32_t>> spans, counts;
  for (uint64_t i = 0; i < 2000; ++i) {
    Tcgen05MmaCase c;
    make_mma_ws_mask({1, "mma.ws.zero_column_mask", i, Arch::sm_100}, c);
    if (i < 104) spans.emplace(c.mask.skip_span, c.mask.use_span);
    const uint32_t first = c.mask.first_is_zeroed[0] ? c.mask.skip_span : c.mask.use_span;
    if (c.mask.start_count[0] == first - 1) counts.emplace(c.mask.start_count[0], c.m);
  }
  for (const uint32_t skip : {1u, 2u, 128u, 255u, 256u})
    for (const uint32_t use : {1u, 2u, 128u, 255u, 256u})
      EXPECT_TRUE(spans.contains({skip, use})) << skip << ' ' << use;
  for (const uint32_t m : {32u, 64u, 128u}) EXPECT_TRUE(counts.contains({255, m})) << m;
}

// Words that disable all lanes or none stand beside each other.
TEST(MmaMakers, PlainWordsOfDisabledLanesComeInPairs) {
  std::set<std::pair<uint32_t, uint32_t>> met;
  for (uint64_t i = 0; i < 256; ++i) {
    Tcgen05MmaCase c;
    make_mma_output_lanes({1, "mma.dense.output_lanes", i, Arch::sm_100}, c);
    for (uint32_t word = 1; word < 4 * c.cta_group; ++word)
      met.emplace(c.disabled_lanes[word - 1], c.disabled_lanes[word]);
  }
  for (const uint32_t left : {0u, ~0u, 1u, 0x8000'0000u})
    for (const uint32_t right : {0u, ~0u, 1u, 0x8000'0000u})
      EXPECT_TRUE(met.contains({left, right})) << std::hex << left << ' ' << right;
}

TEST(MmaMakers, EitherCtaOfAPairIssues) {
  int odd = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    Tcgen05MmaCase c;
    make_mma_pair({1, "mma.dense.pair", i, Arch::sm_100}, c);
    odd += c.odd_cta_issues;
  }
  EXPECT_GT(odd, 25);
  EXPECT_LT(odd, 75);
}

// Both operands get starts in every eighth of shared memory, with and without a swizzle.
TEST(MmaMakers, OperandsLieAnywhereInSharedMemory) {
  std::set<uint32_t> a, b, swizzles;
  for (uint64_t i = 0; i < 4000; ++i) {
    Tcgen05MmaCase c;
    make_mma_layout({1, "mma.dense.layout", i, Arch::sm_100}, c);
    if (!c.a_in_tmem) a.insert(c.a.start >> 14);
    b.insert(c.b.start >> 14);
    if (c.b.start >= 1 << 17) swizzles.insert(c.b.swizzle);
  }
  for (uint32_t part = 0; part < 6; ++part) EXPECT_TRUE(a.contains(part)) << part;
  for (uint32_t part = 0; part < 12; ++part) EXPECT_TRUE(b.contains(part)) << part;
  EXPECT_GE(swizzles.size(), 4u);
}

TEST(MmaMakers, WalkEveryFormFirst) {
  for (const auto& [make, forms] : {std::pair{&make_mma_layout, plain_forms(Arch::sm_100)},
                                    std::pair{&make_mma_pair, pair_forms(Arch::sm_100)},
                                    std::pair{&make_mma_ws_layout, ws_forms(Arch::sm_100)}}) {
    std::set<std::string> seen;
    for (uint64_t i = 0; i < forms.size(); ++i) {
      Tcgen05MmaCase c;
      make({1, "walk", i, Arch::sm_100}, c);
      seen.insert(std::to_string(c.a_type * 64 + c.b_type * 8 + c.d_type) + form_cell_name(form_cell(c)) +
                  std::to_string(c.m));
    }
    EXPECT_EQ(seen.size(), forms.size());
  }
  for (const MmaForm& form : plain_forms(Arch::sm_103)) EXPECT_NE(form.kind, MmaKind::i8);
}

/// Small enough for exact arithmetic.
bool is_small_of_dense(const Tcgen05MmaCase& c) {
  return c.steps <= 2 && size_t{c.m} * c.n * c.steps * static_cast<size_t>(model::k_of(c)) <= 32'768;
}

// A device that mistakes high addresses, or that tracks one accumulator of a commit alone, must meet them.
TEST(MmaCases, OperandsStartAnywhereInSharedMemoryAndAccumulatorsComeInTwos) {
  int twos = 0, high_a = 0, high_b = 0, highest = 0;
  constexpr int cases = 6000;
  for (uint64_t i = 0; i < cases; ++i) {
    Tcgen05MmaCase c;
    make_mma_layout({5, "places", i, Arch::sm_100}, c);
    twos += c.second_column != 0;
    high_a += !c.a_in_tmem && c.a.start >= 128 * 1024;
    high_b += c.b.start >= 128 * 1024;
    highest = std::max(highest, static_cast<int>(c.window_bytes));
  }
  EXPECT_GT(twos, cases / 12);
  EXPECT_GT(high_a, 5);
  EXPECT_GT(high_b, 20);
  EXPECT_GT(highest, 220 * 1024);
}

// The fast model against exact arithmetic element by element, under the defaults and under each rival.
TEST(MmaModelProperty, AgreesWithTheSlowOne) {
  constexpr Rivals rivals[] = {{"AMB-01", "B"},      {"AMB-02", "B"},       {"AMB-03", "C"},
                               {"AMB-05", "BC"},     {"AMB-21", "B"},       {"AMB-24", "BC"},
                               {"AMB-22", "B"},      {"AMB-28", "B"},       {"AMB-32", "B"},
                               {"NUM-AMB-01", "BC"}, {"NUM-AMB-02", "BCD"}, {"NUM-AMB-03", "BC"},
                               {"NUM-AMB-08", "B"},  {"NUM-AMB-16", "B"},   {"NUM-AMB-17", "BC"}};
  ModelsAgree models(dense_makers, rivals, is_small_of_dense, share_of_cases(4), true);
  // Where masks and lanes are the matter, enough for their rarer kinds.
  models.of_makers([](std::string_view name) {
    return share_of_cases(name == "mask" ? 28 : name == "lanes" ? 8 : 4);
  });
  // What every sixteenth mask asks.
  models.where({"mask", make_mma_ws_mask}, [&](const Tcgen05MmaCase& c) {
    const spec::Readings defaults(Arch::sm_100);
    model::broken_mma_rules(c, defaults);
    return models.asked["AMB-03"] == 0 && defaults.consulted().test(*spec::find_question("AMB-03"));
  });
  for (const char* id : {"AMB-01", "AMB-02", "AMB-03", "AMB-24", "NUM-AMB-16"})
    EXPECT_GT(models.asked[id], 0u) << id;
  models.of_rivals_left();
}

// A rule that no case exercises would be a sentence without a test. Those of the adder follow from what the
// operands hold (reference/model/mma/mma_test.cc, suites/run/exercised_test.cc).
TEST(MmaMakers, ExerciseEveryRuleOfTheInstruction) {
  spec::RuleSet seen = rules_exercised_by(dense_makers, 200, Arch::sm_100);
  Tcgen05MmaCase shifted;
  make_mma_ashift({2, "ashift", 0, Arch::sm_100}, shifted);
  seen |= model::exercised_mma_rules(shifted, Arch::sm_100);
  // Other instructions (wgmma, ld and st), metadata, and K of more than 32 bytes.
  const std::set<std::string_view> excused{"TMEM-R10", "TMEM-R11", "TMEM-R13", "TMEM-R16",
                                           "TMEM-R17", "TMEM-R18", "SMEM-R19", "SMEM-R21"};
  const std::set<std::string_view> of_words{"ADD-R17", "ADD-R18", "ADD-R25"};
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const spec::Rule& rule = spec::rule_table[i];
    const bool told = of_words.contains(rule.id) || rule.id.starts_with("TMEM-") ||
                      (rule.id.starts_with("SMEM-R") && rule.id >= "SMEM-R11") || rule.id >= "ZCM-R05";
    if (!told || !rule.applies[1] || excused.contains(rule.id)) continue;
    EXPECT_TRUE(seen.test(i)) << rule.id;
  }
}

TEST(MmaShrink, StaysInTheRigAndEnds) {
  expect_shrinking_ends(dense_makers);
}

TEST(TmemMakers, FitTheRigAndReachEveryShape) {
  std::set<uint32_t> shapes;
  int across_256 = 0;  // of those of at most 128 columns
  for (uint64_t index = 0; index < 400; ++index) {
    TmemAccessCase load, store;
    make_tmem_load({1, "ld", index, Arch::sm_100}, load);
    make_tmem_store({1, "st", index, Arch::sm_100}, store);
    ASSERT_TRUE(model::fits_rig(load) && model::fits_rig(store)) << index;
    shapes.insert(load.shape * 256 + load.count * 2 + (load.packs ? 1 : 0));
    const auto end = load.column + static_cast<uint32_t>(layout::tmem_access_columns(
                                       load.shape, static_cast<int>(load.count), load.packs ? 2 : 1,
                                       static_cast<int>(load.split)));
    across_256 += load.column < 256 && end > 256 && end - load.column <= 128;
  }
  EXPECT_GE(shapes.size(), 60u);
  EXPECT_GE(across_256, 1);
}

TEST(TmemMakers, OneAddressInAllWarpsButInEachSixteenthCase) {
  int loads = 0, stores = 0, own = 0;
  std::array<int, 4> named{};
  for (uint64_t index = 0; index < 160; ++index) {
    TmemAccessCase c;
    make_tmem_same_address({1, "window", index, Arch::sm_100}, c);
    ASSERT_TRUE(model::fits_rig(c)) << index;
    if (!c.same_address)
      ++own;
    else
      ++(c.is_store ? stores : loads), ++named[c.named_warp];
  }
  for (const int of_warp : named) EXPECT_GE(of_warp, 20);
  EXPECT_EQ(own, 10);
  EXPECT_GE(loads, 60);
  EXPECT_GE(stores, 60);
}

}  // namespace
}  // namespace assay::gen
