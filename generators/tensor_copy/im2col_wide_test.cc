// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col.h"

#include <gtest/gtest.h>

#include <set>

#include "generators/tensor_copy/tiled_cases.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"

namespace assay::gen {
namespace {

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
