// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/gather.h"

#include <gtest/gtest.h>
#include <set>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

constexpr spec::Arch archs_with_gather[] = {spec::Arch::sm_100, spec::Arch::sm_103};

template <typename Make>
void expect_legal_and_every_cell(Make make, CopyDirection direction, spec::Arch arch) {
  const auto cells = reachable_gather_cells(arch, direction);
  std::set<uint32_t> missing(cells.begin(), cells.end());
  const spec::Readings readings(arch);
  for (uint64_t index = 0; index < 4 * cells.size() && !missing.empty(); ++index) {
    TensorCopyCase c;
    make({7, "gather", index, arch}, c);
    ASSERT_TRUE(model::broken_map_rules(c.map, readings).none()) << index;
    spec::RuleSet rules;
    ASSERT_EQ(model::end_of_issue(c, readings, rules), model::End::done) << index;
    ASSERT_TRUE(fits_rig(c)) << index;
    missing.erase(index_of(classify_rows(c)));
  }
  std::string names;
  for (const uint32_t cell : missing) names += name_of_gather_cell(cell) + "\n";
  EXPECT_EQ(names, "");
}

TEST(GatherCases, AreLegalFitTheRigAndReachEveryCell) {
  for (const spec::Arch arch : archs_with_gather) {
    expect_legal_and_every_cell(make_gather4_load, CopyDirection::load, arch);
    expect_legal_and_every_cell(make_scatter4_store, CopyDirection::store, arch);
  }
}

TEST(GatherCases, MulticastsBeginWithTheLargestClusters) {
  uint32_t targets = 0;
  for (uint64_t index = 0; index < 32; ++index) {
    TensorCopyCase c;
    make_gather4_load_multicast({7, "multicast", index, spec::Arch::sm_100}, c);
    targets |= c.cta_mask;
  }
  EXPECT_EQ(targets, 0xffu);
}

TEST(GatherCases, SomeLanesOfAClusterIssueAndTheWindowsOfAllCtasFit) {
  std::set<uint32_t> lanes;
  for (const auto make : {make_gather4_load_multicast, make_gather4_load_non_portable})
    for (uint64_t index = 0; index < 600; ++index) {
      TensorCopyCase c;
      make({7, "cluster", index, spec::Arch::sm_100}, c);
      ASSERT_TRUE(fits_rig(c)) << index;
      ASSERT_LE(c.window_bytes * c.cluster_size, rig::max_window_bytes) << index;
      lanes.insert(16 * c.lanes + c.cluster_size);
    }
  EXPECT_EQ(lanes, (std::set<uint32_t>{18, 20, 24, 32, 34, 36, 40, 48, 50, 52, 56, 64}));
}

