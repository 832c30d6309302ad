// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/replay.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "reports/text.h"
#include "reports/verdict.h"

namespace assay::cli {
namespace {

std::string what, replay_program;
bool replay_as_json = false;
std::vector<std::string> wanted{"auto"};
suites::ReplayOptions replay_options;

nlohmann::json replay_json_of(const std::string& device, const suites::ReplayResult& result) {
  const report::CaseRow& row = result.row;
  nlohmann::json object = {{"device", device},
                           {"verdict", report::name(result.verdict)},
                           {"exit_code", result.exit_code},
                           {"property", row.property},
                           {"case_id", row.case_id},
                           {"case", nlohmann::json::parse(row.case_json, nullptr, false)},
                           {"message", row.message},
                           {"expected_end", row.expected_end},
                           {"observed_end", row.observed_end},
                           {"differing_bytes", row.differing_bytes},
                           {"rules", row.rules}};
  if (!row.signature.empty()) object["signature"] = row.signature;
  return object;
}

int replay() {
  nlohmann::json document = {{"format", "assay-replay/1"}, {"devices", nlohmann::json::array()}};
  const std::vector<std::string> devices = devices_named(wanted);
  int code = as_expected;
  for (const std::string& spec : devices) {
    const suites::ReplayResult result = suites::replay(what, spec, replay_options);
    if (replay_as_json)
      document["devices"].push_back(replay_json_of(spec, result));
    else
      std::cout << result.text;
    code = std::max(code, result.exit_code);
    if (replay_program.empty()) continue;
    if (!result.program) throw std::runtime_error("this case cannot be written as a stand-alone program");
    report::write_whole_file(replay_program, *result.program);
  }
  if (replay_as_json) print_json(document);
  return code;
}

const Registered replay_command{
    {.order = 40,
     .name = "replay",
     .help = "run exactly one case and show it",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("case", what, "case file, or property@seed#index[/shrink path]").required();
           line.option("--device", wanted, "devices, as in 'assay run --device'")
               .one_word_each()
               .shows_default();
           line.option("--readings", replay_options.readings,
                       "judge by these readings, such as TMA-AMB-04:B, in place of the defaults");
           line.option("--batch", replay_options.batch,
                       "run it in one batch with the cases of its property and seed at these indexes, such "
                       "as 64-127");
           line.option("--copies", replay_options.copies, "number of copies to run in one batch");
           line.option(
               "--cause", replay_options.cause,
               "say what the run blames, such as TILE-R04, where the case alone would leave a choice");
           line.flag("--json", replay_as_json, "print one line of JSON (docs/machine_readable.md)");
           line.option("--cu", replay_program,
                       "write the case as a stand-alone CUDA program, whatever the verdict");
         },
     .run = replay}};

}  // namespace
}  // namespace assay::cli
