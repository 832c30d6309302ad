// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/device.h"
#include "reference/spec/arch.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What a command takes. Only command_line.cc sees the parser, CLI11: its text takes ten times as long to
/// compile as a command's own.
namespace assay::cli {

/// A wrong word on the command line: the program exits with `usage`.
class UsageError : public std::runtime_error {
 public:
  UsageError(const std::string& option, const std::string& why) : std::runtime_error(option + ": " + why) {}
  explicit UsageError(const std::string& why) : std::runtime_error(why) {}
};

/// An option that was declared, to say more about it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  /// --help tells the value that its variable has now.
  Option& shows_default();
  /// May be given several times, with one word each time.
  Option& one_word_each();
  Option& between(int least, int most);
  Option& one_of(std::vector<std::string> words);
  /// Words that help and completion show; the command itself refuses others.
  Option& offers(const std::vector<std::string_view>& words);
  Option& excludes(std::initializer_list<const char*> names);

 private:
  CLI::Option* option_;
};

/// The options of one command; their variables must outlive the program's main.
class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(app) {}

  /// A name without dashes is a positional word. Values: those instantiated in command_line.cc.
  template <typename Value>
  Option option(const std::string& name, Value& value, const std::string& help);
  Option flag(const std::string& name, bool& value, const std::string& help);
  /// A flag that may have a value, --name=7; `without`: what the value is without one.
  Option flag(const std::string& name, int& value, int without, const std::string& help);
  /// --help shows the options that follow under this heading.
  void group(const std::string& heading) { group_ = heading; }
  /// Of options that were declared.
  void excludes(const std::string& name, std::initializer_list<const char*> others);

 private:
  CLI::App& app_;
  std::string group_;
};

/// Parses, and runs the command that was asked for: its exit code, or `usage`.
int run_command(std::vector<std::string> words);
/// "try: assay run --help", of the command that these words name.
std::string help_hint(const std::vector<std::string>& words);

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

/// What a user can type, for those who complete or document it.
struct OptionWords {
  std::vector<std::string> names;     ///< "-o", "--output"; empty: a positional word
  std::string positional;             ///< its name then
  std::string help;                   ///< one sentence
  bool takes_value = false;           ///< a positional word is one itself
  std::vector<std::string> choices;   ///< the values, where there are few
  std::vector<std::string> excludes;  ///< long names of options that cannot be given beside it
};
struct CommandWords {
  std::string name, help;
  std::vector<OptionWords> options;
};

/// All commands in the order of --help.
std::vector<CommandWords> command_words();

/// Version of the project and commit it was built from ("...-dirty" with uncommitted changes, "unknown"
/// without git); written by cmake/version.cmake at build time.
extern const char* const version;
extern const char* const commit;

/// The words of a command line of `run` with those of its defaults added: a TOML file whose keys are names of
/// options without dashes, and `properties`. It is what --defaults names, or else assay.toml beside the
/// output folder or beside the folder that holds it. What is typed wins: an option that is typed, or that a
/// typed one excludes, is not taken from the file. Paths in the file are relative to its folder. Other
/// commands, and runs that are resumed, have no defaults. Throws UsageError with one sentence that names the
/// file.
std::vector<std::string> with_defaults(std::vector<std::string> words, const CommandWords& run);

/// The architecture that the value of an option names: "sm_100", "sm_100a". Throws UsageError.
spec::Arch arch_option(const std::string& option, const std::string& value);

/// All of them.
std::vector<std::string_view> arch_names();

/// The devices that --device means: those of resolve_devices() for each of its words, each device once.
/// Throws DeviceSpecError, also for a fault, an open question or a reading that does not exist, with those
/// that are near.
std::vector<std::string> devices_named(const std::vector<std::string>& selections);

/// "unknown fault 'swizle_32b'; did you mean 'swizzle_32b_dropped'?"
std::string unknown_fault(std::span<const FaultRow>, std::string_view name);

/// "500ms", "60s", "10m", "2h". Throws UsageError that names the option.
std::chrono::milliseconds duration(const std::string& text, const std::string& option);

/// "06:30" (local time, the next one), or "2026-11-22T06:30[:00][Z]" (local, or UTC with Z). Throws
/// UsageError.
std::chrono::system_clock::time_point moment(const std::string& text, const std::string& option,
                                             std::chrono::system_clock::time_point now);

/// Of `count` shards the `index`-th, from 1 on.
struct Shard {
  int index = 1, count = 1;
};

/// "2/8", or "auto": index and count from the variables of a Slurm job array (SLURM_ARRAY_TASK_ID, _MIN,
/// _MAX, _STEP) or of an indexed Kubernetes job (JOB_COMPLETION_INDEX; the number of completions is not among
/// its variables, so "auto/8" says it). Throws UsageError with one sentence. `variable` reads one,
/// null where it is not set.
Shard parse_shard(const std::string& text, const std::function<const char*(const char*)>& variable);

}  // namespace assay::cli
