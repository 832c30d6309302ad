// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>

#include "reports/compare/history.h"
#include "reports/results.h"
#include "reports/written_reports.h"
#include "suites/failure/expected_failures.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/earlier_run.h"
#include "suites/run/run_identity.h"

/// From options to devices that run: what can be refused is refused before any device is opened.
namespace assay::suites {
namespace {

/// Nothing is left to run: it ended, and not because somebody stopped it.
bool is_over(const report::LeftBehind& left) {
  return left.finished && left.states.size() == left.planned.size() &&
         std::all_of(left.states.begin(), left.states.end(), [](const auto& state) {
           const report::PropertyTotals& totals = state.second.totals;
           return totals.complete && totals.reason != "the deadline came first";
         });
}

}  // namespace

DeviceLimits limits_for(int threads) {
  DeviceLimits limits;
  limits.batches = std::max(4, 2 * threads);
  // Two batches a thread: what many threads have in flight together stays in the last cache of the host,
  // which the device writes to, and is still two thousand small cases a batch.
  limits.output_bytes = threads > 4 ? 6u << 20 : 24u << 20;
  return limits;
}

NotRecorded::NotRecorded(const std::string& why, const std::filesystem::path& out,
                         std::vector<std::string> seen_)
    : std::runtime_error("the run could not be recorded: " + why +
                         "; once that is mended, assay run --resume " + out.string() +
                         " goes on from what was recorded"),
      seen(std::move(seen_)) {}

RunResult run(const RunOptions& options) {
  const int threads = threads_of(options);
  // What is misspelt is reported before any device is opened.
  select_properties(options.properties);
  read_expected_failures(options.expect, options.baseline, utc_now().substr(0, 10));
  report::find_history(options.history);
  check_folder(options);
  if (options.shard < 1 || options.shard > options.shards)
    throw std::runtime_error("shard " + std::to_string(options.shard) + " of " +
                             std::to_string(options.shards) + " does not exist");
  if (options.resume) {
    const std::filesystem::path database = options.out / "results.db";
    if (is_over(report::read_left_behind(database))) {
      RunResult result{report::exit_code(database), 0, database, options.out / "junit.xml",
                       options.out / "report.html"};
      report::write_in_folder(result.database, options.junit_options);
      return result;
    }
  }
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::string& spec : options.devices) devices.push_back(open_device(spec, limits_for(threads)));
  return run_on(options, std::move(devices));
}

}  // namespace assay::suites
