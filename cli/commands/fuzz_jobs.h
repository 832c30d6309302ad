// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay::cli {

/// A fuzz target, built: its programs and folders.
struct FuzzTarget {
  std::string name;
  std::filesystem::path engine;      ///< libfuzzer_NAME
  std::filesystem::path plain;       ///< fuzz_NAME
  std::filesystem::path seeds;       ///< of the repository
  std::filesystem::path dictionary;  ///< may not exist
  std::filesystem::path out;         ///< corpus/, findings/, log and counts of each job
};

/// What all jobs did together.
struct FuzzProgress {
  uint64_t executions = 0, past_parser = 0;
  double per_second = 0;                         ///< over the whole run
  uint64_t coverage = 0, cells = 0, inputs = 0;  ///< of the job that has most
  uint64_t findings = 0;                         ///< inputs that ended a job
};

/// Runs `jobs` engines on one corpus until the time is over, the stop is set, or 50 inputs were found; an
/// engine that a finding ended is started again. Throws std::runtime_error with one sentence.
FuzzProgress run_fuzz_jobs(const FuzzTarget& target, int jobs, std::chrono::milliseconds time,
                           const std::atomic<bool>& stop,
                           const std::function<void(const FuzzProgress&)>& show);

/// "cov: 223 ft: 717 corp: 199/1791b" in the last line of an engine's log that has it.
struct EngineLine {
  uint64_t coverage = 0, corpus = 0;
};
EngineLine last_engine_line(const std::string& log);

/// Runs a program to its end; what it printed on standard output, without the last line end.
std::string output_of(const std::vector<std::string>& command);

}  // namespace assay::cli
