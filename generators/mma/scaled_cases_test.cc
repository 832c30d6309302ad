// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "generators/rivals_tried_test.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

struct ScaledMaker {
  const char* name;
  void (*make)(const CaseId&, Tcgen05MmaCase&);
  Arch arch = Arch::sm_100;
};
constexpr ScaledMaker scaled_makers[] = {
    {"mxf8f6f4", make_mma<MmaKind::mxf8f6f4>},
    {"mxf4", make_mma<MmaKind::mxf4>},
    {"mxf4nvf4", make_mma<MmaKind::mxf4nvf4>},
    {"layout", make_mma_scaled_layout},
    {"pair", make_mma_scaled_pair},
    {"k96", make_mma_scaled_k96, Arch::sm_103},
};

std::string scaled_broken_names(const Tcgen05MmaCase& c, Arch arch) {
  const spec::RuleSet broken = model::broken_mma_rules(c, spec::Readings(arch));
  std::string names;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (broken[i]) names += std::string(spec::rules()[i].id) + " ";
  return names;
}

TEST(ScaledMakers, MakeLegalCasesThatFitTheRig) {
  for (const ScaledMaker& maker : scaled_makers)
    for (uint64_t index = 0; index < 600; ++index) {
      Tcgen05MmaCase c;
      maker.make({1, maker.name, index, maker.arch}, c);
      ASSERT_TRUE(model::fits_rig(c)) << maker.name << ' ' << index;
      ASSERT_EQ(scaled_broken_names(c, maker.arch), "") << maker.name << ' ' << index;
    }
}

