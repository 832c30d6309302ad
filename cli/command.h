#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace assay::cli {

/// Exit codes of the program (README).
enum ExitCode { as_expected = 0, violation = 1, could_not_run = 2, device_lost = 3, usage = 64 };

/// A subcommand: one file each, which registers itself.
struct Command {
  int order;                                    ///< position in --help
  std::function<CLI::App*(CLI::App&)> declare;  ///< adds the subcommand and its options
  std::function<int()> run;                     ///< returns the exit code
};

class Registered {
 public:
  explicit Registered(Command command) { all().push_back(std::move(command)); }
  static std::vector<Command>& all() {
    static std::vector<Command> commands;
    return commands;
  }
};

}  // namespace assay::cli
