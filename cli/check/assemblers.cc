// SPDX-License-Identifier: Apache-2.0
#include "cli/check/assemblers.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/check/captured.h"
#include "cli/command.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;

std::string first_error(const std::string& text) {
  std::istringstream lines(text);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != line.npos || line.find("fatal") != line.npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

/// What `ptxas -v` tells of each kernel.
std::vector<std::string> resources_of(const std::string& text) {
  std::vector<std::string> made;
  const std::regex spilled("([0-9]+) bytes spill stores"), used("Used ([0-9]+) registers");
  std::string spill = "0";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, spilled)) spill = found[1];
    if (std::regex_search(line, found, used)) {
      made.push_back(found[1].str() + " registers, " + spill + " bytes spilled");
      spill = "0";
    }
  }
  return made;
}

}  // namespace

std::string name_of(const Assembled& one) {
  return report::for_terminal(one.path) + (one.version.empty() ? "" : " (" + one.version + ")");
}

std::string target_of(const std::string& ptx) {
  std::smatch found;
  const std::regex target("(^|\n)\\s*\\.target\\s+([A-Za-z0-9_]+)");
  return std::regex_search(ptx, found, target) ? found[2].str() : "";
}

Assembled assemble(const std::string& assembler, const std::string& file, const std::string& target,
                   const std::string& cubin) {
  Assembled made;
  made.path = assembler;
  const Captured asked = run_captured({assembler, "--version"});
  if (asked.error != 0) {
    made.says = std::string("cannot be started: ") + std::strerror(asked.error);
    return made;
  }
  made.has_started = true;
  std::smatch found;
  if (std::regex_search(asked.text, found, std::regex("V([0-9]+\\.[0-9]+\\.[0-9]+)")))
    made.version = found[1];
  const Captured ended = run_captured({assembler, "-arch=" + target, "-v", "-o", cubin, file});
  made.assembles = ended.error == 0 && WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0;
  if (!made.assembles) {
    made.says = WIFSIGNALED(ended.status) ? "killed by signal " + std::to_string(WTERMSIG(ended.status))
                                          : first_error(ended.text);
    return made;
  }
  std::error_code none;
  const auto bytes = fs::file_size(cubin, none);
  made.bytes = none ? 0 : bytes;
  made.resources = resources_of(ended.text);
  return made;
}

std::string compared(const std::string& file, const std::vector<Assembled>& all,
                     const EmulatorVerdict& emulator) {
  std::string text, takers, refusers;
  const auto list = [](std::string& names, const std::string& name) {
    names += (names.empty() ? "" : ", ") + name;
  };
  const auto refused = [](const std::string& says) {
    return says.empty() ? std::string("rejects it") : "rejects it: " + report::for_terminal(says);
  };
  for (const Assembled& one : all) {
    text += name_of(one) + ": ";
    if (!one.has_started) {
      text += report::for_terminal(one.says) + "\n";
      continue;
    }
    list(one.assembles ? takers : refusers, name_of(one));
    if (!one.assembles) {
      text += refused(one.says) + "\n";
      continue;
    }
    text += "assembles it, " + std::to_string(one.bytes) + " bytes";
    for (const std::string& kernel : one.resources) text += "; " + kernel;
    text += "\n";
  }
  list(emulator.takes ? takers : refusers, emulator.device);
  text += emulator.device + ": " + (emulator.takes ? "accepts it" : refused(emulator.says)) + "\n";
  text += "assay: " + report::for_terminal(file) + ": ";
  if (refusers.empty())
    text += "accepted by all";
  else if (takers.empty())
    text += "rejected by all";
  else
    text += "accepted by " + takers + "; rejected by " + refusers;
  return text + "\n";
}

int exit_code(const std::vector<Assembled>& all, const EmulatorVerdict& emulator) {
  size_t takers = emulator.takes, voters = 1;
  for (const Assembled& one : all) {
    if (!one.has_started) return could_not_run;
    takers += one.assembles;
    ++voters;
  }
  return takers == voters ? as_expected : takers == 0 ? could_not_run : violation;
}

}  // namespace assay::cli::check
