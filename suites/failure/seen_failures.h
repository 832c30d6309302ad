// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "suites/run/device_run.h"

namespace assay::suites {

/// What has failed on a device so far, for a terminal, when no results file can be read any more: of each
/// failure signature, 20 at most, the first case and how to run it again.
std::vector<std::string> failure_lines(DeviceRun&, uint64_t seed);

}  // namespace assay::suites
