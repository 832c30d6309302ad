#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace assay::emulator {

/// What a kernel printed. The buffer is a ring of a fixed size: the oldest go when there is more (CUDA
/// Programming Guide, Formatted Output).
class PrintBuffer {
 public:
  explicit PrintBuffer(size_t bytes) : limit_(bytes) {}
  /// `bytes`: what the entry takes in the buffer, which keeps arguments and not text.
  void add(size_t bytes, std::string text);
  /// All that is left to stdout.
  void flush();

 private:
  struct Entry {
    size_t bytes;
    std::string text;
  };
  size_t limit_, used_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace assay::emulator
