// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/mma/cases.h"
#include "generators/random.h"
#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

/// What the tests of dense, sparse and scaled cases of tcgen05.mma have in common.
namespace assay::gen {

struct MmaMaker {
  const char* name;
  void (*make)(const CaseId&, Tcgen05MmaCase&);
  spec::Arch arch = spec::Arch::sm_100;

  Tcgen05MmaCase made(uint64_t seed, uint64_t index) const {
    Tcgen05MmaCase c;
    make({seed, name, index, arch}, c);
    return c;
  }
};

inline std::string broken_mma_names(const Tcgen05MmaCase& c, spec::Arch arch) {
  const spec::RuleSet broken = model::broken_mma_rules(c, spec::Readings(arch));
  std::string names;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (broken[i]) names += std::string(spec::rules()[i].id) + " ";
  return names;
}

inline void expect_legal(std::span<const MmaMaker> makers, uint64_t count) {
  for (const MmaMaker& maker : makers)
    for (uint64_t index = 0; index < count; ++index) {
      const Tcgen05MmaCase c = maker.made(1, index);
      ASSERT_TRUE(model::fits_rig(c)) << maker.name << ' ' << index;
      ASSERT_EQ(broken_mma_names(c, maker.arch), "") << maker.name << ' ' << index;
    }
}

/// Ids of the rules of which the first cases break one each; one case in eight is a control that breaks none.
inline std::set<std::string> rules_broken_by(const MmaMaker& maker, uint64_t count) {
  std::set<std::string> seen;
  for (uint64_t index = 0; index < count; ++index) {
    const Tcgen05MmaCase c = maker.made(1, index);
    EXPECT_TRUE(model::fits_rig(c)) << index;
    const std::string names = broken_mma_names(c, maker.arch);
    EXPECT_EQ(names.empty(), index % 8 == 1) << index << ' ' << names;
    if (!names.empty()) seen.insert(names.substr(0, names.find(' ')));
  }
  return seen;
}

inline spec::RuleSet rules_exercised_by(std::span<const MmaMaker> makers, uint64_t count, spec::Arch arch) {
  spec::RuleSet seen;
  for (const MmaMaker& maker : makers)
    for (uint64_t index = 0; index < count; ++index)
      seen |= model::exercised_mma_rules(maker.made(2, index), arch);
  return seen;
}

inline void expect_shrinking_ends(std::span<const MmaMaker> makers) {
  for (const MmaMaker& maker : makers)
    for (uint64_t index = 0; index < 5; ++index) {
      Tcgen05MmaCase c = maker.made(9, index);
      int depth = 0;
      for (auto next = simpler(c); !next.empty() && depth < 400; next = simpler(c), ++depth) {
        for (const Tcgen05MmaCase* one : {&next.front(), &next.back()})
          ASSERT_TRUE(model::fits_rig(*one)) << maker.name << ' ' << index << " depth " << depth;
        c = next[0];
      }
      EXPECT_LT(depth, 400) << maker.name << ' ' << index;
      EXPECT_TRUE(c.sparse || (c.steps == 1 && c.n <= 64)) << maker.name << ' ' << c.n;
    }
}

/// Words as a pattern gives them, near enough for a test: the probes' own mix is not for this room.
inline uint32_t word_of(const OperandPattern& pattern, uint64_t i) {
  Random random(pattern.seed + 977 * i);
  uint32_t word = (static_cast<uint32_t>(random.next()) & pattern.keep) | pattern.set;
  if (pattern.mirror_bits == 8) word = (word & 0x00ff00ff) * 0x101 ^ pattern.mirror_flip;
  if (pattern.special_bits == 0 || !random.one_in(8)) return word;
  const uint32_t mask = pattern.special_bits == 32 ? ~0u : (1u << pattern.special_bits) - 1;
  return (word & ~mask) | (pattern.special[random.below(4)] & mask);
}

/// What shared and tensor memory hold before a case.
struct MmaRig {
  explicit MmaRig(const Tcgen05MmaCase& c) {
    for (size_t rank = 0; rank < c.cta_group; ++rank) {
      const uint64_t other = rank << 32;
      for (uint32_t i = 0; i < c.window_bytes / 4; ++i)
        windows[rank].push_back(word_of(i * 4 < c.split ? c.a_fill : c.b_fill, i + other));
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
      if (column - scales.column >= scales.columns) continue;
      const uint32_t half = !is_a && c.scale_halves ? lane / 64 : 0;
      return word_of(scales.fill, other + (column * 2 + half) * 32 + lane % 32);
    }
    return word_of(column < c.tmem_split ? c.d_fill : c.tmem_a_fill, other + lane * c.alloc_columns + column);
  }
  static uint32_t metadata_word(const MetadataInTensorMemory& m, uint64_t i) {
    Random random(m.seed + 977 * i);
    uint32_t word = 0;
    for (uint32_t at = 0; at < 32; at += 4) {
      const uint32_t list = random.below(256) < m.strange_rate ? m.strange_codes : m.codes;
      word |= (list >> 4 * random.below(8) & 0xf) << at;
    }
    return word;
  }
  std::vector<uint32_t> windows[2], cells;
  model::MmaWindows given;
};

// The fast model of tcgen05.mma against the slow one under the rivals of the usual readings. That they agree
// says nothing where the reading makes no difference.

/// A question, and the letters of rival readings.
using Rivals = std::pair<const char*, const char*>;

/// None where a share of the cases is run, as under sanitizers: whether the models agree is seen without
/// them.
inline std::string letters_tried(const Rivals& rivals) {
  return share_of_cases(100) == 100 ? rivals.second : "";
}

/// Counts the cases that a rival is tried on: of each maker until one makes a difference.
class RivalsTried {
 public:
  explicit RivalsTried(uint64_t most_tries) : most_tries_(most_tries) {}

