#include "reference/model/scale_copy.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reference/model/case_json.h"
#include "reference/spec/questions.h"
#include "reference/spec/smem_desc.h"

namespace assay::model {
namespace {

Tcgen05MmaCase copied_case() {
  Tcgen05MmaCase c;
  c.kind = 6, c.a_type = c.b_type = 1, c.n = 8, c.scale_vector = 4, c.scale_type = 0;
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
  each_copied_scale(c, spec::Readings(spec::Arch::sm_100), true, 0,
                    [&](uint32_t lane, uint32_t column, const CopiedScale& from) {
                      ++seen[{lane, column}];
                      EXPECT_EQ(from.row, lane % 32);
                      EXPECT_EQ(from.column, column - 8);
                      EXPECT_EQ(from.cta, 0u);
                    });
  EXPECT_EQ(seen.size(), 128u * 8);
  for (const auto& [cell, times] : seen) EXPECT_EQ(times, 1) << cell.first << ' ' << cell.second;
}

TEST(ScaleCopies, OfAPairComeFromEachCtaOrFromTheOneThatIssues) {
  Tcgen05MmaCase c = copied_case();
  c.cta_group = 2;
  const spec::Readings own(spec::Arch::sm_100);
  EXPECT_EQ(scale_copy_source(c, own, 0), 0u);
  EXPECT_EQ(scale_copy_source(c, own, 1), 1u);
  const spec::Readings issuer = spec::Readings(spec::Arch::sm_100).choose({"AMB-27", "memory_of_issuer"});
  EXPECT_EQ(scale_copy_source(c, issuer, 1), 0u);
  c.odd_cta_issues = true;
  EXPECT_EQ(scale_copy_source(c, issuer, 0), 1u);
}

TEST(ScaleCopies, AreLeftOutOfTheJsonOfCasesThatStoreTheirScales) {
  Tcgen05MmaCase c = copied_case();
  EXPECT_TRUE(tcgen05_mma_case_from_json(to_json(c)).scales_copied);
  c.scales_copied = false;
  EXPECT_FALSE(to_json(c).contains("scales_copied"));
  EXPECT_EQ(tcgen05_mma_case_from_json(to_json(c)), c);
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
  c.kind = 0, c.scale_vector = 0, c.scale_type = 1, c.a_scales = c.b_scales = {};
  EXPECT_FALSE(fits_rig(c)) << "no scales to copy";
}

}  // namespace
}  // namespace assay::model
