// SPDX-License-Identifier: Apache-2.0
#include "cli/check/assemblers.h"

#include <sys/wait.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/check/child.h"
#include "cli/command.h"
#include "devices/cuda/opened_device.h"
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

namespace {

bool left_the_same(const CodeRun& a, const CodeRun& b) {
  return a.end == b.end && a.memory == b.memory;
}

/// The one whose outcome most share; a run that ended well before any that did not.
const CodeRun& most_common(const std::vector<CodeRun>& runs) {
  const auto votes = [&](const CodeRun& run) {
    return std::pair(run.end.empty(), std::ranges::count_if(runs, [&](const CodeRun& other) {
                       return left_the_same(run, other);
                     }));
  };
  return *std::ranges::max_element(runs, {}, votes);
}

size_t bytes_of(const CodeRun& run) {
  size_t bytes = 0;
  for (const ArgumentMemory& one : run.memory) bytes += one.bytes.size();
  return bytes;
}

std::string hex(uint64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(number));
  return text;
}

/// The aligned word of four bytes about a byte, as a program reads it.
std::string word_at(const std::vector<unsigned char>& bytes, size_t at) {
  uint32_t word = 0;
  const size_t begin = at & ~size_t{3};
  std::memcpy(&word, bytes.data() + begin, std::min<size_t>(4, bytes.size() - begin));
  return hex(word, 8);
}

/// "argument 1, byte 0x40: 0x3f800000 instead of 0x40000000; 512 of 4,096 bytes differ".
std::string first_difference(const CodeRun& run, const CodeRun& from) {
  std::string text;
  size_t differing = 0;
  for (size_t i = 0; i < std::min(run.memory.size(), from.memory.size()); ++i) {
    const std::vector<unsigned char>&is = run.memory[i].bytes, &other = from.memory[i].bytes;
    for (size_t at = 0; at < std::min(is.size(), other.size()); ++at) {
      if (is[at] == other[at]) continue;
      if (differing++ == 0)
        text = "argument " + std::to_string(run.memory[i].argument) + ", byte " + hex(at & ~size_t{3}, 1) +
               ": " + word_at(is, at) + " instead of " + word_at(other, at);
    }
  }
  return text + "; " + report::grouped(differing, ",") + " of " + report::grouped(bytes_of(from), ",") +
         " bytes differ";
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

bool has_memory(const PtxLaunch& launch) {
  return std::ranges::any_of(launch.arguments, [](const std::string& text) {
    const Argument argument = read_argument(text);
    return argument.kind != Argument::Kind::number && !argument.is_null;
  });
}

CodeRun run_code(const std::string& name, const cuda::DeviceSpec& device, const std::string& settings,
                 const std::string& code, const PtxLaunch& launch) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("memory");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words =
      run_command(program, cuda::driver_library(device), device.ordinal, output, code, launch);
  if (device.emulator) words.insert(words.begin(), {"env", "ASSAY_EMULATOR=" + settings});
  const Captured ended = run_captured(words);
  CodeRun run{name, "", {}};
  if (ended.error != 0) {
    run.end = std::string("could not be run: ") + std::strerror(ended.error);
  } else if (WIFSIGNALED(ended.status)) {
    run.end = WTERMSIG(ended.status) == SIGALRM
                  ? "did not complete within " + std::to_string(run_limit_seconds) + " s"
                  : "killed by signal " + std::to_string(WTERMSIG(ended.status));
  } else if (WEXITSTATUS(ended.status) != 0) {
    // "assay: FILE: why": the file is another for each.
    const std::string line = ended.text.substr(0, ended.text.find('\n'));
    const size_t why = line.find(code + ": ");
    run.end = why == line.npos ? line : line.substr(why + code.size() + 2);
  } else {
    run.memory = read_memory(output);
  }
  return run;
}

bool agree(const std::vector<CodeRun>& runs) {
  return std::ranges::all_of(
      runs, [&](const CodeRun& run) { return run.end.empty() && left_the_same(run, runs.front()); });
}

std::string runs_compared(const std::string& file, const std::vector<CodeRun>& runs) {
  const CodeRun& usual = most_common(runs);
  std::string text;
  std::vector<std::string> same, others;
  for (const CodeRun& run : runs) {
    const bool is_same = left_the_same(run, usual);
    (is_same ? same : others).push_back(report::for_terminal(run.name));
    if (!run.end.empty())
      text += report::for_terminal(run.name) + ": " + report::for_terminal(run.end) + "\n";
    else if (!is_same)
      text += report::for_terminal(run.name) + ": " + first_difference(run, usual) + "\n";
  }
  text += "assay: " + report::for_terminal(file) + ": ";
  if (!usual.end.empty()) return text + "no variant ran to completion\n";
  const std::string bytes = "the same " + report::grouped(bytes_of(usual), ",") + " bytes";
  if (others.empty()) return text + "run, all leave " + bytes + ": " + list(same) + "\n";
  return text + "run, " + list(others) + (others.size() == 1 ? " differs" : " differ") + " from " +
         list(same) + "\n";
}

}  // namespace assay::cli::check
