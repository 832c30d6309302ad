// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/compare/nights.h"
#include "reports/places.h"
#include "reports/record.h"
#include "reports/telemetry.h"
#include "reports/verdict.h"

namespace assay::report {

using VerdictCounts = std::array<uint64_t, verdicts.size()>;  ///< indexed by Verdict

/// Cases that failed in the same way, of one property on one device.
struct FailureGroup {
  std::string signature;
  Verdict verdict{};
  uint64_t rows = 0;                  ///< cases in the file, shrunk copies not counted
  uint64_t count = 0;                 ///< cases that failed so, with a row or without
  std::string waiver;                 ///< what covers them, or empty
  uint32_t failed = 0, repeated = 0;  ///< of so many runs of one case so many failed
  Blame blame;                        ///< what explains them; once causes are settled, in the whole run
  Blame alone = {};                   ///< what explains them by themselves, where causes are settled
  bool is_settled = false;            ///< by settle_causes()
  bool is_folded = false;             ///< settled: something else is blamed for them, too
  std::vector<std::string> rules;     ///< that every one of them exercises
  std::vector<CaseRow> examples;      ///< the first few by index, shrunk ones first
};

/// A property on a device: the unit of verdicts.
struct PropertyResult {
  PropertyInfo info;
  uint64_t planned = 0;    ///< 0: by budget
  bool started = false;    ///< totals were recorded
  bool cut_short = false;  ///< by budget, and the property never was complete
  PropertyTotals totals;
  VerdictCounts
      counts{};  ///< as recorded, plus not-run or incomplete for what was planned and has no verdict
  Verdict verdict = Verdict::incomplete;
  int exit_code = 0;                     ///< with the run's policy on flaky cases
  std::string reason;                    ///< why, where the verdict is not about cases; one line
  std::vector<FailureGroup> failures;    ///< most severe first
  std::vector<FailureKindRow> kinds;     ///< all of them, in the order of signatures
  std::vector<RangeRow> ranges;          ///< ascending
  std::vector<PlaceRow> places;          ///< by multiprocessor
  std::vector<PlaceCount> wrong_places;  ///< of the elements of all failing cases in the file
  std::vector<RuleCount> rules;
  std::vector<CoverageCell> coverage;
  uint64_t cases() const;  ///< with a verdict from the device: issued and judged
};

struct DeviceResult {
  DeviceInfo info;
  bool is_silicon = false;
  Verdict verdict = Verdict::incomplete;
  std::vector<PropertyResult> properties;
  std::vector<ReadingRow> readings;
  std::vector<DecidingRow> deciding;        ///< of first contact
  std::vector<std::string> reading_states;  ///< of each run: its joint assignments (reports/results_file.h)
  std::vector<RuleCount> rule_book;         ///< every rule that applies to the architecture; counts are 0
  std::vector<WaiverRow> waivers;
  std::vector<TelemetryRow> telemetry;  ///< of a screen
  std::vector<TelemetryMark> marks;     ///< where it found wrong results
};

struct Finding {
  std::string device, kind, words;
  uint64_t times = 1;     ///< how often the same words were recorded
  std::string uuid = {};  ///< of the device: in a merged file several may have one name
};
bool is_about(const Finding& finding, const DeviceResult& device);

/// A results file, read and judged. Everything that a report says is taken from here.
struct Results {
  RunInfo run;                          ///< of several runs: what they have in common, and lists of the rest
  std::vector<RunInfo> runs;            ///< in the order of their ids
  bool finished = false;                ///< all of them
  bool needs_all_shards = false;        ///< they were merged, and not to stand for a part
  std::vector<std::string> unfinished;  ///< ids of runs that did not end
  std::string finished_utc;
  std::optional<int> recorded_exit;  ///< what the run itself left with
  std::vector<DeviceResult> devices;
  std::vector<Finding> findings;
  std::vector<PublishedRow> published;  ///< by others; of several runs, each row once
  /// Earlier nights of any device and, last, those of this file's devices in their order; empty where the
  /// file stores none.
  std::vector<HistoryNight> history;
  Verdict verdict = Verdict::incomplete;
  int exit_code = 0;
  bool device_lost = false;
  bool nothing_judged = false;      ///< of no case did a document say what must come out, or none ran
  bool flaky_warns = false;         ///< flaky properties do not raise the exit code
  VerdictCounts property_counts{};  ///< properties on devices, by verdict
};

/// Limits keep a run of a million failures from becoming a million rows of text.
struct ReadLimits {
  size_t examples_per_signature = 5;
  size_t examples_per_property = 400;
  bool history = true;  ///< whether Results::history is wanted
};

/// Throws std::runtime_error with one sentence when the file is absent, foreign, damaged or from another
/// version.
Results read_results(const std::filesystem::path& file, const ReadLimits& = {});

/// How long the run took, interruptions left out; of several that were merged, from the start of the first to
/// the end of the last. Negative when that is not known.
double seconds_taken(const Results&);

/// What a run left for `--resume`: by device spec and property, and the readings' state by device.
struct LeftBehind {
  RunInfo run;
  bool finished = false;
  std::vector<DeviceInfo> devices;
  std::set<std::pair<std::string, std::string>> planned;  ///< by device spec and property
  std::map<std::pair<std::string, std::string>, PropertyState> states;
  std::map<std::string, std::string> reading_states;
};
LeftBehind read_left_behind(const std::filesystem::path& file);

/// A property as one run left it: what was planned and has no verdict is not-run or incomplete, and why.
void settle_counts(PropertyResult&, bool run_finished);

/// From the counts of properties to their verdicts, those of devices and of the whole, and to the exit code.
void judge_results(Results&);

/// Devices of one architecture and evidence that ran the same cases, three at least: for each that does what
/// most others do not, a sentence with the properties in question. What decides is how a property fails and,
/// of as many cases, the fingerprint of its output.
std::vector<std::string> odd_ones_out(const Results&);

}  // namespace assay::report
