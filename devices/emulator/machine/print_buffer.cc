#include "devices/emulator/machine/print_buffer.h"

#include <cstdio>
#include <utility>

namespace assay::emulator {

void PrintBuffer::add(size_t bytes, std::string text) {
  entries_.push_back({bytes, std::move(text)});
  for (used_ += bytes; used_ > limit_ && !entries_.empty(); entries_.pop_front())
    used_ -= entries_.front().bytes;
}

void PrintBuffer::flush() {
  if (entries_.empty()) return;
  for (const Entry& entry : entries_) std::fwrite(entry.text.data(), 1, entry.text.size(), stdout);
  std::fflush(stdout);
  entries_.clear();
  used_ = 0;
}

}  // namespace assay::emulator
