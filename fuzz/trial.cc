// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

namespace assay::fuzz {
namespace {

/// The rest of the first line that holds `mark`, from the mark on.
std::string line_with(const std::string& text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
}

std::vector<Bytes> plainly_simpler(std::span<const uint8_t> input) {
  std::vector<Bytes> made;
  for (size_t part = input.size(); part >= 1; part /= 2)
    for (size_t at = 0; at + part <= input.size(); at += part) {
      Bytes less(input.begin(), input.begin() + static_cast<ptrdiff_t>(at));
      less.insert(less.end(), input.begin() + static_cast<ptrdiff_t>(at + part), input.end());
      made.push_back(std::move(less));
    }
  for (size_t at = 0; at < input.size(); ++at) {
    if (input[at] == 0) continue;
    Bytes zeroed(input.begin(), input.end());
    zeroed[at] = 0;
    made.push_back(std::move(zeroed));
  }
  return made;
}

}  // namespace

std::string signature_in(const std::string& text, int wait_status) {
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM) return "timeout";
  for (const std::string_view mark : {"FINDING: ", "runtime error: ", "SUMMARY: ", "what():  "})
    if (std::string line = line_with(text, mark); !line.empty()) return line;
  return WIFSIGNALED(wait_status) ? "signal " + std::to_string(WTERMSIG(wait_status))
                                  : "exit code " + std::to_string(WEXITSTATUS(wait_status));
}

std::optional<std::string> signature_of(std::span<const uint8_t> input, std::chrono::seconds limit) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot open a pipe to a child process");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    alarm(static_cast<unsigned>(limit.count()));
    // A copy of exactly its size, so that a sanitizer sees reads beyond the end.
    const Bytes copy(input.begin(), input.end());
    LLVMFuzzerTestOneInput(copy.data(), copy.size());
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = read(ends[0], part.data(), part.size())) > 0;)
    if (text.size() < (1u << 20)) text.append(part.data(), static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return signature_in(text, status);
}

Bytes minimise(Bytes input, const std::string& signature, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (bool simpler = true; simpler;) {
    simpler = false;
    for (Bytes& candidate : hooks().simpler ? hooks().simpler(input) : plainly_simpler(input)) {
      if (std::chrono::steady_clock::now() >= end) return input;
      if (candidate == input || signature_of(candidate, std::chrono::seconds(20)) != signature) continue;
      input = std::move(candidate);
      simpler = true;
      break;
    }
  }
  return input;
}

}  // namespace assay::fuzz