  /// cells() gives what the rival makes of the maker's case, `usual` are those under the usual readings.
  template <class Cells>
  void try_on(const std::string& rival, const std::string& maker, const std::vector<uint32_t>& usual,
              const Cells& cells) {
    Tries& tries = tries_[rival][maker];
    if (tries.has_differed || tries.count == most_tries_) return;
    ++tries.count;
    SCOPED_TRACE(rival + " on a case of " + maker);
    tries.has_differed = cells() != usual;
  }
  bool has_differed(const std::string& rival) const {
    const auto tried = tries_.find(rival);
    return tried != tries_.end() &&
           std::ranges::any_of(tried->second, [](const auto& by) { return by.second.has_differed; });
  }

 private:
  struct Tries {
    uint64_t count = 0;
    bool has_differed = false;
  };
  uint64_t most_tries_;
  std::map<std::string, std::map<std::string, Tries>> tries_;
};

/// What a model makes of the cells of tensor memory, and behind them which bits of each it defines.
using Cells = std::vector<uint32_t>;

/// What the fast model makes of the cells and operands of a case.
inline Cells fast_cells(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  MmaRig rig(c);
  Cells defined(rig.cells.size(), ~0u);
  const auto prediction = model::predict_mma(c, readings, rig.given, rig.cells, defined);
  EXPECT_EQ(prediction.end, model::End::done);
  if (prediction.all_defined) std::ranges::fill(defined, ~0u);
  rig.cells.insert(rig.cells.end(), defined.begin(), defined.end());
  return rig.cells;
}

/// What the slow model makes of them, held against the fast one.
inline Cells compare_with_slow(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  const Cells fast = fast_cells(c, readings);
  MmaRig rig(c);
  const size_t count = rig.cells.size();
  Cells& slow = rig.cells;
  Cells defined(count);
  // On a copy: the slow model asks every question, the fast one those that matter.
  const spec::Readings apart = readings;
  model::slow_mma(c, apart, rig.given, slow, defined);
  slow.insert(slow.end(), defined.begin(), defined.end());
  for (size_t i = 0; i < count; ++i) {
    const bool agree = fast[count + i] == defined[i] && ((fast[i] ^ slow[i]) & defined[i]) == 0;
    EXPECT_TRUE(agree) << "lane " << i / c.alloc_columns << " column " << i % c.alloc_columns;
    if (!agree) break;
  }
  return slow;
}

/// Compares cases of makers under the defaults and under the rivals of questions that a case asks, each of
/// them until it has made a difference.
class ModelsAgree {
 public:
  using IsSmall = bool (*)(const Tcgen05MmaCase&);

