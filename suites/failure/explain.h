// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "devices/device.h"
#include "reports/blame.h"
#include "reports/detection.h"
#include "suites/run/judge.h"
#include "suites/run/property.h"

namespace assay::suites {

/// How a rule, altered, fits what a device did with a case that failed.
enum class Fit : uint8_t {
  none,
  open,   ///< it leaves open what came out wrong, and much else
  close,  ///< it leaves little else open
  mixed,  ///< every element is as the rule has it, or as the altered rule has it
  exact,  ///< the altered rule gives all that came out
};

/// Which single rule, altered in one way, explains cases that failed in one way: of each case it is asked
/// what the reference predicts with the rule altered (reference/model/bend.h).
class Explanation {
 public:
  /// Cases of one signature that are looked at: more say little that is new.
  static constexpr uint32_t most_cases = 8;

  /// A case that failed, with what the device did. `readings`: those that it was judged by.
  void add(const Family&, const Case&, const spec::Readings&, const Observation&);
  /// A case that conformed: what would have made it fail has not happened to this device in general.
  void weigh(const Family&, const Case&, const spec::Readings&);

  uint32_t cases() const { return cases_; }
  report::Blame blame() const;

 private:
  struct Candidate {
    const model::Bend* bend = nullptr;
    Fit worst = Fit::exact;    ///< over all cases so far
    uint32_t fitting = 0;      ///< cases
    uint32_t refutations = 0;  ///< cases that conformed and would not have
  };
  /// How well a rule does with all its candidates together.
  struct Standing {
    spec::RuleIndex rule = 0;
    Fit worst = Fit::exact;
    uint64_t points = 0;  ///< summed over the cases: most of those that fit exactly
  };
  uint64_t likely(const Candidate&) const;
  uint64_t strength(const Standing&, const Candidate*& best) const;

  uint32_t cases_ = 0, weighed_ = 0;
  uint32_t refused_ = 0;               ///< cases whose kernel the driver refused
  std::vector<Candidate> candidates_;  ///< of the rules that explain every case so far
  std::vector<Standing> standings_;
};

/// The readings that a case was judged by.
spec::Readings judged_by(spec::Arch, const Assignment&);

/// The same of a single case.
report::Blame explain(const Family&, const Case&, const spec::Readings&, const Observation&);

struct DetectionOptions {
  uint64_t seed = 1;
  std::chrono::milliseconds budget{60000};  ///< of a fault, on one core
  int rare_factor = 10;                     ///< how much longer a rare one is looked for
  bool all = false;                         ///< go on after the first property that catches it
  bool shrink = true;
  uint64_t most_cases = 0;                  ///< of each property; 0: as many as the budget lets it have
  std::filesystem::path cases;              ///< folder for shrunk cases; empty: they are not stored
  std::vector<std::string> properties;      ///< globs; empty: all
  const std::atomic<bool>* stop = nullptr;  ///< ends early; what was not finished is `survived`
};

/// Runs the suites against one fault: rounds of all properties, each round twice as long as the one before,
/// with numbers of cases that take about the same time for every property. Which property fails first, and
/// after how many cases, follows from the seed alone as long as the budget lasts. Throws DeviceError when the
/// device cannot be opened.
report::DetectionRow detect(const FaultRow& fault, const DetectionOptions& options);

/// The emulator's, without those of which no property that their row names (caught_by) exists on the
/// architecture. Throws std::runtime_error with one sentence for a row that names no property.
std::vector<FaultRow> observable_faults();
/// What each fault's row says of it, one row for each of its architectures: the property, the cases and
/// whether it is caught or adopted; how: the reading that is adopted.
std::vector<report::DetectionRow> expected_detections();

/// Cases of a property in the first round.
uint64_t first_round_cases(const Property&);

}  // namespace assay::suites
