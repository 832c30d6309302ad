// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

/// "174 faults, met 468 times on the architectures that have what they spoil".
std::string faults_words(const std::vector<DetectionRow>&);

/// True when the table is as it should be: nothing survived, no claim was refuted.
bool is_whole(const std::vector<DetectionRow>&);

/// How they were measured and a summary. Holds no wall times: the same for the same seed and catalogue.
std::string detection_markdown(const DetectionHeader&, const std::vector<DetectionRow>&);
/// A page of its own with every row: times, claims and every property that catches.
void write_detection_html(const DetectionHeader&, const std::vector<DetectionRow>&,
                          const std::filesystem::path& file);

}  // namespace assay::report
