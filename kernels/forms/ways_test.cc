// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/ways.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/forms/records.h"
#include "kernels/forms/spelled_test.h"

namespace assay::forms {
namespace {

TEST(Ways, EverySpellingOfACopyMeansTheSame) {
  TensorCopyForm form{params::CopyOp::load, params::CopyMode::tile, 1, params::copy_prefetch_first, false, 0};
  const auto spellings = [&](uint32_t (*opcode)(const TensorCopyForm&), const Forms& all) {
    std::set<std::string> texts;
    for (form.spelling = 0; form.spelling < 64; ++form.spelling) texts.insert(spelled(all, opcode(form)));
    return texts;
  };
  const std::set<std::string> loads = spellings(opcode_of, forms("cp.async.bulk.tensor.load"));
  EXPECT_EQ(loads.size(), 7u) << "without an immediate";
  const std::string head = "cp.async.bulk.tensor.1d.shared::cluster.global",
                    tail = ".mbarrier::complete_tx::bytes";
  for (const std::string& text :
       {head + ".tile" + tail + " [to], [map, {c0}], [bar];", head + tail + " [to], [map, {c0}], [bar];",
        "add.s32 r0, to, 128; add.s32 r1, bar, 8; " + head + ".tile" + tail +
            " [r0+-128], [map, {c0}], [r1+-8];",
        "add.s32 r0, to, 128; setp.ne.u64 p1, map, 0; @p1 " + head + ".tile" + tail +
            " [to], [map, {c0}], [bar]; @!p1 " + head + ".tile" + tail + " [r0], [map, {c0}], [bar];",
        "createpolicy.fractional.L2::evict_last.b64 w0; " + head + ".tile" + tail +
            ".L2::cache_hint [to], [map, {c0}], [bar], w0;"})
    EXPECT_TRUE(loads.contains(text)) << text;
  EXPECT_EQ(spellings(prefetch_opcode_of, forms("cp.async.bulk.prefetch.tensor")).size(), 4u);
  form = {params::CopyOp::store, params::CopyMode::im2col, 3, 0, false, 1};
  const std::set<std::string> sums = spellings(opcode_of, forms("cp.async.bulk.tensor.store"));
  EXPECT_EQ(sums.size(), 6u) << "the mode has a name";
  EXPECT_TRUE(sums.contains(
      "sub.s32 r0, from, 4096; cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs."
      "bulk_group [map, {c0, c1, c2}], [r0+4096];"));
}

TEST(Ways, WaitsForBulkGroups) {
  const Forms& all = forms("cp.async.bulk.wait_group");
  EXPECT_EQ(all.size(), 32u);
  EXPECT_EQ(spelled(all, params::bulk_wait_opcode(0, false)), "cp.async.bulk.wait_group 0;");
  EXPECT_EQ(spelled(all, params::bulk_wait_opcode(15, true)), "cp.async.bulk.wait_group.read 15;");
}

}  // namespace
}  // namespace assay::forms
