// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "devices/device.h"
#include "reports/record.h"
#include "suites/run/conductor.h"

namespace assay::suites {

/// "2026-11-21T02:14:05", now.
std::string utc_now();

/// How many threads of the host predict and compare: as the options say, or one a core.
int threads_of(const RunOptions&);

/// What the results file says of a run that begins: when, where, by which command.
report::RunInfo run_info(const RunOptions&);

/// What the results file says of a device; the evidence with its architecture ("silicon sm_90").
report::DeviceInfo device_info(const DeviceIdentity& identity);

}  // namespace assay::suites
