// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/zero_column_mask.h"

#include <algorithm>

#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {
namespace {

constexpr Code codes[] = {{"first_span[0]", 0, "used"},        {"first_span[0]", 1, "zeroed"},
                          {"first_span[1]", 0, "used"},        {"first_span[1]", 1, "zeroed"},
                          {"first_span[2]", 0, "used"},        {"first_span[2]", 1, "zeroed"},
                          {"first_span[3]", 0, "used"},        {"first_span[3]", 1, "zeroed"},
                          {"generate", 0, "no column zeroed"}, {"generate", 1, "mask generated"}};

uint32_t first_length(const ZeroColumnMask& mask, int i) {
  return mask.first_is_zeroed[i] ? mask.skip_span : mask.use_span;
}

using MaskRule = DescriptorRule<MaskUse>;
const MaskRule mask_checks[] = {
    {rule_table[rule("ZCM-R01")], "reserved",
     [](uint64_t word, const MaskUse&) { return (word & 0xc000'0070'0000'0000) == 0; }},
    {rule_table[rule("ZCM-R02")], "column_shift",
     [](uint64_t word, const MaskUse& use) {
       return get_raw(word, zcm::column_shift) <= (use.m.value_or(64) == 32 ? 16u : 32u);
     }},
    {rule_table[rule("ZCM-R03")], "start_count",
     [](uint64_t word, const MaskUse& use) {
       if (get_raw(word, zcm::generate) == 0) return true;
       const ZeroColumnMask mask = decode_zero_column_mask(word);
       const int count = use.m ? sub_masks(*use.m) : 4;
       for (int i = 0; i < count; ++i)
         if (mask.start_count[i] >= first_length(mask, i)) return false;
       return true;
     }},
    {rule_table[rule("ZCM-R04")], "column_shift",
     [](uint64_t word, const MaskUse& use) {
       return !use.max_shift || get_raw(word, zcm::column_shift) <= static_cast<uint64_t>(*use.max_shift);
     }},
    {rule_table[rule("ZCM-R05")], "", nullptr},
    {rule_table[rule("ZCM-R06")], "", nullptr},
    {rule_table[rule("ZCM-R07")], "", nullptr},
    {rule_table[rule("ZCM-R08")], "", nullptr},
    {rule_table[rule("ZCM-R09")], "", nullptr},
};

}  // namespace

constinit const Descriptor zero_column_mask{
    "zero_column_mask", "zero-column mask descriptor of tcgen05.mma.ws", 64, zcm::fields, codes, zcm::cite};

uint64_t encode_zero_column_mask(const ZeroColumnMask& mask) {
  uint64_t word = 0;
  for (int i = 0; i < 4; ++i) {
    word = with_raw(word, zcm::start_count[i], mask.start_count[i]);
    word = with_raw(word, zcm::first_span[i], mask.first_is_zeroed[i] ? 1 : 0);
  }
  word = with_raw(word, zcm::generate, mask.generate ? 1 : 0);
  word = with(word, zcm::skip_span, mask.skip_span);
  word = with(word, zcm::use_span, mask.use_span);
  return with_raw(word, zcm::column_shift, mask.column_shift);
}

ZeroColumnMask decode_zero_column_mask(uint64_t word) {
  ZeroColumnMask mask;
  for (int i = 0; i < 4; ++i) {
    mask.start_count[i] = static_cast<uint32_t>(get(word, zcm::start_count[i]));
    mask.first_is_zeroed[i] = get_raw(word, zcm::first_span[i]) != 0;
  }
  mask.generate = get_raw(word, zcm::generate) != 0;
  mask.skip_span = static_cast<uint32_t>(get(word, zcm::skip_span));
  mask.use_span = static_cast<uint32_t>(get(word, zcm::use_span));
  mask.column_shift = static_cast<uint32_t>(get(word, zcm::column_shift));
  return mask;
}

std::span<const DescriptorRule<MaskUse>> zero_column_mask_rules() {
  return mask_checks;
}

uint64_t zero_column_mask_rules_broken(uint64_t word, const MaskUse& use) {
  return rules_broken<MaskUse>(mask_checks, word, use);
}

std::vector<RuleBroken> zero_column_mask_violations(uint64_t word, const MaskUse& use) {
  return listed<MaskUse>(mask_checks, zero_column_mask_rules_broken(word, use));
}

void ColumnSet::add(uint32_t first, uint32_t count) {
  while (count != 0) {
    const uint32_t here = std::min(count, 64 - first % 64);
    words[first / 64] |= low_bits(static_cast<int>(here)) << (first % 64);
    first += here, count -= here;
  }
}

ColumnSet zeroed_column_set(const ZeroColumnMask& mask, int m, int n, const MaskReadings& readings) {
  ColumnSet zeroed;
  if (mask.generate == readings.bit_39_disables) return zeroed;
  const uint32_t ones = readings.table_words ? mask.use_span : mask.skip_span;
  const uint32_t zeros = readings.table_words ? mask.skip_span : mask.use_span;
  const auto count = static_cast<uint32_t>(sub_masks(m)), length = static_cast<uint32_t>(n) / count;
  for (uint32_t i = 0; i < count; ++i) {
    // Walk along the runs as the document tells it; the columns that are already consumed lie before the
    // first, whole pairs of runs among them left out.
    bool in_ones = mask.first_is_zeroed[i];
    uint32_t left = in_ones ? ones : zeros, consumed = mask.start_count[i];
    if (readings.start_count_saturates) consumed = std::min(consumed, left - 1);
    consumed %= ones + zeros;
    for (uint32_t at = 0; at < consumed + length;) {
      const uint32_t end = std::min(at + left, consumed + length), from = std::max(at, consumed);
      if (in_ones && from < end) zeroed.add(i * length + from - consumed, end - from);
      at = end;
      in_ones = !in_ones;
      left = in_ones ? ones : zeros;
    }
  }
  return zeroed;
}

std::vector<bool> zeroed_columns(const ZeroColumnMask& mask, int m, int n, const MaskReadings& readings) {
  const ColumnSet set = zeroed_column_set(mask, m, n, readings);
  std::vector<bool> zeroed(static_cast<size_t>(n));
  for (size_t j = 0; j < zeroed.size(); ++j) zeroed[j] = set[j];
  return zeroed;
}

uint64_t random_zero_column_mask(const MaskUse& use, uint64_t (*random)(void* state), void* state) {
  const auto below = [&](uint64_t count) { return static_cast<uint32_t>(random(state) % count); };
  ZeroColumnMask mask;
  mask.generate = below(8) != 0;
  mask.skip_span = 1 + (below(2) != 0 ? below(8) : below(256));
  mask.use_span = 1 + (below(2) != 0 ? below(8) : below(256));
  for (int i = 0; i < 4; ++i) {
    mask.first_is_zeroed[i] = below(2) != 0;
    mask.start_count[i] = below(2) != 0 ? 0 : below(first_length(mask, i));
  }
  const uint32_t most = std::min<uint32_t>(use.m.value_or(32) == 32 ? 16 : 32,
                                           static_cast<uint32_t>(use.max_shift.value_or(32)));
  mask.column_shift = below(2) != 0 ? 0 : below(most + 1);
  return encode_zero_column_mask(mask);
}

}  // namespace assay::spec
