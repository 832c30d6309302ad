// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <gtest/gtest.h>

#include <set>

#include "generators/mma/makers_test.h"
#include "reference/model/bend.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

constexpr MmaMaker sparse_makers[] = {
    {"f16", make_mma_sparse<MmaKind::f16>},
    {"tf32", make_mma_sparse<MmaKind::tf32>},
    {"f8f6f4", make_mma_sparse<MmaKind::f8f6f4>},
    {"i8", make_mma_sparse<MmaKind::i8>},
    {"mxf8f6f4", make_mma_sparse<MmaKind::mxf8f6f4>},
    {"mxf4", make_mma_sparse<MmaKind::mxf4>},
    {"mxf4nvf4", make_mma_sparse<MmaKind::mxf4nvf4>},
    {"layout", make_mma_sparse_layout},
    {"pair", make_mma_sparse_pair},
    {"ws", make_mma_sparse_ws},
    {"illegal_codes", make_mma_sparse_illegal_codes},
};

TEST(SparseMakers, MakeLegalCasesThatFitTheRig) {
  expect_legal(sparse_makers, 400);
  for (const MmaMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 400; ++index) ASSERT_TRUE(maker.made(1, index).sparse) << maker.name;
}
TEST(SparseMakers, BreakARuleEachTime) {
  const std::set<std::string> seen = rules_broken_by({"broken", make_mma_sparse_broken}, 400);
  for (const char* id : {"TMEM-R18", "IDESC-R14", "IDESC-R07", "IDESC-R01"})
    EXPECT_TRUE(seen.contains(id)) << id;
}

// Words that a selector or a step could be lost in.
TEST(SparseMakers, ReachEveryCodeAndSelector) {
  std::set<uint32_t> codes, selectors, all_codes, all_selectors;
  const auto forms = {sparse_plain_forms(Arch::sm_100), sparse_pair_forms(Arch::sm_100),
                      sparse_ws_forms(Arch::sm_100)};
  for (const std::vector<MmaForm>& some : forms) {
    for (const uint32_t cell : code_cells_of(some, true)) all_codes.insert(cell);
    for (const uint32_t cell : selector_cells_of(some)) all_selectors.insert(cell);
  }
  for (const MmaMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 300; ++index) {
      Tcgen05MmaCase c;
      maker.make({1, maker.name, index, Arch::sm_100}, c);
      for (const uint32_t cell : code_cells(c)) codes.insert(cell);
      selectors.insert(selector_cell(c));
    }
  EXPECT_EQ(codes, all_codes);
  EXPECT_EQ(selectors, all_selectors);
}

TEST(SparseMakers, BringMetadataAndScalesInEveryWay) {
  std::set<uint32_t> seen, all;
  for (const std::vector<MmaForm>& some :
       {sparse_plain_forms(Arch::sm_100), sparse_pair_forms(Arch::sm_100), sparse_ws_forms(Arch::sm_100)})
    for (const uint32_t cell : way_cells_of(some)) all.insert(cell);
  for (const MmaMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 600; ++index) {
      Tcgen05MmaCase c;
      maker.make({1, maker.name, index, Arch::sm_100}, c);
      seen.insert(way_cell(c));
    }
  EXPECT_EQ(seen, all);
  std::set<std::string> names;
  for (const uint32_t cell : all) EXPECT_TRUE(names.insert(way_cell_name(cell)).second) << cell;
}

constexpr Rivals sparse_rivals[] = {{"AMB-19", "BC"}, {"AMB-20", "C"}, {"AMB-45", "B"}, {"AMB-46", "B"}};

