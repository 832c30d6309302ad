// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/question.h"

/// For tests that hold the fast model of tcgen05.mma against the slow one under the rivals of the usual
/// readings. That they agree says nothing where the reading makes no difference.
namespace assay::gen {

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

/// What the fast model makes of the cells and operands that a Rig has for a case.
template <class Rig>
Cells fast_cells(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  Rig rig(c);
  Cells defined(rig.cells.size(), ~0u);
  const auto prediction = model::predict_mma(c, readings, rig.given, rig.cells, defined);
  EXPECT_EQ(prediction.end, model::End::done);
  if (prediction.all_defined) std::ranges::fill(defined, ~0u);
  rig.cells.insert(rig.cells.end(), defined.begin(), defined.end());
  return rig.cells;
}

/// What the slow model makes of them, held against the fast one.
template <class Rig>
Cells compare_with_slow(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  const Cells fast = fast_cells<Rig>(c, readings);
  Rig rig(c);
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

/// Each rival that has made no difference, on the first case where the fast model knows it to make one, case
/// 0 of every maker first. arch_of(maker) is the architecture that it makes cases for. Not
/// where a share of the cases is run.
template <class Rig, class Makers, class ArchOf>
void try_where_they_differ(std::span<const Rivals> rivals, const RivalsTried& tried, const Makers& makers,
                           bool (*is_small)(const Tcgen05MmaCase&), const ArchOf& arch_of) {
  if (share_of_cases(100) != 100) return;
  for (const Rivals& of : rivals)
    for (const char letter : std::string(of.second)) {
      const std::string name = of.first + std::string(1, letter);
      if (tried.has_differed(name)) continue;
      bool differs = false;
      for (uint64_t i = 0; i < 4096 && !differs; ++i)
        for (const auto& maker : makers) {
          const spec::Readings usual(arch_of(maker));
          const spec::Readings rival = spec::with(usual, *spec::find_question(of.first), letter);
          Tcgen05MmaCase c;
          maker.make({4, maker.name, i, usual.arch()}, c);
          if (!is_small(c) || fast_cells<Rig>(c, usual) == fast_cells<Rig>(c, rival)) continue;
          differs = true;
          SCOPED_TRACE(name);
          compare_with_slow<Rig>(c, usual), compare_with_slow<Rig>(c, rival);
          break;
        }
      EXPECT_TRUE(differs) << name << " makes no difference to any case";
    }
}

}  // namespace assay::gen
