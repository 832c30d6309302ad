// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <regex>
#include <utility>

#include "reference/spec/near_names.h"

namespace assay::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_word_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}

Option& Option::offers(const std::vector<std::string_view>& words) {
  option_->type_name("TEXT:{" + CLI::detail::join(words, ",") + "}");
  return *this;
}

Option& Option::excludes(std::initializer_list<const char*> names) {
  for (const char* name : names) option_->excludes(name);
  return *this;
}

template <typename Value>
Option CommandLine::option(const std::string& name, Value& value, const std::string& help) {
  CLI::Option* const option = app_.add_option(name, value, help);
  // A script's variable that was never set must not turn an option off.
  option->check(
      CLI::Validator([](std::string& word) { return std::string(word.empty() ? "needs a value" : ""); }, ""));
  // The parser would take -1 for the largest number.
  if constexpr (std::is_unsigned_v<Value>)
    option->check(CLI::Validator(
        [](std::string& word) {
          return std::string(word.starts_with("-") ? "needs a whole number from 0" : "");
        },
        ""));
  if (!group_.empty()) option->group(group_);
  return Option(*option);
}
template Option CommandLine::option(const std::string&, std::string&, const std::string&);
template Option CommandLine::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option CommandLine::option(const std::string&, int&, const std::string&);
template Option CommandLine::option(const std::string&, uint64_t&, const std::string&);
template Option CommandLine::option(const std::string&, double&, const std::string&);

Option CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  CLI::Option* const flag = app_.add_flag(name, value, help);
  if (!group_.empty()) flag->group(group_);
  return Option(*flag);
}

Option CommandLine::flag(const std::string& name, int& value, int without, const std::string& help) {
  CLI::Option* const flag = app_.add_flag(name + "{" + std::to_string(without) + "}", value, help);
  if (!group_.empty()) flag->group(group_);
  return Option(*flag);
}

void CommandLine::excludes(const std::string& name, std::initializer_list<const char*> others) {
  for (const char* other : others) app_.get_option(name)->excludes(app_.get_option(other));
}

namespace {

/// Sorted once: pointers to commands are kept.
const std::vector<Command>& commands_in_order() {
  static const std::vector<Command>* const sorted = [] {
    std::vector<Command>& commands = Registered::all();
    std::sort(commands.begin(), commands.end(),
              [](const Command& a, const Command& b) { return a.order < b.order; });
    return &commands;
  }();
  return *sorted;
}

/// Without what CLI11 says of types and of options that exclude each other: a help page of one screen.
class HelpPage : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    std::string text;
    if (const size_t open = type.find('{'); open != std::string::npos)
      text = " " + type.substr(open);
    else if (option->get_items_expected_max() > 0 && !option->get_positional())
      text = option->get_expected_max() > 1 ? " WORD ..." : " WORD";
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string usual = option->get_default_str();
    if (usual.starts_with("[") && usual.ends_with("]")) usual = usual.substr(1, usual.size() - 2);
    return option->get_description() + (usual.empty() ? "" : " (default: " + usual + ")");
  }
};

/// Of an option that takes one of some words CLI11 says "TEXT:{strict,rich}".
std::vector<std::string> choices_in(const std::string& type) {
  const size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// What CLI11 says of a wrong or absent value, in a sentence that says what would be right.
std::string plainer(std::string text, const CLI::App* command) {
  const auto replace = [&](const char* pattern, const char* words) {
    text = std::regex_replace(text, std::regex(pattern), words);
  };
  replace("^(-\\S+): 1 required \\S+ missing$", "$1 needs a value");
  replace("^Could not convert: (\\S+) = (.*)$", "$1: '$2' is not a number, or too large");
  replace("^(\\S+): Value (\\S+) not in range (\\S+) to (\\S+)$", "$1: $2 is not in the range $3 to $4");
  static const std::regex not_among("^(\\S+): (.*) not in \\{(.*)\\}$");
  if (std::smatch found; std::regex_match(text, found, not_among)) {
    const std::string typed = found[2];
    const std::vector<std::string> words = CLI::detail::split(found[3], ',');
    return found[1].str() + ": '" + typed + "' is not one of " + CLI::detail::join(words, ", ") +
           spec::did_you_mean(typed, std::vector<std::string_view>(words.begin(), words.end()));
  }
  static const std::regex absent("^(\\S+) is required$");
  if (std::smatch found; std::regex_match(text, found, absent)) {
    const std::string name = found[1];
    for (const CLI::Option* option :
         command == nullptr ? std::vector<const CLI::Option*>{} : command->get_options())
      if (option->get_single_name() == name || "--" + option->get_single_name() == name)
        return (name.starts_with("-") ? "missing option " : "missing argument ") + name + ": " +
               option->get_description();
  }
  return text;
}

/// What CLI11 says, but for misspelt names of commands and options, where the likely ones are named.
std::string in_words(const CLI::ParseError& error, const CLI::App& app,
                     const std::vector<std::string>& typed) {
  const auto is_unknown = [](const std::string& word, const std::vector<std::string>& known) {
    return std::find(known.begin(), known.end(), word) == known.end();
  };
  const auto near = [](const std::string& word, const std::vector<std::string>& known) {
    return spec::did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()));
  };
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
  if (typed.empty() || typed[0].starts_with("-")) return error.what();
  if (is_unknown(typed[0], commands)) return "unknown command '" + typed[0] + "'" + near(typed[0], commands);
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_subcommand(typed[0])->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : typed) {
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && name.size() > 2 && is_unknown(name, options))
      return "unknown option '" + name + "' for 'assay " + typed[0] + "'" + near(name, options) +
             (typed[0] == "check"
                  ? "; the program and its options come after --: assay check -- ./program " + name
                  : "");
  }
  return plainer(error.what(), app.get_subcommand(typed[0]));
}