/// Small enough for exact arithmetic.
bool is_small_of_sparse(const Tcgen05MmaCase& c) {
  return c.steps <= 2 && c.second_column == 0 &&
         size_t{c.m} * c.n * c.steps * static_cast<size_t>(model::k_of(c)) <=
             std::max<uint64_t>(share_of_cases(300'000), 90'000);  // of some makers no case is smaller
}

// The fast model against exact arithmetic element by element.
TEST(SparseModelProperty, AgreesWithTheSlowOne) {
  ModelsAgree models(sparse_makers, sparse_rivals, is_small_of_sparse, share_of_cases(4));
  models.of_makers([](std::string_view) { return share_of_cases(3); });
  EXPECT_TRUE(models.is_any_open) << "no case had a code without a meaning";
  models.where({"layout", make_mma_sparse_layout}, [&](const Tcgen05MmaCase& c) {
    return (models.asked["AMB-46"] == 0 && c.b.swizzle == 6 && !c.transpose_b) ||
           (models.asked["AMB-20"] == 0 && c.metadata.selector >= 2);
  });
  for (const auto& [id, letters] : sparse_rivals) EXPECT_GT(models.asked[id], 0u) << id << letters;
  models.of_rivals_left();
}

// A row with a code without a meaning leaves nothing else open.
TEST(SparseModel, OpensTheRowsOfCodesWithoutAMeaningAlone) {
  for (uint64_t index = 0; index < 24; ++index) {
    Tcgen05MmaCase c;
    make_mma_sparse_illegal_codes({1, "mma.sparse.illegal_codes", index, Arch::sm_100}, c);
    if (c.n > 64 || c.metadata.strange_rate == 256) continue;
    MmaRig rig(c);
    std::vector<uint32_t> cells = rig.cells, defined(cells.size(), ~0u);
    const auto prediction = model::predict_mma(c, spec::Readings(Arch::sm_100), rig.given, cells, defined);
    size_t open = 0;
    for (size_t i = 0; i < cells.size(); ++i) open += !prediction.all_defined && defined[i] == 0;
    const size_t of_d = size_t{c.m} * c.n * (c.second_column != 0 ? 2 : 1);
    EXPECT_LT(open, of_d) << index;
    EXPECT_EQ(prediction.end, model::End::done);
  }
}

// A device that takes 1001 for 1000 does with the one what it should do with the other.
TEST(SparseModel, ABentCodeGivesWhatTheOtherCodeGives) {
  const model::Bend* bend = nullptr;
  for (const model::Bend& one : model::mma_bends())
    if (one.words == "code 1001 were 1000") bend = &one;
  ASSERT_NE(bend, nullptr);
  const spec::Readings right(Arch::sm_100), bent = spec::Readings(Arch::sm_100).bend_by(bend);
  int compared = 0;
  for (uint64_t index = 0; index < 40; ++index) {
    Tcgen05MmaCase c;
    make_mma_sparse_layout({1, "mma.sparse.layout", index, Arch::sm_100}, c);
    if (c.n > 64 || model::sparsity_row(c).kind != layout::SparsityKind::two_of_four) continue;
    ++compared;
    c.metadata.codes = 0x99999999;
    MmaRig rig(c);
    Tcgen05MmaCase other = c;
    other.metadata.codes = 0x88888888;
    MmaRig other_rig(other);
    std::vector<uint32_t> first = rig.cells, second = other_rig.cells, defined(first.size());
    const auto one = model::predict_mma(c, bent, rig.given, first, defined);
    const auto two = model::predict_mma(other, right, other_rig.given, second, defined);
    ASSERT_EQ(one.end, two.end);
    for (size_t i = 0; i < first.size(); ++i) {
      const uint32_t column = static_cast<uint32_t>(i) % c.alloc_columns;
      if (column - c.metadata.column < c.metadata.columns) continue;
      ASSERT_EQ(first[i], second[i]) << index << ' ' << i;
    }
  }
  EXPECT_GT(compared, 4);
}

TEST(SparseMakers, ExerciseEveryRuleOfSparsity) {
  const spec::RuleSet seen = rules_exercised_by(sparse_makers, 100, Arch::sm_100);
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const std::string_view id = spec::rule_table[i].id;
    if (id == "SPARSE-R12" || id == "SPARSE-R13") continue;  // metadata in registers: mma.sp and wgmma.sp
    if (id.starts_with("SPARSE-") || id == "SMEM-R19") {
      EXPECT_TRUE(seen.test(i)) << id;
    }
  }
}

TEST(SparseShrink, StaysInTheRigAndEnds) {
  expect_shrinking_ends(sparse_makers);
}

}  // namespace
}  // namespace assay::gen
