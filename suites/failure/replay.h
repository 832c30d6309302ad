// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "suites/failure/failure.h"

namespace assay::suites {

/// One case, run once more.
struct ReplayResult {
  report::Verdict verdict = report::Verdict::not_run;
  report::CaseRow row;                       ///< as a failing case's row, conforming or not
  std::vector<report::ReadingRow> readings;  ///< those that this case decides
  std::optional<std::string> program;        ///< stand-alone .cu of the case (suites/failure/reproducer.h)
  std::string text;  ///< for a terminal: fields, ends, bytes around the first difference
  int exit_code = 0;
};

/// What the case has around it and what it is judged by, in place of what a case file says of that.
struct ReplayOptions {
  std::string readings;  ///< "TMA-AMB-04:B,X-05:A"
  std::string batch;     ///< "64-127": of a case by its id
  uint64_t copies = 0;   ///< 0: as the case file says, else one
  std::string cause;     ///< "TILE-R04,TILE-R19": what a run blames, in place of what this case alone says
};

/// `what`: a case file, or `property@seed#index[/shrink path]`. The case of an id depends on the device's
/// architecture.
/// A case alone decides no reading. Throws std::runtime_error with one sentence for anything malformed;
/// DeviceError when the device is lost.
ReplayResult replay(std::string_view what, Device& device, const ReplayOptions& options = {});
ReplayResult replay(std::string_view what, std::string_view device_spec, const ReplayOptions& options = {});

struct ReplayId {
  std::string property, path;
  uint64_t seed = 0, index = 0;
};
/// Nothing when the text has not the form of an id.
std::optional<ReplayId> parse_replay_id(std::string_view text);

}  // namespace assay::suites