/// Where a value came from that nobody typed: " (from assay.toml)" where a file gave the option.
std::string source_of_value(const std::string& message, const std::vector<std::string>& typed,
                            const std::vector<std::string>& words) {
  const std::string option = message.substr(0, message.find(':'));
  const auto names = [&](const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& word) {
      return word == option || word.starts_with(option + "=");
    });
  };
  if (!option.starts_with("--") || names(typed) || !names(words)) return {};
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--defaults=")) return " (from " + words[i].substr(11) + ")";
    if (words[i] == "--defaults" && i + 1 < words.size()) return " (from " + words[i + 1] + ")";
  }
  return {};
}

}  // namespace

std::string help_hint(const std::vector<std::string>& words) {
  for (const Command& command : commands_in_order())
    if (!words.empty() && command.name == words[0]) return "try: assay " + command.name + " --help";
  return "try: assay --help";
}

std::vector<CommandWords> command_words() {
  CLI::App app;
  std::vector<CommandWords> words;
  for (const Command& command : commands_in_order()) {
    CLI::App* const sub = app.add_subcommand(command.name, command.help);
    CommandLine line(*sub);
    command.declare(line);
    CommandWords& entry = words.emplace_back(CommandWords{command.name, command.help, {}});
    for (const CLI::Option* option : sub->get_options()) {
      OptionWords& known = entry.options.emplace_back();
      for (const std::string& name : option->get_snames()) known.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) known.names.push_back("--" + name);
      known.positional = option->get_positional() ? option->get_single_name() : "";
      known.help = option->get_description();
      known.takes_value = option->get_items_expected_max() > 0;
      known.choices = choices_in(option->get_type_name());
      for (const CLI::Option* other : option->get_excludes())
        for (const std::string& name : other->get_lnames()) known.excludes.push_back("--" + name);
    }
  }
  return words;
}

namespace {

CommandWords words_of_run() {
  for (CommandWords& command : command_words())
    if (command.name == "run") return std::move(command);
  return {};
}

}  // namespace

int run_command(std::vector<std::string> words) {
  CLI::App app{"assay: conformance and fuzz suite for NVIDIA TMA and tcgen05", "assay"};
  app.formatter(std::make_shared<HelpPage>());
  app.require_subcommand(1);
  app.set_version_flag("--version", version);
  app.footer(
      "exit codes: 0 as expected, 1 violation, 2 could not run, 3 device lost, 4 incomplete, 64 usage");
  std::vector<std::pair<CLI::App*, const Command*>> declared;
  for (const Command& command : commands_in_order()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    if (!command.group.empty()) sub->group(command.group);
    CommandLine line(*sub);
    command.declare(line);
    declared.emplace_back(sub, &command);
  }
  const std::vector<std::string> typed = words;
  words = with_defaults(std::move(words), words_of_run());
  const std::vector<std::string> with_file = words;
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    const std::string message = in_words(error, app, typed);
    throw UsageError(message + source_of_value(message, typed, with_file));
  }
  for (const auto& [sub, command] : declared) try {
      if (sub->parsed()) return command->run();
    } catch (const UsageError& error) {
      throw UsageError(error.what() + source_of_value(error.what(), typed, with_file));
    }
  return usage;
}

}  // namespace assay::cli
