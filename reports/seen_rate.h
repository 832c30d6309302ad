// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/results.h"

namespace assay::report {

/// What a default night must see: a fault of one case in so many, with 95 % confidence.
inline constexpr uint64_t night_rate = 100'000;

/// The rarest fault that independent cases, none of which failed, would have shown with 95 % confidence, as
/// one case in so many: 1 / (1 - 0.05^(1/n)), about n / 3 (the rule of three), rounded down. 0 for no case:
/// nothing would have been seen.
uint64_t seen_one_in(uint64_t cases);

/// Cases that see a fault of one case in `one_in`.
uint64_t cases_to_see(uint64_t one_in);

/// Cases of a property that could have shown a fault: those for which a document says what must come out.
uint64_t telling_cases(const PropertyResult&);

/// "would have caught a 1-in-33,381 defect (95 % confidence)"; "would have caught no defect" without a case.
std::string seen_words(uint64_t cases);

/// Of a device, in one sentence: how many properties ran enough cases to see what a night must see. Empty
/// where no property has a case that could show a fault.
std::string seen_line(const DeviceResult&);

/// A failure signature that came up before and not again.
struct Absence {
  bool is_gone = false;  ///< chance alone would hardly have kept it away
  std::string words;     ///< where it is not: "not seen in 6,000 cases, 1.2 expected"
};

/// `failed` of `of` cases failed in this way then, none of `now` cases does. `same_cases`: those that failed
/// are among the present ones. It is gone if it would stay away by chance in less than one of a hundred
/// nights. `failed` is 0 where nobody counted.
Absence absence(uint64_t failed, uint64_t of, uint64_t now, bool same_cases);

}  // namespace assay::report
