// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace assay::emulator {

/// Bytes of global memory, in pages, each with the line of PTX that added to it last.
class ByteSet {
 public:
  void add(uint64_t address, uint64_t bytes, uint32_t line = 0) {
    spans(address, address + bytes);
    each_page(address, bytes, [&](uint64_t number, uint64_t from, uint64_t to) {
      Page& page = pages_[number];
      if (to - from == page_bytes)
        page.bytes.set();
      else
        for (uint64_t at = from; at < to; ++at) page.bytes[at] = true;
      page.line = line;
    });
  }
  void add(const ByteSet& other) {
    spans(other.begin_, other.end_);
    for (const auto& [number, page] : other.pages_) {
      pages_[number].bytes |= page.bytes;
      pages_[number].line = page.line;
    }
  }
  void remove(uint64_t address, uint64_t bytes) {
    each_page(address, bytes, [&](uint64_t number, uint64_t from, uint64_t to) {
      if (const auto found = pages_.find(number); found != pages_.end())
        for (uint64_t at = from; at < to; ++at) found->second.bytes[at] = false;
    });
  }
  bool meets(uint64_t address, uint64_t bytes) const { return find(address, bytes) != nullptr; }
  /// Of bytes that it has.
  uint32_t line(uint64_t address, uint64_t bytes) const { return find(address, bytes)->line; }
  bool is_empty() const { return pages_.empty(); }
  /// Calls f(begin, end) for what has all its bytes, in pieces and in no order.
  template <class F>
  void each_piece(F f) const {
    for (const auto& [number, page] : pages_) f(number * page_bytes, (number + 1) * page_bytes);
  }
  void clear() { *this = {}; }

 private:
  static constexpr uint64_t page_bytes = 256;
  struct Page {
    std::bitset<page_bytes> bytes;
    uint32_t line = 0;
  };
  void spans(uint64_t begin, uint64_t end) {
    begin_ = std::min(begin_, begin);
    end_ = std::max(end_, end);
  }
  template <class F>
  static void each_page(uint64_t address, uint64_t bytes, F f) {
    for (uint64_t at = address, end = address + bytes; at < end; at = (at / page_bytes + 1) * page_bytes)
      f(at / page_bytes, at % page_bytes, std::min(end - at / page_bytes * page_bytes, page_bytes));
  }
  const Page* find(uint64_t address, uint64_t bytes) const {
    const Page* met = nullptr;
    if (address >= end_ || address + bytes <= begin_) return met;
    each_page(address, bytes, [&](uint64_t number, uint64_t from, uint64_t to) {
      const auto found = met == nullptr ? pages_.find(number) : pages_.end();
      if (found == pages_.end()) return;
      for (uint64_t at = from; at < to; ++at)
        if (found->second.bytes[at]) met = &found->second;
    });
    return met;
  }
  uint64_t begin_ = UINT64_MAX, end_ = 0;  ///< between which all lie: most questions are about other places
  std::unordered_map<uint64_t, Page> pages_;
};

}  // namespace assay::emulator
