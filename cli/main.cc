#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include "cli/command.h"
#include "cli/version.h"
#include "devices/device.h"

namespace {

/// `assay` alone is `assay run`; `assay --device emulator` too.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool names_command = !words.empty() && (words[0][0] != '-' || words[0] == "-h" ||
                                                words[0] == "--help" || words[0] == "--version");
  if (!names_command) words.insert(words.begin(), "run");
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace assay::cli;
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);

  CLI::App app{"assay: conformance and fuzz suite for NVIDIA TMA and tcgen05", "assay"};
  app.require_subcommand(1);
  app.set_version_flag("--version", version);
  app.footer("exit codes: 0 as expected, 1 violation, 2 could not run, 3 device lost, 64 usage");
  std::vector<Command>& commands = Registered::all();
  std::sort(commands.begin(), commands.end(),
            [](const Command& a, const Command& b) { return a.order < b.order; });
  std::vector<std::pair<CLI::App*, const Command*>> declared;
  for (const Command& command : commands) declared.emplace_back(command.declare(app), &command);

  try {
    app.parse(arguments(argc, argv));
    for (const auto& [subcommand, command] : declared)
      if (subcommand->parsed()) return command->run();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "assay: " << error.what() << "\n       try: assay --help\n";
    return usage;
  } catch (const assay::DeviceError& error) {
    std::cerr << "assay: " << error.what() << "\n";
    return could_not_run;
  } catch (const std::exception& error) {
    std::cerr << "assay: " << error.what() << "\n";
    return could_not_run;
  }
  return usage;
}
