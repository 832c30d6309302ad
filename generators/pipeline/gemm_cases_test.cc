// SPDX-License-Identifier: Apache-2.0
#include "generators/pipeline/gemm_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/model/pipeline/gemm.h"

namespace assay::gen {
namespace {

GemmCase made(uint64_t index, uint64_t seed = 1) {
  GemmCase c;
  make_gemm({seed, "pipeline.gemm", index, spec::Arch::sm_100}, c);
  return c;
}

TEST(GemmCases, WalkEveryCellFirstAndFitTheRig) {
  struct Property {
    GemmCells cells;
    void (*make)(const CaseId&, GemmCase&);
  };
  for (const Property& p : {Property{GemmCells::plain, make_gemm},
                            {GemmCells::scaled, make_scaled_gemm},
                            {GemmCells::sparse, make_sparse_gemm},
                            {GemmCells::grouped, make_grouped_gemm}}) {
    std::set<uint32_t> cells, ways;
    std::set<std::string> names, way_names;
    for (uint32_t i = 0; i < gemm_cell_count(p.cells); ++i) {
      GemmCase c;
      p.make({1, "pipeline", i, spec::Arch::sm_100}, c);
      ASSERT_TRUE(model::fits_rig(c)) << i;
      EXPECT_EQ(c.grouped, p.cells == GemmCells::grouped);
      cells.insert(gemm_cell(c));
      names.insert(gemm_cell_name(p.cells, gemm_cell(c)));
      ways.insert(gemm_way(c));
      way_names.insert(gemm_way_name(gemm_way(c)));
      for (const GemmCase& s : simpler(c)) EXPECT_TRUE(model::fits_rig(s));
    }
    EXPECT_EQ(cells.size(), gemm_cell_count(p.cells));
    EXPECT_EQ(names.size(), gemm_cell_count(p.cells));
    EXPECT_EQ(ways.size(), gemm_ways);
    EXPECT_EQ(way_names.size(), gemm_ways);
  }
}

TEST(GemmCases, LaterOnesFillTheRingOfStagesAndStayAffordable) {
  uint32_t rounds = 0, tiles = 0;
  for (uint64_t i = 1000; i < 1500; ++i) {
    const GemmCase c = made(i);
    ASSERT_TRUE(model::fits_rig(c));
    const uint32_t stages =
        (c.k * static_cast<uint32_t>(model::operand_format(c).storage_bits) / 8 + 127) / 128;
    rounds += stages > 4;
    tiles += c.m > 256 || c.n > c.tile_n * c.cta_group;
    EXPECT_LE(stages, 9u);
    EXPECT_LE(uint64_t{c.m} * c.n * c.k, most_gemm_work);
  }
  EXPECT_GT(rounds, 50u);
  EXPECT_GT(tiles, 100u);
}

TEST(GemmCases, ClustersComeByTheirTilesInBothWaysWhereThereAreMany) {
  for (const auto make : {make_gemm, make_scaled_gemm, make_sparse_gemm, make_grouped_gemm}) {
    // With three tiles a cluster of two takes another, whichever way it is.
    uint32_t many[2] = {};
    std::set<uint32_t> asking;
    for (uint64_t i = 0; i < 400; ++i) {
      GemmCase c;
      make({1, "pipeline", i, spec::Arch::sm_100}, c);
      const uint32_t across = c.tile_n * c.cta_group;
      many[c.launch_control] += (c.m + 255) / 256 * ((c.n + across - 1) / across) >= 3;
      asking.insert(c.asking);
    }
    EXPECT_EQ(asking.size(), gemm_ways_to_ask);
    EXPECT_GE(many[0], 8u);
    EXPECT_GE(many[1], 8u);
  }
}

TEST(GemmCases, PairEveryTypeOfEightAndFewerBitsOnOneCtaAndOnPairs) {
  for (const auto make : {make_gemm, make_scaled_gemm}) {
    std::set<uint32_t> pairs;
    std::set<std::string> names;
    uint32_t tails = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
      GemmCase c;
      make({1, "pipeline", i, spec::Arch::sm_100}, c);
      ASSERT_TRUE(model::fits_rig(c)) << i;
      if (!model::has_element_types(c)) continue;
      pairs.insert(gemm_pair(c));
      names.insert(gemm_pair_name(gemm_pair(c)));
      tails += std::max(c.a_type, c.b_type) > 1 && c.k % 128 != 0;
    }
    EXPECT_EQ(pairs.size(), gemm_pair_cells);
    EXPECT_EQ(names.size(), gemm_pair_cells);
    EXPECT_GT(tails, 50u) << "K ends inside a stage beside a type that TMA unpacks";
  }
}

TEST(GemmCases, AddToEveryKindOfC) {
  uint32_t sums = 0, others = 0, open = 0;
  for (uint64_t i = 0; i < 600; ++i) {
    const GemmCase c = made(i);
    sums += c.reduces;
    others += c.reduces && c.c_fill.special_rate != 0;
    open += !c.reduces && c.c_fill != OperandPattern{};
  }
  EXPECT_GT(sums, 150u);
  EXPECT_GT(others, 10u) << "infinities, NaN and zeros";
  EXPECT_EQ(open, 0u) << "C that nobody looks at";
}

TEST(GemmCases, ShrinkToTheSmallestThatStillFails) {
  // A device that is wrong from the third stage on.
  const auto fails = [](const GemmCase& c) { return c.k > 128 && c.n >= 2; };
  GemmCase c = made(1017);
  c.k = 700;
  c.n = 90;
  c.type = c.a_type = c.b_type = 0;
  c.launch_control = c.reduces = true;
  c.asking = 2;
  c.c_fill.seed = 7;
  for (bool moved = true; moved;) {
    moved = false;
    for (const GemmCase& s : simpler(c)) {
      EXPECT_NE(s, c);
      EXPECT_TRUE(model::fits_rig(s));
      if (moved || !fails(s)) continue;
      c = s;
      moved = true;
    }
  }
  EXPECT_EQ(c.k, 129u);
  EXPECT_EQ(c.n, 2u);
  EXPECT_EQ(c.m, 1u);
  EXPECT_EQ(c.cta_group, 1u);
  EXPECT_EQ(c.tile_n, 32u);
  EXPECT_EQ(c.a_gap + c.b_gap + c.d_gap, 0u);
  EXPECT_FALSE(c.launch_control || c.reduces || c.asking != 0);
  EXPECT_EQ(c.c_fill, OperandPattern{});
}

}  // namespace
}  // namespace assay::gen
