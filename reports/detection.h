// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/results.h"

/// What the suites detect: one row a fault of the catalogue and architecture.
namespace assay::report {

enum class Detected {
  caught,        ///< a property fails
  adopted,       ///< the device is said to take another reading of an open question, which is what it does
  survived,      ///< nothing was seen within the budget
  unobservable,  ///< nothing was seen, and nothing can be: `reason` says why
  refuted,       ///< claimed to be unobservable, yet a property fails
};

struct DetectionRow {
  std::string fault, wrong, clause;
  std::string spec;  ///< device, fault included
  Detected detected = Detected::survived;
  std::string property;           ///< the first that catches it; empty: none
  std::string how;                ///< first line of what differs, or the reading adopted
  uint64_t cases = 0;             ///< of that property until it failed, the failing one included
  uint64_t all_cases = 0;         ///< of all properties until then
  double seconds = 0;             ///< until then; not in the Markdown table, for no two runs agree
  std::string replay;             ///< "property@seed#index/path" of the shrunk case, or empty
  std::string case_file;          ///< where the shrunk case is stored, or empty
  std::string shrunk_words;       ///< fields of the shrunk case, "rank 1, box 16"
  std::vector<std::string> also;  ///< the others that catch it, "property (cases)"
  std::string reason;             ///< of what is unobservable
  bool rare = false;
};

/// How a whole table came about.
struct DetectionHeader {
  uint64_t seed = 1;
  std::string budget;       ///< of a fault, "60s"
  std::string command;      ///< that makes the table again
  std::string rare_budget;  ///< of a rare one
};

/// The first two words of a property's name of three, the first of one of two: "tma.tiled", "wgmma".
std::string area_of(const std::string& property);

/// "174 faults, met 468 times on the architectures that have what they spoil".
std::string faults_words(const std::vector<DetectionRow>&);

/// True when the table is as it should be: nothing survived, no claim was refuted.
bool is_whole(const std::vector<DetectionRow>&);

/// How they were measured and a summary. Holds no wall times: the same for the same seed and catalogue.
std::string detection_markdown(const DetectionHeader&, const std::vector<DetectionRow>&);
/// A page of its own with every row: times, claims and every property that catches.
void write_detection_html(const DetectionHeader&, const std::vector<DetectionRow>&,
                          const std::filesystem::path& file);

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
