// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "suites/failure/shrinking.h"
#include "suites/run/device_run.h"

namespace assay::suites {

/// Runs of failing cases that are spent on finding out whether they repeat.
struct RepeatLimits {
  int first = 10;        ///< runs of a case that failed
  int rare = 20;         ///< runs of one that failed at most once more among those
  int deadly = 3;        ///< runs of one that costs a process or a time limit
  int together = 3;      ///< runs of one among copies of itself, or its neighbours
  int copies = 10;       ///< of a case that does not fail alone, in one batch
  int most_of_kind = 4;  ///< cases of one kind, once the first of them did not repeat
};

/// What is done about failures once all cases have run: each failure signature is run again, to see whether
/// it repeats, and then walked down its shrink tree.
class SecondLook {
 public:
  struct Hooks {
    /// A row for the report. `shrunk_from`: the case id before shrinking, or empty.
    std::function<void(const Property&, const Outcome&, const CaseOrigin&, std::string shrunk_from)> write;
    std::function<void(const std::string& property, const std::string& from, const std::string& to,
                       report::Verdict)>
        rename;
    std::function<void(std::string)> stage;
    std::function<std::string(const Property&, const std::string& signature, const spec::RuleSet&)> waiver;
  };

  SecondLook(DeviceRun& run, uint64_t seed, int most_shrunk, const ShrinkLimits& limits,
             std::atomic<int>& repeats_left, Hooks hooks);

  /// Ends early, with what it has, when time is up or the device is lost.
  void look();

 private:
  struct Repeats {
    uint32_t failed = 0, of = 0;
    Outcome last;         ///< the last failing one
    Surroundings around;  ///< what these runs gave it
  };
  /// The case failed once already; that time counts. Alone, and where it never fails so, side by side with
  /// copies of itself, and then among the cases that shared its batch.
  Repeats repeat(const Property&, const Outcome&);
  Repeats repeat_among(const Property&, const Outcome&, const Surroundings&, int times);
  /// Fewer neighbours among which it still fails.
  void narrow(const Property&, Repeats&);
  bool is_over() const;
  void look_at(PropertyRun&, const FailureKind&);
  void call_flaky(PropertyRun&, const FailureKind&, const Repeats&);
  void shrink_one(const Property&, const FailureKind&, const Outcome& again);

  DeviceRun& run_;
  CaseRunner runner_;
  const uint64_t seed_;
  const int most_shrunk_;
  const ShrinkLimits limits_;
  const RepeatLimits repeat_limits_;
  std::atomic<int>& repeats_left_;  ///< over all devices of the run
  const Hooks hooks_;
};

}  // namespace assay::suites
