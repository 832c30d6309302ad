#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/model/tcgen05_mma_case.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/question.h"

/// For tests that hold the fast model of tcgen05.mma against the slow one under the rivals of the usual
/// readings. That they agree says nothing where the reading makes no difference.
namespace assay::gen {

/// A question, and the letters of rival readings.
using Rivals = std::pair<const char*, const char*>;

/// None under sanitizers: whether the models agree is seen without them.
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

/// Each rival that has made no difference, on the first case where the fast model knows it to make one.
/// each_case(i, visit) visits case i of every maker with its architecture, fast(c, readings) gives cells, and
/// compare(c, readings) holds the slow model against them. Not under sanitizers.
template <class EachCase, class Fast, class Compare>
void try_where_they_differ(std::span<const Rivals> rivals, const RivalsTried& tried,
                           const EachCase& each_case, const Fast& fast, const Compare& compare) {
  if (share_of_cases(100) != 100) return;
  for (const Rivals& of : rivals)
    for (const char letter : std::string(of.second)) {
      const std::string name = of.first + std::string(1, letter);
      if (tried.has_differed(name)) continue;
      bool differs = false;
      for (uint64_t i = 0; i < 4096 && !differs; ++i)
        each_case(i, [&](const Tcgen05MmaCase& c, spec::Arch arch) {
          if (differs) return;
          const spec::Readings usual(arch);
          const spec::Readings rival = spec::with(usual, *spec::find_question(of.first), letter);
          if (fast(c, usual) == fast(c, rival)) return;
          differs = true;
          SCOPED_TRACE(name);
          compare(c, usual), compare(c, rival);
        });
      EXPECT_TRUE(differs) << name << " makes no difference to any case";
    }
}

}  // namespace assay::gen
