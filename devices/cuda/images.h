// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/params/image.h"

namespace assay::cuda {

/// The best embedded program of a kernel file for a device: a cubin of its architecture, else PTX text of it.
/// Null when there is neither. `file` is the source's name without suffix, `capability` is 90 for compute
/// capability 9.0. A device that interprets PTX takes no cubin.
const AssayKernelImage* find_image(std::string_view file, int capability, bool takes_cubin);

/// The kernel files that processes of one device have loaded, in memory that a process shares with those
/// forked from it.
class UsedFiles {
 public:
  /// Maps the memory. Throws std::runtime_error.
  UsedFiles();
  /// Callable from several threads and processes. Of more files than there are places the later ones are not
  /// noted.
  void note(std::string_view file);
  std::vector<std::string> all() const;

 private:
  struct Name {
    std::atomic<bool> is_there;
    std::array<char, 31> text;
  };
  struct Names {
    std::atomic<uint32_t> taken;
    std::array<Name, 64> names;
  };
  Names* shared_;
};

}  // namespace assay::cuda
