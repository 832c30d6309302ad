// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace assay::cuda {

/// The arena (kernels/params/arena.h) as memory that processes share: written once in a process that opens
/// devices, which all its devices, their processes and its predictions read and nobody writes.
class ArenaMemory {
 public:
  /// This process's, made when it is first asked for. Throws DeviceError.
  static const ArenaMemory& of_process();
  /// Of another process, by its descriptor. Throws DeviceError.
  explicit ArenaMemory(int fd);

  int fd() const { return fd_; }
  /// params::arena_bytes of them.
  const std::byte* begin() const { return begin_; }

 private:
  int fd_;
  const std::byte* begin_;
};

}  // namespace assay::cuda
