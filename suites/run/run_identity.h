// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "devices/device.h"
#include "reports/record.h"
#include "suites/run/conductor.h"

namespace assay::suites {

/// "2026-11-21T02:14:05", now.
std::string utc_now();

/// What the results file says of a run that begins: when, where, by which command; `threads` that predict.
report::RunInfo run_info(const RunOptions& options, int threads);

/// What the results file says of a device; the evidence with its architecture ("silicon sm_90").
report::DeviceInfo device_info(const DeviceIdentity& identity);

}  // namespace assay::suites
