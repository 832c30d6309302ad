// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace assay::report {

/// A folder of this process alone: CTest runs tests beside each other, and two checkouts may share a machine.
class ScratchRoot {
 public:
  ScratchRoot() : owner_(getpid()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "assay_test_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("cannot create a folder like " + pattern);
    path_ = pattern;
  }
  ScratchRoot(const ScratchRoot&) = delete;
  ScratchRoot& operator=(const ScratchRoot&) = delete;
  ~ScratchRoot() {
    if (getpid() != owner_) return;  // a fork of a test that ends by exit()
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  pid_t owner_;
  std::filesystem::path path_;
};

/// A path for a test's files that nobody else uses and where nothing is; all of them go when the process
/// ends.
inline std::filesystem::path scratch_path(const std::string& name) {
  static const ScratchRoot root;
  std::filesystem::remove_all(root.path() / name);
  return root.path() / name;
}

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
