// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>

#include "devices/device.h"
#include "reports/detection.h"
#include "suites/run/property.h"

namespace assay::suites {

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

/// What each fault's row says of it (caught_by), one row for each of its architectures: the property, the
/// cases and whether it is caught or adopted; how: the reading that is adopted. Throws std::runtime_error
/// with one sentence for a row that names no property for one of them.
std::vector<report::DetectionRow> expected_detections();

/// Cases of a property in the first round.
uint64_t first_round_cases(const Property&);

}  // namespace assay::suites
