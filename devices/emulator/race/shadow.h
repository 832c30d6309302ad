// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "devices/emulator/race/clock.h"

namespace assay::emulator::race {

/// An access as a word of memory remembers it: by lanes of a warp, or by an asynchronous operation.
struct Entry {
  static constexpr Component operation = 0xfffe;  ///< `time` is its number then
  static constexpr uint8_t collective = 3;        ///< a scope: weak, by all lanes of a warp as one
  uint32_t time = 0, lanes = 0;
  uint32_t line = 0;
  Component of = no_component;
  uint8_t bytes = 0;  ///< of the word, a bit each
  uint8_t scope = 0;  ///< of a strong access: 1 the CTA, 2 wider; 0: weak
  bool is_empty() const { return of == no_component; }
  bool is_strong() const { return scope == 1 || scope == 2; }
  bool is_operation() const { return of == operation; }
  Moment moment() const { return {of, lanes, time}; }
};

/// What the words of a stretch of shared memory remember: the last write, and what each warp has read since.
/// Bytes or lanes of a warp that read a word at times of their own are kept apart up to four times, and so
/// are asynchronous operations; of more the last are kept.
struct ShadowPage {
  static constexpr uint32_t words = 256, most_readers = 64;
  using Entries = std::array<Entry, words>;
  Entries write;
  std::array<uint64_t, words> readers{};  ///< of a word, since that write: bits number `reads`
  struct Reads {
    uint32_t key;
    std::unique_ptr<Entries> entry;
  };
  std::vector<Reads> reads;

  /// The reads of a warp, or of operations, with a number below 4. Those beyond most_readers share some.
  uint32_t reader(Component of, uint32_t number) {
    const uint32_t key = of * 4u + number, count = static_cast<uint32_t>(reads.size());
    // Warps mostly come in their order.
    if (of < count && reads[of].key == key) return of;
    for (uint32_t i = 0; i < count; ++i)
      if (reads[i].key == key) return i;
    if (count == most_readers) return key % most_readers;
    reads.push_back({key, std::make_unique<Entries>()});
    return count;
  }
  /// Calls f(read) for the reads of a word; false: it is forgotten.
  template <class F>
  void each_read(uint32_t index, F f) {
    for (uint64_t left = readers[index]; left != 0; left &= left - 1)
      if (!f((*reads[static_cast<size_t>(__builtin_ctzll(left))].entry)[index]))
        readers[index] &= ~(left & -left);
  }
};

/// The words of the shared memory of one CTA, in pages that are made when touched: 6 bytes for each byte, and
/// 4 for each warp that reads there.
class Shadow {
 public:
  ShadowPage& page(uint32_t word) {
    const size_t page = word / ShadowPage::words;
    if (pages_.size() <= page) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<ShadowPage>();
    return *pages_[page];
  }

 private:
  std::vector<std::unique_ptr<ShadowPage>> pages_;
};

/// A warp's reads of shared memory, as far as no race can come of them: it has read the same word before, or
/// knows of all lanes of the warp that wrote it. Stays on a page while the words do.
class PlainReads {
 public:
  explicit PlainReads(Shadow& shadow, Component warp) : shadow_(shadow), warp_(warp) {}
  ShadowPage& turn_to(uint32_t word) {
    if (word / ShadowPage::words == number_) return *page_;
    number_ = word / ShadowPage::words;
    page_ = &shadow_.page(word);
    const uint32_t reader = page_->reader(warp_, 0);
    mine_ = page_->reads[reader].entry->data();
    bit_ = uint64_t{1} << reader;
    return *page_;
  }
  /// False: the word needs another look.
  bool remember(uint32_t word, const Entry& entry, const Clock& seen) {
    turn_to(word);
    const uint32_t index = word % ShadowPage::words;
    Entry& kept = mine_[index];
    const bool is_first = (page_->readers[index] & bit_) == 0;
    const bool is_same = !is_first && kept.time == entry.time && kept.of == entry.of &&
                         kept.bytes == entry.bytes && kept.scope == entry.scope;
    if (is_same && (entry.lanes & ~kept.lanes) == 0) return true;
    const Entry& write = page_->write[index];
    if (!write.is_empty() && !seen.knows_all(write.of, write.time)) return false;
    if (!is_first && !is_same) {
      const bool is_covered = kept.of == entry.of && kept.bytes == entry.bytes && kept.scope == entry.scope &&
                              seen.knows_all(kept.of, kept.time);
      if (!is_covered) return false;
    }
    const uint32_t lanes = is_same ? kept.lanes : 0;
    kept = entry;
    kept.lanes |= lanes;
    page_->readers[index] |= bit_;
    return true;
  }
  /// The same of words in a row on one page, the first of which is that of the entry's lane and each
  /// `per_lane` of which are of the next: which of them need another look.
  uint32_t remember_row(uint32_t word, uint32_t count, uint32_t per_lane, Entry entry, const Clock& seen) {
    turn_to(word);
    const uint32_t index = word % ShadowPage::words;
    const Entry* const writes = page_->write.data() + index;
    Entry* const mine = mine_ + index;
    uint64_t* const readers = page_->readers.data() + index;
    uint32_t left = 0, known_time = 0;
    Component known = no_component;
    for (uint32_t i = 0; i < count; ++i) {
      if (i != 0 && i % per_lane == 0) entry.lanes <<= 1;
      const Entry& write = writes[i];
      bool is_plain = write.of == known && write.time == known_time;
      if (!is_plain && (is_plain = write.is_empty() || seen.knows_all(write.of, write.time)))
        known = write.of, known_time = write.time;
      Entry& kept = mine[i];
      uint32_t lanes = entry.lanes;
      if (is_plain && (readers[i] & bit_) != 0) {
        is_plain = kept.of == entry.of && kept.bytes == entry.bytes && kept.scope == entry.scope;
        if (kept.time == entry.time)
          lanes |= kept.lanes;
        else
          is_plain = is_plain && seen.knows_all(kept.of, kept.time);
      }
      if (is_plain)
        kept = entry, kept.lanes = lanes, readers[i] |= bit_;
      else
        left |= 1u << i;
    }
    return left;
  }

 private:
  Shadow& shadow_;
  const Component warp_;
  uint32_t number_ = ~0u;
  ShadowPage* page_ = nullptr;
  Entry* mine_ = nullptr;
  uint64_t bit_ = 0;
};

}  // namespace assay::emulator::race
