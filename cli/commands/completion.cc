// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/completion.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reference/spec/arch.h"
#include "reference/spec/near_names.h"

namespace assay::cli {
namespace {

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string option_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names);
}

/// Those after which a property may stand.
bool takes_properties(const CommandWords& command) {
  return std::any_of(command.options.begin(), command.options.end(), [](const OptionWords& option) {
    return option.positional == "glob" || option.positional == "what" || option.positional == "case";
  });
}

/// In single quotes, for all three shells.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

/// Devices are not asked for: that would start drivers at a keystroke.
std::string devices() {
  return "auto all cuda:0 emulator:" +
         spec::listed(spec::target_text, spec::from(0), " emulator:", " emulator:");
}

std::string values_of(const OptionWords& option) {
  if (!option.choices.empty()) return joined(option.choices);
  return std::find(option.names.begin(), option.names.end(), "--device") != option.names.end() ? devices()
                                                                                               : "";
}

std::string bash_script(std::span<const CommandWords> commands) {
  std::string names, cases;
  for (const CommandWords& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string values;
    for (const OptionWords& option : command.options)
      if (const std::string words = values_of(option); !words.empty())
        for (const std::string& name : option.names)
          values += "        " + name + ") words=" + shell_quoted(words) + " ;;\n";
    cases += "    " + command.name + ")\n      options=" + shell_quoted(option_names(command)) + "\n";
    if (takes_properties(command)) cases += "      properties=yes\n";
    if (!values.empty()) cases += "      case \"$before\" in\n" + values + "      esac\n";
    cases += "      ;;\n";
  }
  return "# bash completion for assay:  source <(assay completion bash)\n"
         "_assay() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} options= words= properties=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W " +
         shell_quoted(names + " --help --version") +
         " -- \"$word\")); return; fi\n"
         "  case \"$command\" in\n" +
         cases +
         "  esac\n"
         "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  elif [ \"${word#-}\" != \"$word\" ]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    if [ -n \"$properties\" ]; then\n"
         "      COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" list 2>/dev/null | cut -d' ' -f1)\" -- "
         "\"$word\"))\n"
         "    fi\n"
         "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _assay assay\n";
}

/// Of an option as zsh's _arguments wants it: brackets and colons have meanings there.
std::string zsh_option(const std::string& name, const OptionWords& option) {
  std::string help;
  for (const char c : option.help)
    help += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
  std::string text = name + "[" + help + "]";
  if (option.takes_value) {
    std::string values = values_of(option);
    // A colon inside a value is escaped too.
    for (size_t at = values.find(':'); at != std::string::npos; at = values.find(':', at + 2))
      values.insert(at, "\\");
    text += ":value:" + (values.empty() ? "_files" : "(" + values + ")");
  }
  return shell_quoted(text);
}

std::string zsh_script(std::span<const CommandWords> commands) {
  std::string names, cases;
  for (const CommandWords& command : commands) {
    names += "    " + shell_quoted(command.name + ":" + command.help) + "\n";
    cases += "    " + command.name + ") _arguments";
    for (const OptionWords& option : command.options)
      for (const std::string& name : option.names) cases += " \\\n      " + zsh_option(name, option);
    cases += std::string(" \\\n      ") +
             (takes_properties(command) ? "'*:property:_assay_names'" : "'*:file:_files'") + " ;;\n";
  }
  return "#compdef assay\n"
         "# zsh completion for assay:  source <(assay completion zsh), after compinit\n"
         "_assay_names() {\n"
         "  compadd -- ${(f)\"$(assay list 2>/dev/null | cut -d' ' -f1)\"}\n"
         "  _files\n"
         "}\n"
         "_assay() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n"
         "  shift words; (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "compdef _assay assay\n";
}

