// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace assay::report {

/// How a command ended that a test ran as a user would.
struct Ended {
  int code;          ///< exit code, 128 and the signal, or -1 where no shell could be started
  std::string text;  ///< standard output and error
};

/// `command` by the shell, its standard input empty.
inline Ended shell(const std::string& command) {
  FILE* pipe = popen(("( " + command + " ) 2>&1 </dev/null").c_str(), "r");
  Ended ended{-1, {}};
  if (pipe == nullptr) return ended;
  std::array<char, 4096> part;
  while (const size_t bytes = fread(part.data(), 1, part.size(), pipe)) ended.text.append(part.data(), bytes);
  const int status = pclose(pipe);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

inline bool says(const Ended& ended, const std::string& words) {
  return ended.text.find(words) != std::string::npos;
}

}  // namespace assay::report
