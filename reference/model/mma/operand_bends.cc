// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "reference/model/mma/bends.h"
#include "reference/spec/rules.h"

/// Bends of operands in shared memory, and of the descriptors that lead to them.
namespace assay::model {
namespace {

using layout::SmemReadings;
using spec::rule;
using spec::SmemMatrix;

template <uint32_t mask>
void start_without(SmemMatrix& m, bool) {
  m.start &= ~mask;
}
template <uint32_t mask>
void leading_within(SmemMatrix& m, bool) {
  m.leading_offset &= mask;
}
template <uint32_t mask>
void stride_within(SmemMatrix& m, bool) {
  m.stride_offset &= mask;
}
void exchange(SmemMatrix& m, bool) {
  std::swap(m.leading_offset, m.stride_offset);
}
template <int width, int other>
void swizzle_as(SmemMatrix& m, bool) {
  if (m.swizzle->width != width || m.swizzle->lines == 4) return;
  for (const spec::SmemSwizzle& row : spec::smem_swizzles)
    if (row.width == other && row.lines != 4) m.swizzle = &row;
}
/// The operand reads 48 bytes of a row of 128.
void late_start(SmemMatrix& m, bool) {
  const uint32_t in_row = m.start % 128;
  if (m.leading_is_absolute && in_row + 48 > 128 && in_row + 16 < 128) m.start += 16;
}
/// The pattern begins at the start address.
void phase_from_start(SmemMatrix& m, bool) {
  m.base_offset = (m.base_offset + m.start / 128) % 8;
}
template <bool of_k_major, bool of_swizzled>
void exchange_in(SmemMatrix& m, bool is_mn_major) {
  if (is_mn_major != of_k_major && (m.swizzle->width != 16) == of_swizzled) exchange(m, is_mn_major);
}

// clang-format off
constexpr Bend smem_rows[] = {
    {.rule = rule("SMEM-R11"), .words = "the lowest bit of the start were dropped",
     .mma = {.matrix = start_without<0x10>}},
    {.rule = rule("SMEM-R11"), .words = "the highest bit of the start were dropped",
     .mma = {.matrix = start_without<0x20000>}},
    {.rule = rule("SMEM-R11"), .words = "the leading offset kept 14 bits of bytes",
     .mma = {.matrix = leading_within<0x3fff>}},
    {.rule = rule("SMEM-R11"), .words = "the highest bit of the leading offset were dropped",
     .mma = {.matrix = leading_within<0x1ffff>}},
    {.rule = rule("SMEM-R11"), .words = "the leading offset kept 12 bits of bytes",
     .mma = {.matrix = leading_within<0xfff>}},
    {.rule = rule("SMEM-R11"), .words = "the stride offset kept 12 bits of bytes",
     .mma = {.matrix = stride_within<0xfff>}},
    {.rule = rule("SMEM-R11"), .words = "the stride offset kept 14 bits of bytes",
     .mma = {.matrix = stride_within<0x3fff>}},
    {.rule = rule("SMEM-R11"), .words = "the highest bit of the stride offset were dropped",
     .mma = {.matrix = stride_within<0x1ffff>}},
    {.rule = rule("SMEM-R12"), .words = "leading and stride offset were swapped",
     .mma = {.matrix = exchange}},
    {.rule = rule("SMEM-R12"),
     .words = "leading and stride offset were swapped, K-major without swizzle",
     .mma = {.matrix = exchange_in<true, false>}},
    {.rule = rule("SMEM-R13"), .words = "the leading offset led to the next 8 rows",
     .mma = {.matrix = exchange_in<true, true>}},
    {.rule = rule("SMEM-R14"),
     .words = "leading and stride offset were swapped, MN-major without swizzle",
     .mma = {.matrix = exchange_in<false, false>}},
    {.rule = rule("SMEM-R15"), .words = "leading and stride offset were swapped, MN-major with swizzle",
     .mma = {.matrix = exchange_in<false, true>}},
    {.rule = rule("SMEM-R15"), .words = "8 lines of 32-byte atoms made a step",
     .mma = {.smem = [](SmemReadings& r) { r.lines_of_atom_32B = 8; }}},
    {.rule = rule("SMEM-R14"), .words = "the order of B were ignored",
     .mma = {.transposed = [](bool is_a, bool right) { return is_a && right; }}},
    {.rule = rule("SMEM-R14"), .words = "the order of A were ignored",
     .mma = {.transposed = [](bool is_a, bool right) { return !is_a && right; }}},
    {.rule = rule("SMEM-R16"), .words = "64B swizzle were 32B swizzle",
     .mma = {.matrix = swizzle_as<64, 32>}},
    {.rule = rule("SMEM-R16"), .words = "128B swizzle were 64B swizzle",
     .mma = {.matrix = swizzle_as<128, 64>}},
    {.rule = rule("SMEM-R16"), .words = "32B swizzle were none", .mma = {.matrix = swizzle_as<32, 16>}},
    {.rule = rule("SMEM-R16"), .words = "the pattern began at the start address",
     .mma = {.matrix = phase_from_start}},
    {.rule = rule("SMEM-R17"), .words = "the base offset were ignored",
     .mma = {.matrix = [](SmemMatrix& m, bool) { m.base_offset = 0; }}},
    {.rule = rule("SMEM-R17"), .words = "the base offset were added",
     .mma = {.smem = [](SmemReadings& r) { r.base_offset = SmemReadings::BaseOffset::added; }}},
    {.rule = rule("SMEM-R17"), .words = "the base offset were exclusively or'ed",
     .mma = {.smem = [](SmemReadings& r) { r.base_offset = SmemReadings::BaseOffset::exclusive_or; }}},
    {.rule = rule("SMEM-R20"), .words = "bytes past the end of a row were read behind it",
     .mma = {.matrix = [](SmemMatrix& m, bool) { m.leading_is_absolute = false; }}},
    {.rule = rule("SMEM-R20"), .words = "the absolute address were counted from the start address",
     .mma = {.matrix = [](SmemMatrix& m, bool) { if (m.leading_is_absolute) m.leading_offset += m.start; }}},
    {.rule = rule("SMEM-R20"), .words = "an operand that its row is too short for began 16 bytes further on",
     .mma = {.matrix = late_start}},
    {.rule = rule("SMEM-R19"), .words = "the leading offset were ignored with 32B swizzle",
     .mma = {.smem = [](SmemReadings& r) { r.leading_offset_in_wide_32B = false; }}},
};
// clang-format on

}  // namespace

std::span<const Bend> smem_bends() {
  return smem_rows;
}

// Bends of zero-column masks.

namespace {
using Mask = spec::ZeroColumnMask;

template <int change>
void start_counts(Mask& mask, int) {
  for (uint32_t& count : mask.start_count) count += static_cast<uint32_t>(change);
}
void last_part_as_first(Mask& mask, int m) {
  const auto last = static_cast<size_t>(spec::sub_masks(m) - 1);
  mask.start_count[last] = mask.start_count[0];
  mask.first_is_zeroed[last] = mask.first_is_zeroed[0];
}
void fourth_part_as_first(Mask& mask, int) {
  mask.start_count[3] = mask.start_count[0];
  mask.first_is_zeroed[3] = mask.first_is_zeroed[0];
}
void parts_reversed(Mask& mask, int m) {
  const auto last = static_cast<size_t>(spec::sub_masks(m) - 1);
  for (size_t i = 0; i < last - i && i <= last; ++i) {
    std::swap(mask.start_count[i], mask.start_count[last - i]);
    const bool first = mask.first_is_zeroed[i];
    mask.first_is_zeroed[i] = mask.first_is_zeroed[last - i];
    mask.first_is_zeroed[last - i] = first;
  }
}
template <int change>
void skip_span(Mask& mask, int) {
  mask.skip_span += static_cast<uint32_t>(change);
}
template <int change>
void use_span(Mask& mask, int) {
  mask.use_span += static_cast<uint32_t>(change);
}
template <int change>
void shift(Mask& mask, int) {
  if (mask.column_shift != 0) mask.column_shift += static_cast<uint32_t>(change);
}

void large_counts_less_where_shifted(Mask& mask, int) {
  for (uint32_t& count : mask.start_count) count -= mask.column_shift >= 16 && count >= 200;
}

// clang-format off
constexpr Bend mask_rows[] = {
    {.rule = rule("ZCM-R03"),
     .words = "start counts of 200 and more were one less where columns are shifted by 16 and more",
     .mma = {.mask = large_counts_less_where_shifted}},
    {.rule = rule("ZCM-R03"), .words = "one column more of the first span were consumed",
     .mma = {.mask = start_counts<1>}},
    {.rule = rule("ZCM-R03"), .words = "start counts were ignored",
     .mma = {.mask = [](Mask& mask, int) { mask.start_count = {}; }}},
    {.rule = rule("ZCM-R05"), .words = "bit 39 were taken for set",
     .mma = {.mask = [](Mask& mask, int) { mask.generate = true; }}},
    {.rule = rule("ZCM-R06"), .words = "no mask were generated",
     .mma = {.mask = [](Mask& mask, int) { mask.generate = false; }}},
    {.rule = rule("ZCM-R06"), .words = "a skip span were one column longer", .mma = {.mask = skip_span<1>}},
    {.rule = rule("ZCM-R06"), .words = "a skip span were one column shorter",
     .mma = {.mask = [](Mask& mask, int) { mask.skip_span -= mask.skip_span > 1; }}},
    {.rule = rule("ZCM-R06"), .words = "a use span were one column longer", .mma = {.mask = use_span<1>}},
    {.rule = rule("ZCM-R06"), .words = "a use span were one column shorter",
     .mma = {.mask = [](Mask& mask, int) { mask.use_span -= mask.use_span > 1; }}},
    {.rule = rule("ZCM-R06"), .words = "skip and use spans were swapped",
     .mma = {.mask = [](Mask& mask, int) { std::swap(mask.skip_span, mask.use_span); }}},
    {.rule = rule("ZCM-R06"), .words = "the first span were always used",
     .mma = {.mask = [](Mask& mask, int) { mask.first_is_zeroed = {}; }}},
    {.rule = rule("ZCM-R06"), .words = "the first span were always zeroed",
     .mma = {.mask = [](Mask& mask, int) { mask.first_is_zeroed.fill(true); }}},
    {.rule = rule("ZCM-R06"), .words = "the first span were zeroed where it is to be used",
     .mma = {.mask = [](Mask& mask, int) { for (bool& first : mask.first_is_zeroed) first = !first; }}},
    {.rule = rule("ZCM-R07"), .words = "the last sub-mask were the first one again",
     .mma = {.mask = last_part_as_first}},
    {.rule = rule("ZCM-R07"), .words = "the fourth sub-mask were the first one again",
     .mma = {.mask = fourth_part_as_first}},
    {.rule = rule("ZCM-R07"), .words = "sub-masks came in reverse order", .mma = {.mask = parts_reversed}},
    {.rule = rule("ZCM-R08"), .words = "columns of B were not shifted",
     .mma = {.mask = [](Mask& mask, int) { mask.column_shift = 0; }}},
    {.rule = rule("ZCM-R08"), .words = "columns of a B that is used again were not shifted",
     .mma = {.reused_shift = [](uint32_t, uint32_t) { return 0u; }}},
    {.rule = rule("ZCM-R08"),
     .words = "columns of a B that is used again were shifted by the most that is allowed",
     .mma = {.reused_shift = [](uint32_t shift, uint32_t most) { return shift == 0 ? 0u : most; }}},
    {.rule = rule("ZCM-R08"), .words = "columns of B were shifted by one more", .mma = {.mask = shift<1>}},
    {.rule = rule("ZCM-R08"), .words = "columns of B were shifted by one less", .mma = {.mask = shift<-1>}},
};
// clang-format on

}  // namespace

std::span<const Bend> mask_bends() {
  return mask_rows;
}

}  // namespace assay::model
