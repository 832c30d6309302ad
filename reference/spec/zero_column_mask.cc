#include "reference/spec/zero_column_mask.h"

#include <algorithm>

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

constexpr Cite table{"ptx", "tcgen05, zero-column mask descriptor, table of bits"};
constexpr Cite examples{"ptx", "tcgen05, zero-column mask descriptor, examples 1 to 4"};
constexpr Cite masks_of_convolutions{"cutlass", "mma_sm100_desc.hpp, make_column_zero_mask"};

using MaskRule = DescriptorRule<MaskUse>;
const MaskRule mask_rules[] = {
    {{"ZCM-R01", "bits 36 to 38, 62 and 63 are 0", {{table}}, from_sm_100, ""},
     "reserved",
     [](uint64_t word, const MaskUse&) { return (word & 0xc000'0070'0000'0000) == 0; }},
    {{"ZCM-R02", "the column shift is at most 16 for M of 32, else at most 32", {{table}}, from_sm_100, ""},
     "column_shift",
     [](uint64_t word, const MaskUse& use) {
       return get_raw(word, zcm::column_shift) <= (use.m.value_or(64) == 32 ? 16u : 32u);
     }},
    {{"ZCM-R03",
      "a start count is below the length of the first span",
      {{examples, masks_of_convolutions}},
      from_sm_100,
      "AMB-03"},
     "start_count",
     [](uint64_t word, const MaskUse& use) {
       const ZeroColumnMask mask = decode_zero_column_mask(word);
       const int count = use.m ? sub_masks(*use.m) : 4;
       for (int i = 0; i < count; ++i)
         if (mask.generate && mask.start_count[i] >= first_length(mask, i)) return false;
       return true;
     }},
    {{"ZCM-R04",
      "the column shift is at most the maximum shift of the instruction descriptor",
      {{table}},
      from_sm_100,
      "AMB-04"},
     "column_shift",
     [](uint64_t word, const MaskUse& use) {
       return !use.max_shift || get_raw(word, zcm::column_shift) <= static_cast<uint64_t>(*use.max_shift);
     }},
    {{"ZCM-R05", "with bit 39 clear every column is used", {{table, examples}}, from_sm_100, "AMB-02"},
     "",
     nullptr},
    {{"ZCM-R06",
      "skip_span columns are zeroed and use_span columns used, in turn, each field one less than the length",
      {{examples, masks_of_convolutions}},
      from_sm_100,
      "AMB-01"},
     "",
     nullptr},
    {{"ZCM-R07",
      "sub-mask i of s covers columns i * N / s to (i + 1) * N / s - 1; M of 128, 64, 32 has 1, 2, 4",
      {{table}},
      from_sm_100,
      ""},
     "",
     nullptr},
    {{"ZCM-R08",
      "column j of the mask and of D pairs with column j + shift of B",
      {{examples}},
      from_sm_100,
      ""},
     "",
     nullptr},
    {{"ZCM-R09",
      "a masked column of B acts as a column of zeros whatever it holds",
      {{table}},
      from_sm_100,
      "NUM-AMB-16"},
     "",
     nullptr},
};

}  // namespace

const Descriptor zero_column_mask{
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
  return mask_rules;
}

std::vector<RuleBroken> zero_column_mask_violations(uint64_t word, const MaskUse& use) {
  return rules_broken<MaskUse>(mask_rules, word, use);
}

std::vector<bool> zeroed_columns(const ZeroColumnMask& mask, int m, int n, const MaskReadings& readings) {
  std::vector<bool> zeroed(static_cast<size_t>(n), false);
  if (mask.generate == readings.bit_39_disables) return zeroed;
  const uint32_t ones = readings.table_words ? mask.use_span : mask.skip_span;
  const uint32_t zeros = readings.table_words ? mask.skip_span : mask.use_span;
  const int count = sub_masks(m), length = n / count;
  for (int i = 0; i < count; ++i) {
    // Walk along the runs as the document tells it, dropping the columns that are already consumed.
    bool in_ones = mask.first_is_zeroed[i];
    uint32_t left = in_ones ? ones : zeros;
    uint32_t consumed = mask.start_count[i];
    if (readings.start_count_saturates) consumed = std::min(consumed, left - 1);
    for (int64_t j = -static_cast<int64_t>(consumed); j < length; ++j) {
      if (j >= 0) zeroed[static_cast<size_t>(i * length + j)] = in_ones;
      if (--left == 0) {
        in_ones = !in_ones;
        left = in_ones ? ones : zeros;
      }
    }
  }
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
