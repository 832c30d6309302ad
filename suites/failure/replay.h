// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suites/failure/failure.h"
#include "suites/run/case_file.h"

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

/// "TMA-AMB-04:B,X-05:A", and back. Throws std::runtime_error with one sentence for a question or letter that
/// does not exist.
std::string readings_text(const Assignment&);
Assignment parse_readings(std::string_view text);

/// Generated cases that share a batch, as their indexes: "64-127", "3-59/8" where only every eighth is among
/// them. Throws std::runtime_error with one sentence for anything else.
std::string batch_text(const Neighbours&);
Neighbours parse_batch(std::string_view text);

/// Says which of them the case is. Throws std::runtime_error with one sentence when it is none.
void place(Neighbours&, uint64_t seed, uint64_t index);
/// Throws std::runtime_error with one sentence for a number of copies that no batch holds.
uint32_t checked_copies(uint64_t copies);

/// What a replay line says of them: " --readings ... --batch ... --copies ...", or nothing for a case that is
/// alone and judged by the defaults.
std::string options_text(const Surroundings&);

/// Runs the case among its surroundings: its outcome there, of copies that of the first that fails. Throws as
/// CaseRunner::run.
Outcome run_among(CaseRunner&, const Property&, const Case&, const Surroundings&, spec::Arch);

}  // namespace assay::suites
