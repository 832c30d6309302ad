// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "devices/device.h"
#include "reports/compare/history.h"
#include "reports/record.h"
#include "reports/results.h"
#include "suites/run/conductor.h"
#include "suites/run/property.h"

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
