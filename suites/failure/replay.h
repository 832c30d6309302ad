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
  std::optional<std::string> program;        ///< stand-alone .cu of the case (suites/failure/replay.h)
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

/// A stand-alone program that runs one case and shows what the device does with it: one .cu file that needs
/// nvcc and nothing of ours. It holds the kernel, the case's record and what the run expected; it exits with
/// 0 when the device does as expected, 1 when it does not, 2 when it could not run. With CASE_PLANT_DEFECT in
/// its environment it flips one bit of what came back, to be seen failing. Nothing for outputs that are too
/// large for a source file, and for calls that may end the process.
std::optional<std::string> reproducer(const Property&, const Outcome&, const report::CaseRow&,
                                      spec::Arch arch);

/// A file of a folder of kernels with what it includes of ours put in its place.
std::string kernel_text(const std::string& path);

/// The text of a CUDA source without the inline device functions that nothing in it names: those that stand
/// at the outermost level, from `__device__ inline` (behind `template`, if they are templates) to a brace in
/// the first column, with the comment over them. What only they named goes too. A program that shows one
/// failure holds what that needs.
std::string without_unused_functions(const std::string& source);

}  // namespace assay::suites
