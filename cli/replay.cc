#include "suites/replay.h"

#include <filesystem>
#include <iostream>

#include "cli/command.h"

namespace assay::cli {
namespace {

std::string what, device = "auto";

int replay() {
  const std::vector<std::string> devices = resolve_devices(device);
  int code = as_expected;
  for (const std::string& spec : devices) {
    const suites::ReplayResult result = suites::replay(what, spec);
    std::cout << result.text;
    code = std::max(code, result.exit_code);
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
           return sub;
         },
     .run = replay}};

}  // namespace
}  // namespace assay::cli
