// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/print_buffer.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace assay::emulator {

void PrintBuffer::add(uint64_t cluster, size_t bytes, std::string text) {
  entries_.push_back({cluster, bytes, std::move(text)});
  used_ += bytes;
  keep_to_limit();
}

void PrintBuffer::keep_to_limit() {
  for (; used_ > limit_ && !entries_.empty(); entries_.pop_front()) used_ -= entries_.front().bytes;
}

void PrintBuffer::merge(PrintBuffer&& other) {
  const auto middle = static_cast<ptrdiff_t>(entries_.size());
  std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
  std::inplace_merge(entries_.begin(), entries_.begin() + middle, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.cluster < b.cluster; });
  used_ += other.used_;
  other.entries_.clear();
  other.used_ = 0;
  keep_to_limit();
}

void PrintBuffer::forget_after(uint64_t cluster) {
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.cluster <= cluster) return false;
    used_ -= entry.bytes;
    return true;
  });
}

void PrintBuffer::flush() {
  if (entries_.empty()) return;
  for (const Entry& entry : entries_) std::fwrite(entry.text.data(), 1, entry.text.size(), stdout);
  std::fflush(stdout);
  entries_.clear();
  used_ = 0;
}

}  // namespace assay::emulator
