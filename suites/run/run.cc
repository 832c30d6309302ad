// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>

#include "kernels/params/image.h"
#include "reports/compare/run_diff.h"
#include "reports/results.h"
#include "reports/written_reports.h"
#include "suites/failure/expected_failures.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"

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
  // which the device writes to, and is still three thousand small cases a batch.
  limits.output_bytes = threads > 4 ? 10u << 20 : 24u << 20;
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

namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// Who compiled the embedded kernels: PTX text names its compiler in its first line.
std::string kernel_words() {
  std::string compiler;
  size_t cubins = 0;
  for (size_t i = 0; i < assay_kernel_image_count; ++i) {
    const AssayKernelImage& image = assay_kernel_images[i];
    const std::string_view text(reinterpret_cast<const char*>(image.begin),
                                static_cast<size_t>(image.end - image.begin));
    if (std::string_view(image.kind) == "cubin")
      ++cubins;
    else if (compiler.empty() && text.starts_with("// nvcc "))
      compiler = text.substr(3, text.find('\n') - 3);
  }
  return "PTX text of CUDA Toolkit " + compiler +
         (cubins == 0 ? ", no cubins: built without nvcc" : ", " + std::to_string(cubins) + " cubins");
}

std::string evidence_words(const DeviceIdentity& identity) {
  return (identity.evidence == Evidence::silicon ? "silicon " : "emulator ") + identity.architecture;
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return text;
}

int threads_of(const RunOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

report::RunInfo run_info(const RunOptions& options) {
  report::RunInfo info;
  info.started_utc = utc_now();
  info.host = host_name();
  info.run_id = info.started_utc + "-" + info.host + "-" + std::to_string(getpid()) + "-" +
                std::to_string(options.seed);
  if (options.shards > 1) info.run_id += "-" + std::to_string(options.shard);
  info.command_line = options.command_line;
  info.version = options.version;
  info.commit = options.commit;
  info.seed = options.seed;
  info.shard = options.shard;
  info.shards = options.shards;
  info.flaky_warns = options.flaky_warns;
  info.options = options_text(options);
  info.environment = {{"host cores", std::to_string(std::thread::hardware_concurrency())},
                      {"threads", std::to_string(threads_of(options))},
                      {"kernels", kernel_words()}};
  if (options.budget) info.environment.emplace_back("budget, ms", std::to_string(options.budget->count()));
  if (options.cases) info.environment.emplace_back("cases a property", std::to_string(*options.cases));
  if (options.shards > 1)
    info.environment.emplace_back("shard",
                                  std::to_string(options.shard) + " of " + std::to_string(options.shards));
  return info;
}

report::DeviceInfo device_info(const DeviceIdentity& identity) {
  report::DeviceInfo info{identity.spec,         evidence_words(identity),
                          identity.architecture, identity.name,
                          identity.uuid,         identity.facts};
  if (identity.driver_version != 0)
    info.facts.insert(info.facts.begin(), {"driver API", std::to_string(identity.driver_version)});
  if (identity.sm_count != 0) info.facts.emplace_back("SMs", std::to_string(identity.sm_count));
  return info;
}

}  // namespace assay::suites
