// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/scale_copy.h"

#include <gtest/gtest.h>

#include <map>

#include "reference/model/case_json.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/questions.h"
#include "reference/spec/smem_desc.h"

namespace assay::model {
namespace {

Tcgen05MmaCase copied_case() {
  Tcgen05MmaCase c;
  c.kind = spec::MmaKind::mxf4nvf4, c.a_type = c.b_type = spec::type_code::packed_e2m1;
  c.n = 8, c.scale_vector = 4, c.scale_type = spec::type_code::ue4m3;
  c.scales_copied = true;
  c.a_scales.column = 8, c.b_scales.column = 14;
  c.a_scales.columns = filled_scale_columns(c, true), c.b_scales.columns = filled_scale_columns(c, false);
  return c;
}

TEST(ScaleCopies, FillWholeCopiesAndLieOneBehindTheOther) {
  Tcgen05MmaCase c = copied_case();
  EXPECT_EQ(c.a_scales.columns, 4u);
  EXPECT_EQ(c.b_scales.columns, 4u) << "one column is read, a copy writes four";
  EXPECT_EQ(copied_scale_bytes(c, false), 1024u);
  c.scales_copied = false;
  EXPECT_EQ(filled_scale_columns(c, false), 1u);
  EXPECT_EQ(copied_scale_bytes(c, false), 0u);
  EXPECT_TRUE(
      spec::smem_desc_violations(scale_copy_descriptor(), {spec::Arch::sm_100, std::nullopt, false}).empty());
}

TEST(ScaleCopies, GiveEveryPartitionTheSameRows) {
  Tcgen05MmaCase c = copied_case();
  c.a_scales.columns = 8;
  std::map<std::pair<uint32_t, uint32_t>, int> seen;
  each_copied_cell(c, spec::Readings(spec::Arch::sm_100), copies_of_scales(c, true), 0,
                   [&](uint32_t lane, uint32_t column, const CopiedCell& from) {
                     ++seen[{lane, column}];
                     EXPECT_EQ(from.row, lane % 32);
                     EXPECT_EQ(from.column, column - 8);
                     EXPECT_EQ(from.cta, 0u);
                   });
  EXPECT_EQ(seen.size(), 128u * 8);
  for (const auto& [cell, times] : seen) EXPECT_EQ(times, 1) << cell.first << ' ' << cell.second;
}

TEST(ScaleCopies, ThatAreApartGiveEachHalfOfTheLanesItsRows) {
  Tcgen05MmaCase c = copied_case();
  c.cta_group = 2, c.scale_halves = true;
  EXPECT_EQ(copies_of_scales(c, true).shape, scale_copy_shape);
  const auto rows_of = [&](const spec::Readings& readings) {
    std::map<uint32_t, uint32_t> rows;
    each_copied_cell(c, readings, copies_of_scales(c, false), 0,
                     [&](uint32_t lane, uint32_t, const CopiedCell& from) { rows[lane] = from.row; });
    return rows;
  };
  const spec::Readings defaults(spec::Arch::sm_100);
  const auto rows = rows_of(defaults);
  ASSERT_EQ(rows.size(), 128u);
  for (const auto& [lane, row] : rows) EXPECT_EQ(row, lane / 64 * 32 + lane % 32) << lane;
  // The open question: which warps have a half.
  const auto rival = rows_of(spec::Readings(spec::Arch::sm_100).choose({"AMB-25", "half_for_a_warp"}));
  EXPECT_EQ(rival.at(32), 32u);
  EXPECT_EQ(rival.at(64), 0u);
}

TEST(MetadataCopies, GiveEachLaneItsRowInWholeCopies) {
  Tcgen05MmaCase c;
  c.sparse = c.metadata_copied = true;
  c.steps = 3;
  EXPECT_EQ(filled_metadata_columns(c), (metadata_columns(c) + 3) / 4 * 4);
  c.metadata.column = 34, c.metadata.columns = filled_metadata_columns(c);
  c.alloc_columns = 64;
  EXPECT_EQ(copied_metadata_bytes(c), c.metadata.columns / 4 * 2048);
  EXPECT_EQ(copied_bytes(c), copied_metadata_bytes(c));
  uint32_t cells = 0;
  each_copied_cell(c, spec::Readings(spec::Arch::sm_100), copies_of_metadata(c), 0,
                   [&](uint32_t lane, uint32_t column, const CopiedCell& from) {
                     ++cells;
                     EXPECT_EQ(from.row, lane);
                     EXPECT_EQ(from.column, column - 34);
                   });
  EXPECT_EQ(cells, 128 * c.metadata.columns);
  EXPECT_TRUE(case_from_json<Tcgen05MmaCase>(to_json(c)).metadata_copied);
  c.metadata_copied = false;
  EXPECT_FALSE(to_json(c).contains("metadata_copied"));
}

TEST(ScaleCopies, OfAPairComeFromEachCtaOrFromTheOneThatIssues) {
  Tcgen05MmaCase c = copied_case();
  c.cta_group = 2;
  const spec::Readings own(spec::Arch::sm_100);
  EXPECT_EQ(scale_copy_source(c, own, scale_copy_shape, 0), 0u);
  EXPECT_EQ(scale_copy_source(c, own, scale_copy_shape, 1), 1u);
  const spec::Readings issuer = spec::Readings(spec::Arch::sm_100).choose({"AMB-27", "memory_of_issuer"});
  EXPECT_EQ(scale_copy_source(c, issuer, scale_copy_shape, 1), 0u);
  c.odd_cta_issues = true;
  EXPECT_EQ(scale_copy_source(c, issuer, scale_copy_shape, 0), 1u);
}

// A rule of the rig: no half of a copy, no copies of scales that differ between halves of the lanes.
TEST(ScaleCopies, ThatWouldBeCutDoNotFitTheRig) {
  Tcgen05MmaCase c = copied_case();
  c.a = {.start = 0, .leading_offset = 2048, .stride_offset = 128};
  c.b = {.start = 4096, .leading_offset = 128, .stride_offset = 128};
  c.split = 4096, c.window_bytes = 4096 + 256, c.tmem_split = c.alloc_columns;
  EXPECT_TRUE(fits_rig(c));
  c.b_scales.columns = 5;
  EXPECT_FALSE(fits_rig(c));
  c = copied_case();
  c.kind = spec::MmaKind::f16, c.scale_vector = 0, c.scale_type = spec::type_code::ue8m0,
  c.a_scales = c.b_scales = {};
  EXPECT_FALSE(fits_rig(c)) << "no scales to copy";
}

}  // namespace
}  // namespace assay::model
