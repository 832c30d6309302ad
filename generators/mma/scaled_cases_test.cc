// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <gtest/gtest.h>

#include <set>

#include "generators/mma/makers_test.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

constexpr MmaMaker scaled_makers[] = {
    {"mxf8f6f4", make_mma<MmaKind::mxf8f6f4>},
    {"mxf4", make_mma<MmaKind::mxf4>},
    {"mxf4nvf4", make_mma<MmaKind::mxf4nvf4>},
    {"layout", make_mma_scaled_layout},
    {"pair", make_mma_scaled_pair},
    {"k96", make_mma_scaled_k96, Arch::sm_103},
};

TEST(ScaledMakers, MakeLegalCasesThatFitTheRig) {
  expect_legal(scaled_makers, 600);
}
TEST(ScaledMakers, BreakARuleEachTime) {
  for (const Arch arch : {Arch::sm_100, Arch::sm_103}) {
    const std::set<std::string> seen = rules_broken_by({"broken", make_mma_scaled_broken, arch}, 600);
    EXPECT_GE(seen.size(), 8u) << "few rules are broken";
    EXPECT_TRUE(seen.contains("IDESC-R16"));
    EXPECT_EQ(seen.contains("IDESC-R17"), arch == Arch::sm_100);
  }
}

// A device with one pair of types wrong, or one scale id, must meet it.
TEST(ScaledMakers, WalkEveryPairOfTypesAndEveryScaleIdFirst) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  std::set<uint32_t> cells, all;
  for (uint64_t i = 0; i < 400; ++i) {
    Tcgen05MmaCase c;
    make_mma<MmaKind::mxf8f6f4>({1, "mma.scaled.mxf8f6f4", i, Arch::sm_100}, c);
    if (i < scaled_forms(MmaKind::mxf8f6f4).size()) pairs.emplace(c.a_type, c.b_type);
    cells.insert(scale_cell(c));
    make_mma<MmaKind::mxf4>({1, "mma.scaled.mxf4", i, Arch::sm_100}, c);
    cells.insert(scale_cell(c));
    make_mma<MmaKind::mxf4nvf4>({1, "mma.scaled.mxf4nvf4", i, Arch::sm_100}, c);
    cells.insert(scale_cell(c));
    make_mma_scaled_k96({1, "mma.scaled.k96", i, Arch::sm_103}, c);
    cells.insert(scale_cell(c));
  }
  EXPECT_EQ(pairs.size(), 25u);
  for (const MmaKind kind : {MmaKind::mxf8f6f4, MmaKind::mxf4, MmaKind::mxf4nvf4})
    for (const uint32_t cell : scale_cells_of(scaled_forms(kind))) all.insert(cell);
  for (const uint32_t cell : scale_cells_of(scaled_k96_forms(Arch::sm_103))) all.insert(cell);
  EXPECT_EQ(cells, all);
  EXPECT_TRUE(scaled_k96_forms(Arch::sm_100).empty());
}

// Both ways of the scales, and shared memory filled by threads and by TMA, come up in each kind and CTA
// group.
TEST(ScaledMakers, BringScalesInEveryWay) {
  for (const MmaKind kind : {MmaKind::mxf8f6f4, MmaKind::mxf4, MmaKind::mxf4nvf4}) {
    const auto make = kind == MmaKind::mxf8f6f4 ? make_mma<MmaKind::mxf8f6f4>
                      : kind == MmaKind::mxf4   ? make_mma<MmaKind::mxf4>
                                                : make_mma<MmaKind::mxf4nvf4>;
    std::set<uint32_t> cells;
    for (uint64_t i = 0; i < 128; ++i) {
      Tcgen05MmaCase c;
      make({1, "ways", i, Arch::sm_100}, c);
      cells.insert(scale_way_cell(c));
    }
    const std::vector<uint32_t> all = scale_way_cells_of(scaled_forms(kind));
    EXPECT_EQ(cells, std::set(all.begin(), all.end())) << spec::row_of(kind).name;
    EXPECT_EQ(all.size(), 6u);
  }
}

/// The cells of the first D alone.
std::vector<uint32_t> first_d(const Tcgen05MmaCase& c, const std::vector<uint32_t>& cells) {
  std::vector<uint32_t> d;
  const auto columns =
      static_cast<uint32_t>(layout::d_columns(*model::d_layout_of(c), static_cast<int>(c.n)));
  for (size_t i = 0; i < cells.size(); ++i)
    if (i % c.alloc_columns - c.d_column < columns) d.push_back(cells[i]);
  return d;
}

