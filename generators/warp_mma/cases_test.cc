// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <gtest/gtest.h>

#include <set>

#include "generators/simpler_cases.h"
#include "reference/layout/canonical.h"
#include "reference/layout/fragments.h"
#include "reference/model/warp_mma/warp_mma.h"

namespace assay::gen {
namespace {

constexpr MmaGroup groups[] = {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32, MmaGroup::fp8, MmaGroup::i8};

/// First and last byte that the instruction reads through a descriptor, element by element.
std::pair<uint32_t, uint32_t> extent(const MatrixInShared& m, const SmemReads& reads) {
  const layout::SmemOperand operand{static_cast<int>(reads.element_bytes) * 8, layout::Packing::plain,
                                    reads.mn_major};
  uint32_t low = ~0u, high = 0;
  for (uint32_t mn = 0; mn < reads.lines; ++mn)
    for (uint32_t k = 0; k < reads.row_bytes / reads.element_bytes; ++k) {
      const uint32_t at = layout::smem_place(model::smem_matrix(m), operand, mn, k).byte;
      low = std::min(low, at), high = std::max(high, at + reads.element_bytes);
    }
  return {low, high};
}

void expect_inside(const WgmmaCase& c) {
  ASSERT_TRUE(fits_rig(c)) << name_of(form_of(c));
  const auto [low, high] = extent(c.b, reads_of_b(c));
  ASSERT_LE(high, c.window_bytes) << name_of(form_of(c)) << " from " << low;
  if (!c.a_in_registers) {
    ASSERT_LE(extent(c.a, reads_of_a(c)).second, c.window_bytes) << name_of(form_of(c));
  }
}

TEST(WarpMmaCases, ArithmeticHasItsOperandsApartInTheWindow) {
  for (const MmaGroup group : groups)
    for (uint64_t i = 0; i < 3000; i += 7) {
      WgmmaCase c;
      make_product({3, "apart", i, spec::Arch::sm_90}, group, i % 2 != 0, c);
      expect_inside(c);
      ASSERT_GE(extent(c.b, reads_of_b(c)).first, c.split);
      if (!c.a_in_registers) {
        ASSERT_LE(extent(c.a, reads_of_a(c)).second, c.split);
      }
    }
}

TEST(WarpMmaCases, DescriptorsStayInTheWindowAndWalkEveryCell) {
  std::set<uint32_t> seen;
  const std::vector<uint32_t> cells = reachable_smem_cells();
  int overlapping = 0;
  for (uint64_t i = 0; i < cells.size() + 2000; ++i) {
    WgmmaCase c;
    make_wgmma_descriptor({5, "descriptors", i, spec::Arch::sm_90}, c);
    if (i % 5 == 0) expect_inside(c);
    for_smem_cells(c, [&](uint32_t cell) { seen.insert(cell); });
    overlapping += !c.a_in_registers && c.b.start < linear_end(c.a, reads_of_a(c)) &&
                   c.a.start < linear_end(c.b, reads_of_b(c));
  }
  for (const uint32_t cell : cells) EXPECT_TRUE(seen.contains(cell)) << smem_cell_name(cell);
  EXPECT_GT(overlapping, 100);
}

TEST(WarpMmaCases, GroupsComeInEachWayToWait) {
  for (const uint64_t seed : {1, 41}) {
    std::set<uint32_t> waits;
    std::set<std::string> names;
    for (uint64_t i = 0; i < wgmma_waits; ++i) {
      WgmmaCase c;
      make_wgmma_groups({seed, "groups", i, spec::Arch::sm_90}, c);
      ASSERT_TRUE(fits_rig(c)) << i;
      ASSERT_TRUE(c.in_groups || c.pending != 0) << "a product alone, " << i;
      waits.insert(wgmma_wait_of(c));
      names.insert(wgmma_wait_name(wgmma_wait_of(c)));
    }
    EXPECT_EQ(waits.size(), wgmma_waits);
    EXPECT_EQ(*waits.rbegin(), wgmma_waits - 1);
    EXPECT_EQ(names.size(), wgmma_waits);
  }
}

template <typename Form>
void expect_walk_of(MmaGroup group, bool is_sparse) {
  const Walk<Form>& walk = walk_of<Form>(group, is_sparse);
  const std::set<uint32_t> cells(walk.cells().begin(), walk.cells().end());
  std::set<uint32_t> seen;
  for (uint64_t i = 0; i < cells.size(); ++i) seen.insert(walk.cell(i));
  EXPECT_EQ(seen, cells);
  for (uint64_t i = cells.size(); i < cells.size() + 100; ++i) EXPECT_TRUE(seen.contains(walk.cell(i)));
}

TEST(WarpMmaCases, TheFirstIndexesWalkEveryFormAndMix) {
  for (const MmaGroup group : groups)
    for (const bool is_sparse : {false, true}) {
      expect_walk_of<WgmmaForm>(group, is_sparse);
      expect_walk_of<MmaSyncForm>(group, is_sparse);
    }
}

TEST(WarpMmaCases, SparseOnesWalkEveryFormMixAndCode) {
  for (const MmaGroup group :
       {MmaGroup::f16, MmaGroup::bf16, MmaGroup::tf32, MmaGroup::fp8, MmaGroup::i8, MmaGroup::i4}) {
    std::set<uint32_t> forms, codes;
    const std::vector<uint32_t> cells = walk_of<MmaSyncForm>(group, true).cells();
    for (uint64_t i = 0; i < cells.size() + 100; ++i) {
      MmaSyncCase c;
      make_product({3, "sparse", i, spec::Arch::sm_90}, group, true, c);
      ASSERT_TRUE(fits_rig(c)) << name_of(form_of(c));
      forms.insert(walk_of<MmaSyncForm>(group, true).cell(i));
      for (const uint32_t code : layout::codes_of(c.sparse.codes)) codes.insert(code);
    }
    EXPECT_EQ(forms, std::set<uint32_t>(cells.begin(), cells.end()));
    const std::vector<uint32_t> legal = legal_codes(group);
    EXPECT_EQ(codes, std::set<uint32_t>(legal.begin(), legal.end()));
    EXPECT_EQ(legal.size(), group == MmaGroup::tf32 ? 2u : 6u);
  }
}

TEST(WarpMmaCases, TheRigRefusesMetadataWithoutAMeaning) {
  MmaSyncCase c;
  make_product({3, "codes", 0, spec::Arch::sm_90}, MmaGroup::bf16, true, c);
  ASSERT_TRUE(fits_rig(c));
  const auto with = [&c](auto change) {
    MmaSyncCase changed = c;
    change(changed);
    return fits_rig(changed);
  };
  EXPECT_FALSE(with([](MmaSyncCase& s) { s.sparse.codes = 0x55555555; })) << "one place twice";
  EXPECT_FALSE(with([](MmaSyncCase& s) { s.sparse.codes = 0x66666666; })) << "places that descend";
  EXPECT_FALSE(with([](MmaSyncCase& s) { s.sparse.selector = 4; }));
  EXPECT_FALSE(with([](MmaSyncCase& s) { s.sparse.present = false; })) << "metadata of a dense A";
  EXPECT_FALSE(with([](MmaSyncCase& s) { s.known.present = true; }));
  EXPECT_TRUE(with([](MmaSyncCase& s) { s.sparse.codes = 0x44444444; }));
}

TEST(WarpMmaShrink, AMetadataListBecomesOneCode) {
  MmaSyncCase c;
  for (uint64_t i = 0; c.sparse.selector == 0 || layout::codes_of(c.sparse.codes).size() < 2; ++i)
    make_product({9, "shrink", i, spec::Arch::sm_90}, MmaGroup::f16, true, c);
  const MmaSyncCase least = least_of(c, simpler, [](const MmaSyncCase&) { return true; });
  EXPECT_EQ(layout::codes_of(least.sparse.codes).size(), 1u);
  EXPECT_EQ(least.sparse.selector, 0u);
  EXPECT_EQ(least.sparse.seed, 0u);
  EXPECT_EQ(least.tiles, 1u);
}

TEST(WarpMmaShrink, EndsAtTheSmallestThatStillFails) {
  WgmmaCase c;
  const auto fails = [](const WgmmaCase& s) { return s.n >= 64 && s.b.swizzle == 2 && s.a_fill.keep != 0; };
  for (uint64_t i = 0; !fails(c); ++i)
    make_product({9, "shrink", i, spec::Arch::sm_90}, MmaGroup::f16, false, c);
  const WgmmaCase least = least_of(c, simpler, fails);
  EXPECT_EQ(least.n, 64u);
  EXPECT_EQ(least.b.base_offset, 0u);
  EXPECT_EQ(std::popcount(least.a_fill.keep), 1);
  EXPECT_EQ(least.b_fill, OperandPattern{.keep = 0});
  EXPECT_EQ(least.c_fill, OperandPattern{.keep = 0});
  EXPECT_FALSE(least.negate_a || least.negate_b || least.transpose_b);
  EXPECT_TRUE(fits_rig(least));
}

TEST(WarpMmaCases, LaterOnesHaveFewColumnsAndNowAndThenTheMost) {
  constexpr uint32_t cases = 2000;
  uint32_t few = 0, few_tiles = 0, most = 0, most_tiles = 0;
  for (uint64_t i = 0; i < cases; ++i) {
    WgmmaCase wide;
    make_product({1, "later", 1'000'000 + i, spec::Arch::sm_90}, MmaGroup::f16, false, wide);
    few += wide.n <= 64, most += wide.n == 256;
    MmaSyncCase tiled;
    make_product({1, "later", 1'000'000 + i, spec::Arch::sm_90}, MmaGroup::f16, false, tiled);
    few_tiles += tiled.tiles <= 8, most_tiles += tiled.tiles == 32;
  }
  EXPECT_GT(few, cases / 2);
  EXPECT_GT(few_tiles, cases / 2);
  EXPECT_GT(most, 0u);
  EXPECT_GT(most_tiles, cases / 16);
}

}  // namespace
}  // namespace assay::gen
