// SPDX-License-Identifier: Apache-2.0
// Any 64 bits as a zero-column mask of tcgen05.mma.ws: what is read and written of it agrees with the bits,
// and every column is zeroed or used as the spans say. Input: the word, a byte of use.
#include "reference/spec/zero_column_mask.h"

#include <algorithm>
#include <bit>

#include "fuzz/target.h"

namespace assay::fuzz {
namespace {

using spec::MaskReadings;
using spec::ZeroColumnMask;

void check_positions(uint64_t word, const ZeroColumnMask& mask) {
  for (int i = 0; i < 4; ++i) {
    require(mask.start_count[i] == (word >> (8 * i) & 0xff), "start counts are the low four bytes");
    require(mask.first_is_zeroed[i] == (word >> (32 + i) & 1), "bits 35:32 say which run is first");
  }
  require(mask.generate == (word >> 39 & 1), "bit 39 generates the mask");
  require(mask.skip_span == (word >> 40 & 0xff) + 1, "the skip span is bits 47:40, less one");
  require(mask.use_span == (word >> 48 & 0xff) + 1, "the use span is bits 55:48, less one");
  require(mask.column_shift == (word >> 56 & 0x3f), "the column shift is bits 61:56");
}

/// A sub-mask as a run that began `consumed` columns before it, and the changes between runs.
struct Runs {
  uint32_t first, period, consumed;
  bool starts_in_ones;

  bool changes_before(uint32_t j) const {
    const uint32_t at = (consumed + j) % period;
    return at == 0 || at == first;
  }
  bool begins_zeroed() const { return (consumed % period < first) == starts_in_ones; }
  uint32_t changes(uint32_t length) const { return until(consumed + length - 1) - until(consumed); }

 private:
  uint32_t until(uint32_t column) const { return column / period * 2 + (column % period >= first); }
};

Runs runs_of(const ZeroColumnMask& mask, uint32_t i, const MaskReadings& readings) {
  const uint32_t ones = readings.table_words ? mask.use_span : mask.skip_span;
  const uint32_t zeros = readings.table_words ? mask.skip_span : mask.use_span;
  const uint32_t first = mask.first_is_zeroed[i] ? ones : zeros;
  uint32_t consumed = mask.start_count[i];
  if (readings.start_count_saturates && consumed >= first) consumed = first - 1;
  return {first, ones + zeros, consumed, mask.first_is_zeroed[i]};
}

/// A sub-mask begins as it must, changes only where it must, and as often: so every column is right.
void check_columns(uint64_t word, const ZeroColumnMask& mask, uint8_t use) {
  constexpr int ms[] = {32, 64, 128}, ns[] = {64, 128, 256};
  const int m = ms[use % 3], n = ns[use / 3 % 3];
  const MaskReadings readings{(use & 0x20) != 0, (use & 0x40) != 0, (use & 0x80) != 0};
  const spec::ColumnSet zeroed = spec::zeroed_column_set(mask, m, n, readings);
  for (size_t i = static_cast<size_t>(n) / 64; i < 4; ++i)
    require(zeroed.words[i] == 0, "columns that B lacks are not zeroed");
  const bool masks = mask.generate != readings.bit_39_disables;
  require(masks || zeroed.none(), "without a mask no column is zeroed");

  const auto count = static_cast<uint32_t>(spec::sub_masks(m)), length = static_cast<uint32_t>(n) / count;
  Runs runs[4]{};
  uint32_t changes[4]{}, all = 0;
  for (uint32_t i = 0; masks && i < count; ++i) {
    runs[i] = runs_of(mask, i, readings);
    require(zeroed[i * length] == runs[i].begins_zeroed(), "a sub-mask begins as its first span says");
  }
  for (uint32_t i = 0; masks && i < static_cast<uint32_t>(n) / 64; ++i) {
    const uint64_t before = zeroed.words[i] << 1 | (i == 0 ? zeroed.words[0] & 1 : zeroed.words[i - 1] >> 63);
    for (uint64_t left = zeroed.words[i] ^ before; left != 0; left &= left - 1) {
      const uint32_t column = i * 64 + static_cast<uint32_t>(std::countr_zero(left));
      if (column % length == 0) continue;  // where one sub-mask ends and the next begins
      require(runs[column / length].changes_before(column % length),
              "runs of used and zeroed columns end where their spans end");
      ++changes[column / length], ++all;
    }
  }
  for (uint32_t i = 0; masks && i < count; ++i)
    require(changes[i] == runs[i].changes(length), "runs of used and zeroed columns alternate");
  const uint32_t legal = spec::zero_column_mask_rules_broken(word, {.m = m, .max_shift = {}}) == 0;
  hit_cell(((use % 9u) * 2 + legal) * 64 + std::min(all, 31u) * 2 + masks);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  using fuzz::require;
  ++fuzz::counts().inputs;
  ++fuzz::counts().past_parser;
  const uint64_t word = fuzz::read_word(data, size, 8);
  const spec::ZeroColumnMask mask = spec::decode_zero_column_mask(word);
  fuzz::check_positions(word, mask);
  constexpr uint64_t reserved = 0xc000'0070'0000'0000;
  require(spec::encode_zero_column_mask(mask) == (word & ~reserved), "written again, the word is the same");
  require((word & reserved) == 0 || spec::zero_column_mask_rules_broken(word, {}) != 0,
          "reserved bits break a rule");
  fuzz::check_columns(word, mask, size > 8 ? data[8] : 0);
  return 0;
}
