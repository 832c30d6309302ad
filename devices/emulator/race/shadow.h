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

/// The last accesses to 4 bytes: one write, and reads after it that did not know of each other. Of more
/// reads than there is room for the last are kept, and of words written piece by piece the last piece.
struct Word {
  static constexpr size_t most_reads = 3;
  Entry write;
  std::array<Entry, most_reads> reads;
};

/// The words of the shared memory of one CTA, in pages that are made when touched: 16 bytes for each byte.
class Shadow {
 public:
  Word& word(uint32_t index) {
    const size_t page = index / words_of_page;
    if (pages_.size() <= page) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    return (*pages_[page])[index % words_of_page];
  }

 private:
  static constexpr uint32_t words_of_page = 256;
  using Page = std::array<Word, words_of_page>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace assay::emulator::race
