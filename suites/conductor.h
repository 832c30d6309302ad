#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "devices/device.h"
#include "reports/record.h"

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
  std::optional<uint64_t> cases;  ///< of each property; properties that cost a process a case take fewer
  std::optional<std::chrono::milliseconds> budget;  ///< of the whole run, shrinking and report not included
  uint64_t seed = 1;
  std::filesystem::path out = "assay-out";        ///< results.db, junit.xml, report.html, cases/
  std::vector<std::filesystem::path> case_files;  ///< run before anything else, on every device
  int threads = 0;                                ///< 0: all cores
  int most_shrunk = 20;                           ///< distinct failures that are shrunk
  std::chrono::seconds shrink_time{60};           ///< of all shrinking together
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* stop = nullptr;    ///< set by Ctrl-C: the run ends with a report of what was done
  std::string command_line, version, commit;  ///< for the results file
};

struct RunResult {
  int exit_code = 0;  ///< architecture, section 11
  uint64_t judged = 0;
  std::filesystem::path database, junit, html;
};

/// Runs properties on devices, records and reports. Throws DeviceError when a device cannot be opened, and
/// std::runtime_error with one sentence for bad options or an output folder that cannot be written.
RunResult run(const RunOptions& options);

/// The same on devices that are already open.
RunResult run_on(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices);

/// Buffers that the conductor wants from a device for a number of threads.
DeviceLimits limits_for(int threads);

}  // namespace assay::suites
