#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "suites/failure.h"

namespace assay::suites {

/// One case, run once more.
struct ReplayResult {
  report::Verdict verdict = report::Verdict::not_run;
  report::CaseRow row;                       ///< as a failing case's row, conforming or not
  std::vector<report::ReadingRow> readings;  ///< those that this case decides
  std::optional<std::string> program;        ///< stand-alone .cu of the case (suites/reproducer.h)
  std::string text;  ///< for a terminal: fields, ends, bytes around the first difference
  int exit_code = 0;
};

/// `what`: a case file, or `property@seed#index[/shrink path]`. The case of an id depends on the device's
/// architecture. Throws std::runtime_error with one sentence for anything malformed; DeviceError when the
/// device is lost.
ReplayResult replay(std::string_view what, Device& device);
ReplayResult replay(std::string_view what, std::string_view device_spec);

struct ReplayId {
  std::string property, path;
  uint64_t seed = 0, index = 0;
};
/// Nothing when the text has not the form of an id.
std::optional<ReplayId> parse_replay_id(std::string_view text);

}  // namespace assay::suites
