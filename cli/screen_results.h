// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "devices/cuda/nvml.h"
#include "reports/results.h"

/// What a screen came to, by board and load.
namespace assay::cli {

/// What a load came to on one board.
struct LoadResult {
  size_t multiprocessors = 0;
  uint64_t planted = 0;                ///< faults
  double compared_each = 0;            ///< 32-bit words on each multiprocessor
  double multiplied_each = 0;          ///< products of two elements on each
  double nanoseconds = 0, clocks = 0;  ///< that one multiprocessor ran it, of silicon
};
LoadResult load_result(const report::PropertyResult& property);

/// By the spec of a board, which may have none.
using TelemetryByBoard = std::map<std::string, std::vector<cuda::TelemetrySample>>;

/// The text that a collector of Prometheus reads from a file (exposition format 0.0.4): gauges of the last
/// screen. `exit_code`: of the command; `seconds`: since 1970, when it ended.
std::string screen_metrics(const report::Results& results, const TelemetryByBoard& telemetry, int exit_code,
                           double seconds);

}  // namespace assay::cli
