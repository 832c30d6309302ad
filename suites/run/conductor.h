// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "devices/device.h"
#include "reports/compare/run_diff.h"
#include "reports/record.h"
#include "reports/results.h"
#include "reports/written_reports.h"
#include "suites/run/property.h"

namespace assay::suites {

/// How far a run is; given to RunOptions::progress about twice a second from a thread of the conductor.
struct Progress {
  std::string device;                     ///< spec; "2 devices" when several run
  std::string property;                   ///< the one that most recently used the device
  std::string stage;                      ///< "running", "shrinking 2 of 3 failures", "writing the report"
  uint64_t cases = 0;                     ///< judged so far, all devices
  uint64_t planned = 0;                   ///< 0: by budget
  uint64_t failures = 0;                  ///< cases that do not conform
  double cases_per_second = 0;            ///< over the last seconds
  double seconds = 0, seconds_left = -1;  ///< -1: not known
};

struct RunOptions {
  std::vector<std::string> properties;  ///< globs on dotted names; empty: all
  std::vector<std::string> devices;     ///< specs, as resolve_devices() gives them
  std::optional<uint64_t> cases;  ///< of each property; properties that cost a process a case take fewer; 0:
                                  ///< the case files alone
  /// Of the cases; shrinking, explaining and the report are over 5 s and a twentieth of it later.
  std::optional<std::chrono::milliseconds> budget;
  bool lengthens_budget = false;  ///< to the least that would do, in place of a refusal
  uint64_t seed = 1;
  std::filesystem::path out = "assay-out";        ///< results.db, junit.xml, report.html, summary.md, cases/
  std::vector<std::filesystem::path> case_files;  ///< run before anything else, on every device
  int threads = 0;                                ///< 0: all cores
  /// Issues only cases that reach more cells of descriptor fields not reached yet than most; by budget only.
  bool cover = false;
  int most_shrunk = 20;                          ///< distinct failures that are shrunk
  std::chrono::milliseconds shrink_time{60000};  ///< of all shrinking together
  int most_repeats = 100;                        ///< runs of failing cases, to see whether they repeat
  /// The whole run, report included, is over by then, even if a device hangs.
  std::optional<std::chrono::system_clock::time_point> deadline;
  int shard = 1, shards = 1;       ///< of the cases of each property this run takes every shards-th
  std::filesystem::path baseline;  ///< results.db of an earlier run: its failures are known
  /// Folders of earlier nights' results files, or such files: the report tells history from them.
  std::vector<std::filesystem::path> history;
  std::filesystem::path expect;  ///< TOML file of waivers
  report::JunitOptions junit_options;
  bool fail_fast = false;    ///< no more cases are issued once one has failed, on any device
  bool flaky_warns = false;  ///< flaky properties do not fail the run
  bool resume = false;       ///< goes on with the run in `out`; the other options are that run's
  bool force = false;        ///< replaces reports in `out` that assay did not write
  /// What the budget is measured by, for tests: a machine may be too busy to get anything done in time.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  std::chrono::milliseconds checkpoint{5000};  ///< what a kill can cost at most
  /// How long after the last moment a device may take to come back before it is given up.
  std::chrono::milliseconds patience{90000};
  std::function<void(const Progress&)> progress;
  /// What is known of a device at the moment at which a case of many multiprocessors failed: a line of the
  /// case. Called from any thread.
  std::function<std::string(const std::string& spec, std::string_view property)> moment;
  const std::atomic<bool>* stop = nullptr;    ///< set by Ctrl-C: the run ends with a report of what was done
  std::string command_line, version, commit;  ///< for the results file
};

struct RunResult {
  int exit_code = 0;  ///< architecture, section 11
  uint64_t judged = 0;
  std::filesystem::path database, junit, html;
  std::filesystem::path earlier;  ///< where the files of the run that was in the folder before are now
  /// A device did not come back and threads still wait for it: the process has to end by _Exit.
  bool abandoned = false;
};

/// A run that began could not be recorded to its end, on a full disk say. what(): one sentence, with the
/// command that goes on from what was recorded.
class NotRecorded : public std::runtime_error {
 public:
  NotRecorded(const std::string& why, const std::filesystem::path& out, std::vector<std::string> seen_);
  std::vector<std::string> seen;  ///< what failed until then, lines for a terminal
};

/// Not every property can have its first dozen of cases in it; the message says what would do.
struct BudgetTooShort : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs properties on devices, records and reports. Throws DeviceError when a device cannot be opened,
/// BudgetTooShort, and std::runtime_error with one sentence for bad options or an output folder that cannot
/// be written: nothing was moved or written then. Throws NotRecorded later.
RunResult run(const RunOptions& options);

/// The same on devices that are already open.
RunResult run_on(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices);

/// The options of the run that `folder` holds, to go on with it. Throws std::runtime_error with one sentence
/// when there is none, or when another version of the program began it: its cases would be others.
RunOptions options_to_resume(const std::filesystem::path& folder, const std::string& version,
                             const std::string& commit);
/// What options_to_resume() reads.
std::string options_text(const RunOptions& options);

/// Buffers that the conductor wants from a device for a number of threads.
DeviceLimits limits_for(int threads);

/// "2026-11-21T02:14:05", now.
std::string utc_now();

/// How many threads of the host predict and compare: as the options say, or one a core.
int threads_of(const RunOptions&);

/// What the results file says of a run that begins: when, where, by which command.
report::RunInfo run_info(const RunOptions&);

/// What the results file says of a device; the evidence with its architecture ("silicon sm_90").
report::DeviceInfo device_info(const DeviceIdentity& identity);

}  // namespace assay::suites

/// What a run finds before it begins: case files that it was given, and an earlier run in its folder.
namespace assay::suites {

/// Throws std::runtime_error for a case file that cannot be read, and for one whose property is not among
/// those selected: it would be left out in silence.
void check_case_files(const RunOptions&, std::span<const Property* const> selected);

/// Throws std::runtime_error with one sentence where the output folder cannot be made or written to, or where
/// a report would take the place of a file that assay did not write. Changes nothing.
void check_folder(const RunOptions&);

/// A resumed run goes on with the devices that it had: throws std::runtime_error for another GPU of the same
/// name.
void check_devices(const report::LeftBehind&, std::span<const std::unique_ptr<Device>>);

/// Earlier nights, and what there is to say of them: at once, so that a run that is killed and resumed has
/// them.
void record_history(report::Recorder&, const report::Nights&, const RunOptions&);

/// Makes the output folder; moves what an earlier run left there into a folder of its own in it, and returns
/// that, or nothing. Options that name files of it, its failing cases say, name them where they are now.
std::filesystem::path make_room(RunOptions&);

}  // namespace assay::suites
