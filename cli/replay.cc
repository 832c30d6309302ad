#include "suites/replay.h"

#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/device_option.h"
#include "reports/whole_file.h"

namespace assay::cli {
namespace {

std::string what, program;
std::vector<std::string> wanted{"auto"};
suites::ReplayOptions options;

int replay() {
  const std::vector<std::string> devices = devices_named(wanted);
  int code = as_expected;
  for (const std::string& spec : devices) {
    const suites::ReplayResult result = suites::replay(what, spec, options);
    std::cout << result.text;
    code = std::max(code, result.exit_code);
    if (program.empty()) continue;
    if (!result.program) throw std::runtime_error("no stand-alone program can be made of this case");
    report::write_whole_file(program, *result.program);
  }
  return code;
}

const Registered command{
    {.order = 40,
     .name = "replay",
     .help = "run exactly one case and show it",
     .declare =
         [](CommandLine& line) {
           line.option("case", what, "case file, or property@seed#index[/shrink path]").required();
           line.option("--device", wanted, "as for run").one_word_each().shows_default();
           line.option("--readings", options.readings,
                       "judge by these readings, such as TMA-AMB-04:B, in place of the defaults");
           line.option("--batch", options.batch,
                       "run it among the cases of its property and seed with these indexes, such as 64-127");
           line.option("--copies", options.copies, "run it so many times side by side in one batch");
           line.option("--cu", program, "write the case as a stand-alone CUDA program, whatever the verdict");
         },
     .run = replay}};

}  // namespace
}  // namespace assay::cli
