// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::cli::check {

/// A folder for temporary files that goes away with them.
class ScratchFolder {
 public:
  /// Throws DeviceError where none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace assay::cli::check
