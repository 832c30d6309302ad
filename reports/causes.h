// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/results.h"
#include "reports/words.h"

namespace assay::report {

/// One thing to mend: failure signatures of a whole run that one broken rule explains or may have brought
/// about. Where nothing explains them, those of one property.
struct Cause {
  /// Rules that explain it, the likeliest first, at most three; none: it is unexplained.
  std::vector<Suspect> suspects;
  /// "violates TILE-R08 (as if ...)", "one of TILE-R08 (...), TILE-R04 (...)", "unexplained; exercises ...";
  /// empty where nothing was sought.
  std::string words;
  /// First those that it explains, in reading order; behind them those that fold under it: they are
  /// compatible with it, and nothing explains them better.
  std::vector<FailurePlace> places;
  size_t explained = 0;                 ///< so many of the places, the first, it explains
  uint64_t cases = 0;                   ///< of all places
  std::vector<std::string> properties;  ///< of all places, each once, in their order
  /// Command that replays the first place and says of it what `words` say; empty where none was stored.
  std::string replay;
};

/// Of the failures that fail a run: as few items as there are things to mend, ranked over the whole run. What
/// explains most comes first, and what nothing explains last.
std::vector<Cause> causes_of(const Results&);

/// Makes all of a run's results say what its causes do: each failure group is blamed on its cause, and where
/// a cause explains what failed, no question counts as contradicted or undecided for it and no other reading
/// is offered.
void settle_causes(Results&);

/// How many of the causes, the first, belong on a first screen: enough to cover half of the failing cases, so
/// that one that explains little never stands alone; three where one covers them.
size_t causes_to_show(const std::vector<Cause>&);

}  // namespace assay::report
