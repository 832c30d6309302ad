#include "suites/replay.h"

#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "reports/whole_file.h"

namespace assay::cli {
namespace {

std::string what, device = "auto", program;

int replay() {
  const std::vector<std::string> devices = resolve_devices(device);
  int code = as_expected;
  for (const std::string& spec : devices) {
    const suites::ReplayResult result = suites::replay(what, spec);
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
     .declare =
         [](CLI::App& app) {
           CLI::App* sub = app.add_subcommand("replay", "run exactly one case and show it");
           sub->add_option("case", what, "case file, or property@seed#index[/shrink path]")->required();
           sub->add_option("--device", device, "as for run")->capture_default_str();
           sub->add_option("--cu", program,
                           "write the case as a stand-alone CUDA program, whatever the verdict");
           return sub;
         },
     .run = replay}};

}  // namespace
}  // namespace assay::cli
