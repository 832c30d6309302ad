// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "generators/random.h"
#include "generators/rivals_tried_test.h"
#include "reference/model/bend.h"
#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

struct SparseMaker {
  const char* name;
  void (*make)(const CaseId&, Tcgen05MmaCase&);
};
constexpr SparseMaker sparse_makers[] = {
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

std::string sparse_broken_names(const Tcgen05MmaCase& c) {
  const spec::RuleSet broken = model::broken_mma_rules(c, spec::Readings(Arch::sm_100));
  std::string names;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (broken[i]) names += std::string(spec::rules()[i].id) + " ";
  return names;
}

TEST(SparseMakers, MakeLegalCasesThatFitTheRig) {
  for (const SparseMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 400; ++index) {
      Tcgen05MmaCase c;
      maker.make({1, maker.name, index, Arch::sm_100}, c);
      ASSERT_TRUE(c.sparse && model::fits_rig(c)) << maker.name << ' ' << index;
      ASSERT_EQ(sparse_broken_names(c), "") << maker.name << ' ' << index;
    }
}

TEST(SparseMakers, BreakARuleEachTime) {
  std::set<std::string> seen;
  for (uint64_t index = 0; index < 400; ++index) {
    Tcgen05MmaCase c;
    make_mma_sparse_broken({1, "broken", index, Arch::sm_100}, c);
    ASSERT_TRUE(model::fits_rig(c)) << index;
    const std::string names = sparse_broken_names(c);
    // One in eight is a control: it breaks nothing.
    ASSERT_EQ(names.empty(), index % 8 == 1) << index << ' ' << names;
    if (!names.empty()) seen.insert(names.substr(0, names.find(' ')));
  }
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
  for (const SparseMaker& maker : sparse_makers)
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
  for (const SparseMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 600; ++index) {
      Tcgen05MmaCase c;
      maker.make({1, maker.name, index, Arch::sm_100}, c);
      seen.insert(way_cell(c));
    }
  EXPECT_EQ(seen, all);
  std::set<std::string> names;
  for (const uint32_t cell : all) EXPECT_TRUE(names.insert(way_cell_name(cell)).second) << cell;
}

/// Near enough for a test: the probes' own mix is not for this room.
uint32_t word_of_sparse(const OperandPattern& pattern, uint64_t i) {
  Random random(pattern.seed + 977 * i);
  uint32_t word = (static_cast<uint32_t>(random.next()) & pattern.keep) | pattern.set;
  if (pattern.special_bits == 8 && random.one_in(6))
    word = (word & ~0xffu) | pattern.special[random.below(4)];
  return word;
}
uint32_t metadata_word(const MetadataInTensorMemory& m, uint64_t i) {
  Random random(m.seed + 977 * i);
  uint32_t word = 0;
  for (uint32_t at = 0; at < 32; at += 4) {
    const uint32_t list = random.below(256) < m.strange_rate ? m.strange_codes : m.codes;
    word |= (list >> 4 * random.below(8) & 0xf) << at;
  }
  return word;
}

struct SparseRig {
  explicit SparseRig(const Tcgen05MmaCase& c) {
    for (size_t rank = 0; rank < c.cta_group; ++rank) {
      const uint64_t other = rank << 32;
      for (uint32_t i = 0; i < c.window_bytes / 4; ++i)
        windows[rank].push_back(word_of_sparse(i * 4 < c.split ? c.a_fill : c.b_fill, i + other));
      given[rank] = std::as_bytes(std::span(windows[rank]));
      for (uint32_t lane = 0; lane < 128; ++lane)
        for (uint32_t column = 0; column < c.alloc_columns; ++column)
          cells.push_back(cell(c, lane, column, other));
    }
  }
  static uint32_t cell(const Tcgen05MmaCase& c, uint32_t lane, uint32_t column, uint64_t other) {
    if (column - c.metadata.column < c.metadata.columns)
      return metadata_word(c.metadata, other + column * 128 + lane);
    for (const bool is_a : {true, false}) {
      const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
      if (column - scales.column < scales.columns)
        return word_of_sparse(scales.fill, other + column * 32 + lane % 32);
    }
    return word_of_sparse(column < c.tmem_split ? c.d_fill : c.tmem_a_fill,
                          other + lane * c.alloc_columns + column);
  }
  std::vector<uint32_t> windows[2], cells;
  model::MmaWindows given;
};

constexpr Rivals sparse_rivals[] = {{"AMB-19", "BC"}, {"AMB-20", "C"}, {"AMB-45", "B"}, {"AMB-46", "B"}};

/// Small enough for exact arithmetic.
bool is_small_of_sparse(const Tcgen05MmaCase& c) {
  return c.steps <= 2 && c.second_column == 0 &&
         size_t{c.m} * c.n * c.steps * static_cast<size_t>(model::k_of(c)) <=
             std::max<uint64_t>(share_of_cases(300'000), 90'000);  // of some makers no case is smaller
}

// The fast model against exact arithmetic element by element, under the defaults and under the rivals of
// questions that a case asks.
TEST(SparseModelProperty, AgreesWithTheSlowOne) {
  std::map<std::string, uint64_t> tried;
  RivalsTried rivals_tried(share_of_cases(4));
  bool is_any_open = false;
  const auto compare = [&](const Tcgen05MmaCase& c) {
    const spec::Readings defaults(Arch::sm_100);
    const Cells usual = compare_with_slow<SparseRig>(c, defaults);
    is_any_open |= std::any_of(usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2), usual.end(),
                               [](uint32_t defined) { return defined != ~0u; });
    for (const auto& rival : sparse_rivals) {
      const spec::QuestionIndex question = *spec::find_question(rival.first);
      if (!defaults.consulted().test(question)) continue;
      ++tried[rival.first];
      for (const char letter : letters_tried(rival))
        rivals_tried.try_on(std::string(rival.first) + letter, "", usual, [&] {
          return compare_with_slow<SparseRig>(c, spec::with(defaults, question, letter));
        });
    }
  };
  const uint64_t wanted = share_of_cases(3);
  for (const SparseMaker& maker : sparse_makers) {
    uint64_t done = 0;
    for (uint64_t i = 0; i < 4096 && done < wanted; ++i) {
      Tcgen05MmaCase c;
      maker.make({3, maker.name, i * 997 % 4096, Arch::sm_100}, c);
      if (!is_small_of_sparse(c)) continue;
      ++done;
      compare(c);
      if (HasFailure()) FAIL() << maker.name << ' ' << i * 997 % 4096;
    }
    EXPECT_EQ(done, wanted) << maker.name;
  }
  EXPECT_TRUE(is_any_open) << "no case had a code without a meaning";
  for (uint64_t i = 0; i < 4096 && (tried["AMB-46"] == 0 || tried["AMB-20"] == 0); ++i) {
    Tcgen05MmaCase c;
    make_mma_sparse_layout({3, "layout", i, Arch::sm_100}, c);
    const bool asks = (tried["AMB-46"] == 0 && c.b.swizzle == 6 && !c.transpose_b) ||
                      (tried["AMB-20"] == 0 && c.metadata.selector >= 2);
    if (asks && is_small_of_sparse(c)) compare(c);
  }
  for (const auto& [id, letters] : sparse_rivals) EXPECT_GT(tried[id], 0u) << id << letters;
  try_where_they_differ<SparseRig>(sparse_rivals, rivals_tried, sparse_makers, is_small_of_sparse,
                                   [](const SparseMaker&) { return Arch::sm_100; });
}

// A row with a code without a meaning leaves nothing else open.
TEST(SparseModel, OpensTheRowsOfCodesWithoutAMeaningAlone) {
  for (uint64_t index = 0; index < 24; ++index) {
    Tcgen05MmaCase c;
    make_mma_sparse_illegal_codes({1, "mma.sparse.illegal_codes", index, Arch::sm_100}, c);
    if (c.n > 64 || c.metadata.strange_rate == 256) continue;
    SparseRig rig(c);
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
    SparseRig rig(c);
    Tcgen05MmaCase other = c;
    other.metadata.codes = 0x88888888;
    SparseRig other_rig(other);
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
  spec::RuleSet seen;
  for (const SparseMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 100; ++index) {
      Tcgen05MmaCase c;
      maker.make({2, maker.name, index, Arch::sm_100}, c);
      seen |= model::exercised_mma_rules(c, Arch::sm_100);
    }
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const std::string_view id = spec::rule_table[i].id;
    if (id == "SPARSE-R12" || id == "SPARSE-R13") continue;  // metadata in registers: mma.sp and wgmma.sp
    if (id.starts_with("SPARSE-") || id == "SMEM-R19") {
      EXPECT_TRUE(seen.test(i)) << id;
    }
  }
}

TEST(SparseShrink, StaysInTheRigAndEnds) {
  for (const SparseMaker& maker : sparse_makers)
    for (uint64_t index = 0; index < 5; ++index) {
      Tcgen05MmaCase c;
      maker.make({9, maker.name, index, Arch::sm_100}, c);
      int depth = 0;
      for (auto next = simpler(c); !next.empty() && depth < 400; next = simpler(c), ++depth) {
        ASSERT_TRUE(model::fits_rig(next.back())) << maker.name << ' ' << index << " depth " << depth;
        c = next[0];
      }
      EXPECT_LT(depth, 400) << maker.name << ' ' << index;
    }
}

}  // namespace
}  // namespace assay::gen