  /// is_small: enough for exact arithmetic. tries: cases that a rival is tried on, of each maker where
  /// `each`.
  ModelsAgree(std::span<const MmaMaker> makers, std::span<const Rivals> rivals, IsSmall is_small,
              uint64_t tries, bool each = false)
      : makers_(makers), rivals_(rivals), is_small_(is_small), tried_(tries), each_(each) {}

  void compare(const Tcgen05MmaCase& c, const MmaMaker& maker) {
    const spec::Readings defaults(maker.arch);
    const Cells usual = compare_with_slow(c, defaults);
    is_any_open |= std::any_of(usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2), usual.end(),
                               [](uint32_t defined) { return defined != ~0u; });
    for (const Rivals& rival : rivals_) {
      const spec::QuestionIndex question = *spec::find_question(rival.first);
      if (!defaults.consulted().test(question)) continue;
      ++asked[rival.first];
      for (const char letter : letters_tried(rival))
        tried_.try_on(std::string(rival.first) + letter, each_ ? maker.name : "", usual, [&] {
          return compare_with_slow(c, spec::Readings(maker.arch).choose(question, letter));
        });
    }
  }

  /// As many small cases of each maker as wanted(name) says.
  template <class Wanted>
  void of_makers(const Wanted& wanted) {
    for (const MmaMaker& maker : makers_) {
      uint64_t done = 0;
      const uint64_t count = wanted(std::string_view(maker.name));
      for (uint64_t i = 0; i < 4096 && done < count; ++i) {
        const Tcgen05MmaCase c = maker.made(3, i * 997 % 4096);
        if (!is_small_(c)) continue;
        ++done;
        compare(c, maker);
        if (testing::Test::HasFailure()) FAIL() << maker.name << ' ' << i * 997 % 4096;
      }
      EXPECT_EQ(done, count) << maker.name;
    }
  }

  /// Small cases of a maker for which asks(c) holds, until it holds for none.
  template <class Asks>
  void where(const MmaMaker& maker, const Asks& asks) {
    for (uint64_t i = 0; i < 4096; ++i) {
      const Tcgen05MmaCase c = maker.made(3, i);
      if (asks(c) && is_small_(c)) compare(c, maker);
    }
  }

  /// Each rival that has made no difference, on the first case where the fast model knows it to make one,
  /// case 0 of every maker first. Not where a share of the cases is run.
  void of_rivals_left() {
    if (share_of_cases(100) != 100) return;
    for (const Rivals& of : rivals_)
      for (const char letter : std::string(of.second)) {
        const std::string name = of.first + std::string(1, letter);
        if (tried_.has_differed(name)) continue;
        EXPECT_TRUE(makes_a_difference(of.first, letter)) << name << " makes no difference to any case";
      }
  }

  std::map<std::string, uint64_t> asked;  ///< cases that ask a question
  bool is_any_open = false;               ///< some case left a bit undefined

 private:
  bool makes_a_difference(const char* question, char letter) {
    for (uint64_t i = 0; i < 4096; ++i)
      for (const MmaMaker& maker : makers_) {
        const spec::Readings usual(maker.arch);
        const spec::Readings rival = spec::with(usual, *spec::find_question(question), letter);
        const Tcgen05MmaCase c = maker.made(4, i);
        if (!is_small_(c) || fast_cells(c, usual) == fast_cells(c, rival)) continue;
        SCOPED_TRACE(std::string(question) + letter);
        compare_with_slow(c, usual), compare_with_slow(c, rival);
        return true;
      }
    return false;
  }

  std::span<const MmaMaker> makers_;
  std::span<const Rivals> rivals_;
  IsSmall is_small_;
  RivalsTried tried_;
  bool each_;
};

}  // namespace assay::gen
