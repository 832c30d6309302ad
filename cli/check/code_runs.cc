// SPDX-License-Identifier: Apache-2.0
#include "cli/check/code_runs.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/check/captured.h"
#include "cli/check/scratch_folder.h"
#include "devices/cuda/opened_device.h"
#include "reports/text.h"

namespace assay::cli::check {
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
