// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/params/image.h"

namespace assay::cuda {

/// The best embedded program of a kernel file for a device: a cubin of its architecture, else PTX text of it.
/// Null when there is neither. `file` is the source's name without suffix, `capability` is 90 for compute
/// capability 9.0. A device that interprets PTX takes no cubin.
const AssayKernelImage* find_image(std::string_view file, int capability, bool takes_cubin);

/// The first driver with a PTX version (PTX ISA, Release Notes).
struct PtxRelease {
  uint8_t ptx;  ///< 86 for 8.6
  int cuda;     ///< what cuDriverGetVersion says, 12070 for CUDA 12.7
  int driver;   ///< its branch: 565
};
/// Of the version, or of the next that has a row; nothing for one that is later than all.
std::optional<PtxRelease> release_with(uint8_t ptx);
/// "R565 (CUDA 12.7, PTX 8.6)".
std::string words(const PtxRelease&);

/// What the embedded PTX text of a kernel file declares for a device, 86 for 8.6; 0: there is no text.
uint8_t declared_ptx(std::string_view file, int capability);

/// The kernel file of a family of records, null where it launches none.
const char* module_of(std::string_view family);

/// Why a driver, as cuDriverGetVersion says it, cannot have the kernels of a file, or nothing. Cubins do not
/// help: a driver takes those of its own CUDA's major number or older.
std::optional<std::string> driver_lacks(std::string_view file, int capability, int driver_version);

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