// A copy behind a product, under both answers to whether it comes before it.
TEST(ScaledModelProperty, ReadsTheScalesThatAreThereWhenTheProductBegins) {
  const spec::Readings in_order(Arch::sm_100);
  const spec::Readings overtaken = spec::with(in_order, *spec::find_question("AMB-52"), 'B');
  int differ = 0, refills = 0;
  for (uint64_t index = 0; index < 24; ++index) {
    Tcgen05MmaCase c;
    make_mma_scaled_refill({1, "refill", index, Arch::sm_100}, c);
    ASSERT_TRUE(model::fits_rig(c)) << index;
    ASSERT_EQ(broken_mma_names(c, Arch::sm_100), "") << index;
    if (!c.scales_refilled) continue;
    ++refills;
    MmaRig rig(c);
    for (size_t rank = 0; rank < c.cta_group; ++rank) {
      for (const bool is_a : {true, false})
        for (uint32_t i = 0; i < model::copied_scale_bytes(c, is_a) / 4; ++i)
          rig.windows[rank].push_back(
              word_of((is_a ? c.a_scales : c.b_scales).fill, (rank << 32) + 5000 + i));
      rig.given[rank] = std::as_bytes(std::span(rig.windows[rank]));
    }
    const auto cells_after = [&](const Tcgen05MmaCase& of, const spec::Readings& readings,
                                 std::vector<uint32_t> cells) {
      std::vector<uint32_t> defined(cells.size(), ~0u);
      EXPECT_EQ(model::predict_mma(of, readings, rig.given, cells, defined).end, model::End::done) << index;
      return cells;
    };
    Tcgen05MmaCase plain = c;
    plain.scales_refilled = false, plain.second_column = 0;
    std::vector<uint32_t> refilled = rig.cells;
    model::refill_scales(c, in_order, rig.given, refilled);
    ASSERT_NE(refilled, rig.cells) << index;
    const auto ordered = first_d(c, cells_after(c, in_order, rig.cells)),
               early = first_d(c, cells_after(c, overtaken, rig.cells));
    EXPECT_EQ(ordered, first_d(c, cells_after(plain, in_order, rig.cells))) << index;
    EXPECT_EQ(early, first_d(c, cells_after(plain, in_order, refilled))) << index;
    differ += ordered != early;
  }
  EXPECT_GE(refills, 20);
  EXPECT_GE(differ, refills - 2);
}

constexpr Rivals scaled_rivals[] = {{"AMB-05", "BC"},     {"AMB-21", "B"},       {"NUM-AMB-03", "BC"},
                                    {"AMB-09", "B"},      {"AMB-51", "BC"},      {"AMB-46", "B"},
                                    {"NUM-AMB-01", "BC"}, {"NUM-AMB-07", "BCD"}, {"NUM-AMB-08", "B"},
                                    {"NUM-AMB-11", "BC"}, {"NUM-AMB-18", "BC"},  {"NUM-AMB-19", "B"},
                                    {"NUM-AMB-20", "B"}};

/// Small enough for exact arithmetic.
bool is_small_of_scaled(const Tcgen05MmaCase& c) {
  return c.steps <= 2 && size_t{c.m} * c.n * c.steps * static_cast<size_t>(model::k_of(c)) <= 200'000;
}

// The fast model against exact arithmetic element by element.
TEST(ScaledModelProperty, AgreesWithTheSlowOne) {
  ModelsAgree models(scaled_makers, scaled_rivals, is_small_of_scaled, share_of_cases(2));
  models.of_makers([](std::string_view) { return share_of_cases(3); });
  // What few of the cases ask: rows of 48 bytes in 32-byte lines, bit 7 of ue4m3.
  models.where({"k96", make_mma_scaled_k96, Arch::sm_103},
               [&](const Tcgen05MmaCase& c) { return models.asked["AMB-46"] == 0 && c.b.swizzle == 6; });
  models.where({"bits", make_mma<MmaKind::mxf4nvf4>}, [&](const Tcgen05MmaCase& c) {
    return models.asked["NUM-AMB-11"] == 0 && c.scale_type == 0 && (c.a_scales.fill.keep & 0x80) != 0;
  });
  models.of_rivals_left();
}

TEST(ScaledMakers, ExerciseEveryRuleOfScales) {
  const spec::RuleSet seen = rules_exercised_by(scaled_makers, 200, Arch::sm_103);
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const std::string_view id = spec::rule_table[i].id;
    if (id.starts_with("SCALE-") || id == "SMEM-R19" || id == "SMEM-R20" || id == "IDESC-R17" ||
        id == "ADD-R22") {
      EXPECT_TRUE(seen.test(i)) << id;
    }
  }
}

TEST(ScaledShrink, StaysInTheRigAndEnds) {
  expect_shrinking_ends(scaled_makers);
}

}  // namespace
}  // namespace assay::gen
