// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace assay::emulator {

/// What a kernel printed. The buffer is a ring of a fixed size: the oldest go when there is more (CUDA
/// Programming Guide, Formatted Output).
class PrintBuffer {
 public:
  explicit PrintBuffer(size_t bytes) : limit_(bytes) {}
  /// `bytes`: what the entry takes in the buffer, which keeps arguments and not text. `cluster`: whose it is.
  void add(uint64_t cluster, size_t bytes, std::string text);
  /// Takes over what another buffer holds, both in the order of clusters: what one launch printed into
  /// several buffers, as if it had been one.
  void merge(PrintBuffer&& other);
  /// Forgets what clusters after this one printed.
  void forget_after(uint64_t cluster);
  /// All that is left to stdout.
  void flush();

 private:
  void keep_to_limit();

  struct Entry {
    uint64_t cluster;
    size_t bytes;
    std::string text;
  };
  size_t limit_, used_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace assay::emulator