std::string fish_script(std::span<const CommandWords> commands) {
  std::string text = "# fish completion for assay:  assay completion fish | source\n";
  for (const CommandWords& command : commands) {
    text += "complete -c assay -n __fish_use_subcommand -a " + command.name + " -d " +
            shell_quoted(command.help) + "\n";
    const std::string here = "complete -c assay -n '__fish_seen_subcommand_from " + command.name + "' ";
    for (const OptionWords& option : command.options) {
      if (option.names.empty()) continue;
      text += here;
      for (const std::string& name : option.names)
        text += (name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1)) + " ";
      if (option.takes_value) text += "-r ";
      if (const std::string values = values_of(option); !values.empty())
        text += "-a " + shell_quoted(values) + " ";
      text += "-d " + shell_quoted(option.help) + "\n";
    }
    if (takes_properties(command)) text += here + "-a '(assay list 2>/dev/null | cut -d\" \" -f1)'\n";
  }
  return text;
}

/// A line that begins with a dot or a quote would be a request of the formatter, a backslash its escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    if (c == ',' || c == '|' || c == ':') out += "\\:";  // a long word may break there
  }
  return (out.starts_with('.') || out.starts_with('\'') ? "\\&" : "") + out;
}

std::string shell_name;

int completion() {
  const auto script = completion_script(shell_name, command_words());
  if (!script) throw UsageError("shell", "'" + shell_name + "' is not bash, zsh or fish");
  std::cout << *script;
  return as_expected;
}

const Registered completion_command{
    {.order = 90,
     .name = "completion",
     .help = "print a completion script for bash, zsh or fish",
     .group = "This program",
     .declare = [](CommandLine& line) { line.option("shell", shell_name, "bash, zsh or fish").required(); },
     .run = completion}};

const Registered manual_command{{.order = 91,
                                 .name = "manual",
                                 .help = "print the manual page: assay manual | man -l -",
                                 .group = "This program",
                                 .declare = [](CommandLine&) {},
                                 .run =
                                     [] {
                                       std::cout << manual(command_words(), version);
                                       return static_cast<int>(as_expected);
                                     }}};

}  // namespace

std::optional<std::string> completion_script(std::string_view shell, std::span<const CommandWords> commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  return std::nullopt;
}

std::string manual(std::span<const CommandWords> commands, std::string_view version) {
  std::string text =
      ".TH ASSAY 1 \"\" \"assay " + std::string(version) +
      "\"\n.ad l\n.nh\n.SH NAME\nassay \\- conformance and fuzz suite for NVIDIA TMA and tcgen05\n"
      ".SH SYNOPSIS\n.B assay\n.I command\n[options]\n.SH COMMANDS\n";
  for (const CommandWords& command : commands) {
    text += ".SS " + roff(command.name);
    for (const OptionWords& option : command.options)
      if (option.names.empty()) text += " " + roff(option.positional);
    text += "\n" + roff(command.help) + ".\n";
    for (const OptionWords& option : command.options) {
      const std::string name = option.names.empty() ? "\\fI" + roff(option.positional) + "\\fR"
                                                    : "\\fB" + roff(joined(option.names)) + "\\fR";
      text += ".TP\n" + name + "\n" + roff(option.help) + "\n";
    }
  }
  return text +
         ".SH EXIT STATUS\n.TP\n0\nas expected\n.TP\n1\nviolation\n.TP\n2\ncould not run\n.TP\n3\ndevice "
         "lost\n"
         ".TP\n4\nincomplete\n.TP\n64\nusage\n.SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours, if set\n"
         ".TP\nASSAY_CUDA_DRIVER\nlibrary to load as the CUDA driver of cuda:N\n";
}

std::string ctest_resources(std::span<const DeviceProbe> probes) {
  constexpr std::string_view prefix = "cuda:";
  nlohmann::json gpus = nlohmann::json::array();
  std::string why;
  for (const DeviceProbe& probe : probes) {
    const bool names_gpu = probe.spec.starts_with(prefix);
    if (names_gpu && probe.available)
      gpus.push_back({{"id", probe.spec.substr(prefix.size())}, {"slots", 1}});
    else if (!probe.available && why.empty())
      why = probe.spec + ": " + probe.detail;
  }
  if (gpus.empty())
    throw std::runtime_error("there is no GPU to give to CTest" + (why.empty() ? "" : " (" + why + ")") +
                             "; run ctest without --resource-spec-file");
  nlohmann::json spec;
  spec["version"] = {{"major", 1}, {"minor", 0}};
  spec["local"] = nlohmann::json::array({{{"gpus", gpus}}});
  return spec.dump(1) + "\n";
}

}  // namespace assay::cli