/// Which is what lets the reference store them one after the other.
TEST(GatherCases, RowsOfTheLanesOfAStoreLieApart) {
  const spec::Readings readings(spec::Arch::sm_100);
  std::set<uint32_t> lanes;
  for (uint64_t index = 0; index < 2'000; ++index) {
    TensorCopyCase c;
    make_scatter4_store({7, "lanes", index, spec::Arch::sm_100}, c);
    lanes.insert(c.lanes);
    std::vector<int> stored(c.slot_bytes, -1);  // the lane
    for (uint32_t lane = 0; c.lanes > 1 && lane < c.lanes; ++lane)
      for (uint32_t q = 0; q < gathered_rows; ++q) {
        const model::CopyFootprint row =
            model::footprint(model::row_of(of_lane(c, lane), q, readings), readings);
        for (uint64_t byte = row.global_begin; byte < row.global_end; ++byte) {
          ASSERT_TRUE(stored[byte] == -1 || stored[byte] == static_cast<int>(lane)) << index;
          stored[byte] = static_cast<int>(lane);
        }
      }
  }
  EXPECT_EQ(lanes, (std::set<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(GatherCases, ConflictsLeaveElementsOpen) {
  size_t open = 0;
  for (uint64_t index = 0; index < 200; ++index) {
    TensorCopyCase c;
    make_scatter4_conflict({3, "conflict", index, spec::Arch::sm_100}, c);
    EXPECT_TRUE(classify_rows(c).repeats) << index;
    std::vector<std::byte> window(c.window_bytes), slot(c.slot_bytes);
    for (size_t i = 0; i < window.size(); ++i) window[i] = static_cast<std::byte>(i * 2654435761u >> 24);
    open += !model::open_sums(c, spec::Readings(spec::Arch::sm_100), window, slot).empty();
  }
  EXPECT_GT(open, 120u);  // of the others the equal rows lie outside
}

TEST(GatherCases, FaultsFaultInBothWays) {
  const spec::Readings readings(spec::Arch::sm_100);
  for (const auto make : {make_gather4_load_fault, make_scatter4_store_fault}) {
    std::set<model::End> ends;
    for (uint64_t index = 0; index < 60; ++index) {
      TensorCopyCase c;
      make({5, "fault", index, spec::Arch::sm_100}, c);
      ASSERT_TRUE(model::broken_map_rules(c.map, readings).none()) << index;
      spec::RuleSet rules;
      const model::End end = model::end_of_issue(c, readings, rules);
      ends.insert(end);
    }
    EXPECT_EQ(ends, (std::set{model::End::illegal_instruction, model::End::misaligned_address}));
  }
}

TEST(GatherCases, ShrinkToSmallerOnesThatFit) {
  TensorCopyCase c;
  make_gather4_load_multicast({1, "shrink", 300, spec::Arch::sm_100}, c);
  for (int steps = 0; steps < 500; ++steps) {
    const std::vector<TensorCopyCase> next = simpler(c);
    if (next.empty()) break;
    for (const TensorCopyCase& smaller : next) ASSERT_TRUE(fits_rig(smaller));
    c = next.front();
  }
  EXPECT_EQ(c.cluster_size, 1u);
  EXPECT_EQ(c.coord, (std::array<int32_t, 5>{}));
}

const spec::Readings documented(spec::Arch::sm_100);

void expect_runs(const TensorCopyCase& c, uint64_t index) {
  ASSERT_TRUE(model::broken_column_map_rules(c.map, documented).none()) << index;
  spec::RuleSet rules;
  ASSERT_EQ(model::end_of_issue(c, documented, rules), model::End::done) << index;
  ASSERT_TRUE(fits_rig(c)) << index;
}

TEST(WideCases, AreLegalFitTheRigAndReachEveryCell) {
  const auto cells = reachable_wide_cells(spec::Arch::sm_100);
  std::set<uint32_t> missing(cells.begin(), cells.end()), halos;
  for (uint64_t index = 0; index < 4 * cells.size(); ++index) {
    TensorCopyCase c;
    make_wide_load({7, "wide", index, spec::Arch::sm_100}, c);
    expect_runs(c, index);
    missing.erase(index_of(classify_wide(c)));
    halos.insert(halo_cell(c));
  }
  std::string names;
  for (const uint32_t cell : missing) names += name_of_wide_cell(cell) + "\n";
  EXPECT_EQ(names, "");
  for (uint32_t cell = 0; cell < halo_cell_count; ++cell)
    EXPECT_TRUE(halos.count(cell)) << name_of_halo_cell(cell);
}

TEST(WideCases, ClustersHaveRoomForTheirWindows) {
  for (uint64_t index = 0; index < 768; index += 5) {
    TensorCopyCase c;
    make_wide_load_cta_group({7, "pair", index, spec::Arch::sm_100}, c);
    expect_runs(c, index);
    EXPECT_LE(uint64_t{c.window_bytes} * c.cluster_size, 216u * 1024);
  }
}

TEST(WideCases, FaultsFault) {
  for (uint64_t index = 0; index < 90; ++index) {
    TensorCopyCase c;
    make_wide_load_fault({5, "fault", index, spec::Arch::sm_100}, c);
    ASSERT_TRUE(model::broken_column_map_rules(c.map, documented).none()) << index;
    spec::RuleSet rules;
    const model::End end = model::end_of_issue(c, documented, rules);
    EXPECT_TRUE(end == model::End::illegal_instruction || end == model::End::misaligned_address) << index;
  }
}

TEST(Im2colReductions, RunOnEveryTypeThatHasThem) {
  const spec::Readings measured(spec::Arch::sm_90);
  std::set<std::pair<TensorReduction, uint32_t>> seen;
  for (uint64_t index = 0; index < 2 * tensor_reductions().size(); ++index)
    for (const auto make : {make_im2col_reduce, make_im2col_reduce_conflict}) {
      TensorCopyCase c;
      make({9, "reduce", index, spec::Arch::sm_90}, c);
      spec::RuleSet rules;
      ASSERT_EQ(model::end_of_issue(c, measured, rules), model::End::done) << index;
      ASSERT_TRUE(fits_rig(c)) << index;
      seen.insert({c.reduction, c.map.data_type});
    }
  EXPECT_EQ(seen.size(), tensor_reductions().size());
}

TEST(Im2colReductions, FaultsFault) {
  const spec::Readings measured(spec::Arch::sm_90);
  for (uint64_t index = 0; index < 60; ++index) {
    TensorCopyCase c;
    make_im2col_reduce_fault({9, "fault", index, spec::Arch::sm_90}, c);
    spec::RuleSet rules;
    const model::End end = model::end_of_issue(c, measured, rules);
    EXPECT_TRUE(end == model::End::illegal_instruction || end == model::End::misaligned_address) << index;
  }
}

}  // namespace
}  // namespace assay::gen
