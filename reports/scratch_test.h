// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

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

}  // namespace assay::report
