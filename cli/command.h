// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"

namespace assay::cli {

/// Exit codes of the program (README).
enum ExitCode {
  as_expected = 0,
  violation = 1,
  could_not_run = 2,
  device_lost = 3,
  incomplete = 4,
  usage = 64
};

/// A subcommand: one file each, which registers itself.
struct Command {
  int order;  ///< position in --help
  std::string name, help;
  std::string group;                          ///< heading in --help
  std::function<void(CommandLine&)> declare;  ///< its options
  std::function<int()> run;                   ///< returns the exit code
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