TEST(ScaledMakers, BreakARuleEachTime) {
  for (const Arch arch : {Arch::sm_100, Arch::sm_103}) {
    std::set<std::string> seen;
    for (uint64_t index = 0; index < 600; ++index) {
      Tcgen05MmaCase c;
      make_mma_scaled_broken({1, "broken", index, arch}, c);
      ASSERT_TRUE(model::fits_rig(c)) << index;
      const std::string names = scaled_broken_names(c, arch);
      // One in eight is a control: it breaks nothing.
      ASSERT_EQ(names.empty(), index % 8 == 1) << index << ' ' << names;
      if (!names.empty()) seen.insert(names.substr(0, names.find(' ')));
    }
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

/// Words as a pattern gives them, near enough for a test: the probes' own mix is not for this room.
uint32_t word_of_scaled(const OperandPattern& pattern, uint64_t i) {
  Random random(pattern.seed + 977 * i);
  uint32_t word = (static_cast<uint32_t>(random.next()) & pattern.keep) | pattern.set;
  if (pattern.mirror_bits == 8) word = (word & 0x00ff00ff) * 0x101 ^ pattern.mirror_flip;
  if (pattern.special_bits == 8 && random.one_in(6))
    word = (word & ~0xffu) | pattern.special[random.below(4)];
  return word;
}

struct ScaledRig {
  explicit ScaledRig(const Tcgen05MmaCase& c) {
    for (size_t rank = 0; rank < c.cta_group; ++rank) {
      const uint64_t other = rank << 32;
      for (uint32_t i = 0; i < c.window_bytes / 4; ++i)
        windows[rank].push_back(word_of_scaled(i * 4 < c.split ? c.a_fill : c.b_fill, i + other));
      given[rank] = std::as_bytes(std::span(windows[rank]));
      for (uint32_t lane = 0; lane < 128; ++lane)
        for (uint32_t column = 0; column < c.alloc_columns; ++column)
          cells.push_back(cell(c, lane, column, other));
    }
  }
  static uint32_t cell(const Tcgen05MmaCase& c, uint32_t lane, uint32_t column, uint64_t other) {
    for (const bool is_a : {true, false}) {
      const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
      if (column - scales.column >= scales.columns) continue;
      const uint32_t half = !is_a && c.scale_halves ? lane / 64 : 0;
      return word_of_scaled(scales.fill, other + (column * 2 + half) * 32 + lane % 32);
    }
    return word_of_scaled(column < c.tmem_split ? c.d_fill : c.tmem_a_fill,
                          other + lane * c.alloc_columns + column);
  }
  std::vector<uint32_t> windows[2], cells;
  model::MmaWindows given;
};

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
    ASSERT_EQ(scaled_broken_names(c, Arch::sm_100), "") << index;
    if (!c.scales_refilled) continue;
    ++refills;
    ScaledRig rig(c);
    for (size_t rank = 0; rank < c.cta_group; ++rank) {
      for (const bool is_a : {true, false})
        for (uint32_t i = 0; i < model::copied_scale_bytes(c, is_a) / 4; ++i)
          rig.windows[rank].push_back(
              word_of_scaled((is_a ? c.a_scales : c.b_scales).fill, (rank << 32) + 5000 + i));
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

// The fast model against exact arithmetic element by element, under the defaults and under the rivals of
// questions that a case asks, each of them until it has made a difference.
TEST(ScaledModelProperty, AgreesWithTheSlowOne) {
  std::map<std::string, int> tried;
  RivalsTried rivals_tried(share_of_cases(2));
  const auto compare = [&](const Tcgen05MmaCase& c, Arch arch) {
    const spec::Readings defaults(arch);
    const auto usual = compare_with_slow<ScaledRig>(c, defaults);
    for (const auto& [id, letters] : scaled_rivals) {
      const spec::QuestionIndex question = *spec::find_question(id);
      if (!defaults.consulted().test(question)) continue;
      ++tried[id];
      for (const char letter : letters_tried({id, letters}))
        rivals_tried.try_on(std::string(id) + letter, "", usual, [&] {
          return compare_with_slow<ScaledRig>(c, spec::Readings(arch).choose(question, letter));
        });
    }
  };
  const uint64_t wanted = share_of_cases(3);
  for (const ScaledMaker& maker : scaled_makers) {
    uint64_t done = 0;
    for (uint64_t i = 0; i < 4096 && done < wanted; ++i) {
      Tcgen05MmaCase c;
      maker.make({3, maker.name, i * 997 % 4096, maker.arch}, c);
      if (!is_small_of_scaled(c)) continue;
      ++done;
      compare(c, maker.arch);
      if (HasFailure()) FAIL() << maker.name << ' ' << i * 997 % 4096;
    }
    EXPECT_EQ(done, wanted) << maker.name;
  }
  // What few of the cases ask: rows of 48 bytes in 32-byte lines, bit 7 of ue4m3.
  for (uint64_t i = 0; i < 4096 && (tried["AMB-46"] == 0 || tried["NUM-AMB-11"] == 0); ++i) {
    Tcgen05MmaCase k96, bits;
    make_mma_scaled_k96({3, "k96", i, Arch::sm_103}, k96);
    if (tried["AMB-46"] == 0 && k96.b.swizzle == 6 && is_small_of_scaled(k96)) compare(k96, Arch::sm_103);
    make_mma<MmaKind::mxf4nvf4>({3, "bits", i, Arch::sm_100}, bits);
    const bool has_bit_7 = bits.scale_type == 0 && (bits.a_scales.fill.keep & 0x80) != 0;
    if (tried["NUM-AMB-11"] == 0 && has_bit_7 && is_small_of_scaled(bits)) compare(bits, Arch::sm_100);
  }
  try_where_they_differ<ScaledRig>(scaled_rivals, rivals_tried, scaled_makers, is_small_of_scaled,
                                   [](const ScaledMaker& maker) { return maker.arch; });
}

TEST(ScaledMakers, ExerciseEveryRuleOfScales) {
  spec::RuleSet seen;
  for (const ScaledMaker& maker : scaled_makers)
    for (uint64_t index = 0; index < 200; ++index) {
      Tcgen05MmaCase c;
      maker.make({2, maker.name, index, maker.arch}, c);
      seen |= model::exercised_mma_rules(c, Arch::sm_103);
    }
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const std::string_view id = spec::rule_table[i].id;
    if (id.starts_with("SCALE-") || id == "SMEM-R19" || id == "SMEM-R20" || id == "IDESC-R17" ||
        id == "ADD-R22") {
      EXPECT_TRUE(seen.test(i)) << id;
    }
  }
}

TEST(ScaledShrink, StaysInTheRigAndEnds) {
  for (const ScaledMaker& maker : scaled_makers)
    for (uint64_t index = 0; index < 5; ++index) {
      Tcgen05MmaCase c;
      maker.make({9, maker.name, index, maker.arch}, c);
      int depth = 0;
      for (auto next = simpler(c); !next.empty() && depth < 400; next = simpler(c), ++depth) {
        ASSERT_TRUE(model::fits_rig(next[0])) << maker.name << ' ' << index << " depth " << depth;
        c = next[0];
      }
      EXPECT_LT(depth, 400) << maker.name << ' ' << index;
      EXPECT_TRUE(c.steps == 1 && c.n <= 64) << maker.name << ' ' << c.n;
    }
}

}  // namespace
}  // namespace assay::gen
