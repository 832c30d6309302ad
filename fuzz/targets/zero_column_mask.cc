// Any 64 bits as a zero-column mask of tcgen05.mma.ws: what is read and written of it agrees with the bits,
// and the columns that it zeroes are those that walking the runs one column at a time gives. Input: the word,
// a byte of use.
#include "reference/spec/zero_column_mask.h"

#include <algorithm>

#include "fuzz/counters.h"
#include "fuzz/mutate.h"
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

/// Column j of a sub-mask by division, not by walking.
bool zeroed_at(const ZeroColumnMask& mask, int i, uint32_t j, const MaskReadings& readings) {
  const uint32_t ones = readings.table_words ? mask.use_span : mask.skip_span;
  const uint32_t zeros = readings.table_words ? mask.skip_span : mask.use_span;
  const bool starts_in_ones = mask.first_is_zeroed[i];
  const uint32_t first = starts_in_ones ? ones : zeros;
  uint32_t consumed = mask.start_count[i];
  if (readings.start_count_saturates && consumed >= first) consumed = first - 1;
  const uint32_t at = (consumed + j) % (ones + zeros);
  return (at < first) == starts_in_ones;
}

void check_columns(uint64_t word, const ZeroColumnMask& mask, uint8_t use) {
  constexpr int ms[] = {32, 64, 128}, ns[] = {64, 128, 256};
  const int m = ms[use % 3], n = ns[use / 3 % 3];
  const MaskReadings readings{(use & 0x20) != 0, (use & 0x40) != 0, (use & 0x80) != 0};
  const std::vector<bool> zeroed = spec::zeroed_columns(mask, m, n, readings);
  require(zeroed.size() == static_cast<size_t>(n), "every column of B is said to be used or zeroed");
  const bool masks = mask.generate != readings.bit_39_disables;
  const int length = n / spec::sub_masks(m);
  uint32_t runs = 0;
  for (int j = 0; j < n; ++j) {
    const bool want = masks && zeroed_at(mask, j / length, static_cast<uint32_t>(j % length), readings);
    require(zeroed[static_cast<size_t>(j)] == want,
            "runs of used and zeroed columns alternate by their spans");
    runs += j > 0 && zeroed[static_cast<size_t>(j)] != zeroed[static_cast<size_t>(j) - 1];
  }
  const uint32_t legal = spec::zero_column_mask_violations(word, {.m = m, .max_shift = {}}).empty();
  hit_cell(((use % 9u) * 2 + legal) * 64 + std::min(runs, 31u) * 2 + masks);
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
  require((word & reserved) == 0 || !spec::zero_column_mask_violations(word, {}).empty(),
          "reserved bits break a rule");
  fuzz::check_columns(word, mask, size > 8 ? data[8] : 0);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_descriptor(assay::spec::zero_column_mask, 1, data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  return assay::fuzz::cross_descriptors(assay::spec::zero_column_mask, 1, one, one_size, other, other_size,
                                        out, max_size, seed);
}
