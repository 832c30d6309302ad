// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "reference/model/as_if.h"
#include "reference/model/mma/bends.h"

/// Bends of operands in shared memory, and of the descriptors that lead to them.
namespace assay::model {
namespace {

using layout::SmemReadings;
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

constexpr Bend smem_rows[] = {
    as_if("SMEM-R11", "the lowest bit of the start were dropped", &MmaBend::matrix, start_without<0x10>),
    as_if("SMEM-R11", "the highest bit of the start were dropped", &MmaBend::matrix, start_without<0x20000>),
    as_if("SMEM-R11", "the leading offset kept 14 bits of bytes", &MmaBend::matrix, leading_within<0x3fff>),
    as_if("SMEM-R11", "the highest bit of the leading offset were dropped", &MmaBend::matrix,
          leading_within<0x1ffff>),
    as_if("SMEM-R11", "the leading offset kept 12 bits of bytes", &MmaBend::matrix, leading_within<0xfff>),
    as_if("SMEM-R11", "the stride offset kept 12 bits of bytes", &MmaBend::matrix, stride_within<0xfff>),
    as_if("SMEM-R11", "the stride offset kept 14 bits of bytes", &MmaBend::matrix, stride_within<0x3fff>),
    as_if("SMEM-R11", "the highest bit of the stride offset were dropped", &MmaBend::matrix,
          stride_within<0x1ffff>),
    as_if("SMEM-R12", "leading and stride offset were swapped", &MmaBend::matrix, exchange),
    as_if("SMEM-R12", "leading and stride offset were swapped, K-major without swizzle", &MmaBend::matrix,
          exchange_in<true, false>),
    as_if("SMEM-R13", "the leading offset led to the next 8 rows", &MmaBend::matrix, exchange_in<true, true>),
    as_if("SMEM-R14", "leading and stride offset were swapped, MN-major without swizzle", &MmaBend::matrix,
          exchange_in<false, false>),
    as_if("SMEM-R15", "leading and stride offset were swapped, MN-major with swizzle", &MmaBend::matrix,
          exchange_in<false, true>),
    as_if("SMEM-R15", "8 lines of 32-byte atoms made a step", &MmaBend::smem,
          [](SmemReadings& r) { r.lines_of_atom_32B = 8; }),
    as_if("SMEM-R14", "the order of B were ignored", &MmaBend::transposed,
          [](bool is_a, bool right) { return is_a && right; }),
    as_if("SMEM-R14", "the order of A were ignored", &MmaBend::transposed,
          [](bool is_a, bool right) { return !is_a && right; }),
    as_if("SMEM-R16", "64B swizzle were 32B swizzle", &MmaBend::matrix, swizzle_as<64, 32>),
    as_if("SMEM-R16", "128B swizzle were 64B swizzle", &MmaBend::matrix, swizzle_as<128, 64>),
    as_if("SMEM-R16", "32B swizzle were none", &MmaBend::matrix, swizzle_as<32, 16>),
    as_if("SMEM-R16", "the pattern began at the start address", &MmaBend::matrix, phase_from_start),
    as_if("SMEM-R17", "the base offset were ignored", &MmaBend::matrix,
          [](SmemMatrix& m, bool) { m.base_offset = 0; }),
    as_if("SMEM-R17", "the base offset were added", &MmaBend::smem,
          [](SmemReadings& r) { r.base_offset = SmemReadings::BaseOffset::added; }),
    as_if("SMEM-R17", "the base offset were exclusively or'ed", &MmaBend::smem,
          [](SmemReadings& r) { r.base_offset = SmemReadings::BaseOffset::exclusive_or; }),
    as_if("SMEM-R20", "bytes past the end of a row were read behind it", &MmaBend::matrix,
          [](SmemMatrix& m, bool) { m.leading_is_absolute = false; }),
    as_if("SMEM-R20", "the absolute address were counted from the start address", &MmaBend::matrix,
          [](SmemMatrix& m, bool) {
            if (m.leading_is_absolute) m.leading_offset += m.start;
          }),
    as_if("SMEM-R20", "an operand that its row is too short for began 16 bytes further on", &MmaBend::matrix,
          late_start),
    as_if("SMEM-R19", "the leading offset were ignored with 32B swizzle", &MmaBend::smem,
          [](SmemReadings& r) { r.leading_offset_in_wide_32B = false; }),
};

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

constexpr Bend mask_rows[] = {
    as_if("ZCM-R03", "start counts of 200 and more were one less where columns are shifted by 16 and more",
          &MmaBend::mask, large_counts_less_where_shifted),
    as_if("ZCM-R03", "one column more of the first span were consumed", &MmaBend::mask, start_counts<1>),
    as_if("ZCM-R03", "start counts were ignored", &MmaBend::mask,
          [](Mask& mask, int) { mask.start_count = {}; }),
    as_if("ZCM-R05", "bit 39 were taken for set", &MmaBend::mask,
          [](Mask& mask, int) { mask.generate = true; }),
    as_if("ZCM-R06", "no mask were generated", &MmaBend::mask,
          [](Mask& mask, int) { mask.generate = false; }),
    as_if("ZCM-R06", "a skip span were one column longer", &MmaBend::mask, skip_span<1>),
    as_if("ZCM-R06", "a skip span were one column shorter", &MmaBend::mask,
          [](Mask& mask, int) { mask.skip_span -= mask.skip_span > 1; }),
    as_if("ZCM-R06", "a use span were one column longer", &MmaBend::mask, use_span<1>),
    as_if("ZCM-R06", "a use span were one column shorter", &MmaBend::mask,
          [](Mask& mask, int) { mask.use_span -= mask.use_span > 1; }),
    as_if("ZCM-R06", "skip and use spans were swapped", &MmaBend::mask,
          [](Mask& mask, int) { std::swap(mask.skip_span, mask.use_span); }),
    as_if("ZCM-R06", "the first span were always used", &MmaBend::mask,
          [](Mask& mask, int) { mask.first_is_zeroed = {}; }),
    as_if("ZCM-R06", "the first span were always zeroed", &MmaBend::mask,
          [](Mask& mask, int) { mask.first_is_zeroed.fill(true); }),
    as_if("ZCM-R06", "the first span were zeroed where it is to be used", &MmaBend::mask,
          [](Mask& mask, int) {
            for (bool& first : mask.first_is_zeroed) first = !first;
          }),
    as_if("ZCM-R07", "the last sub-mask were the first one again", &MmaBend::mask, last_part_as_first),
    as_if("ZCM-R07", "the fourth sub-mask were the first one again", &MmaBend::mask, fourth_part_as_first),
    as_if("ZCM-R07", "sub-masks came in reverse order", &MmaBend::mask, parts_reversed),
    as_if("ZCM-R08", "columns of B were not shifted", &MmaBend::mask,
          [](Mask& mask, int) { mask.column_shift = 0; }),
    as_if("ZCM-R08", "columns of a B that is used again were not shifted", &MmaBend::reused_shift,
          [](uint32_t, uint32_t) { return 0u; }),
    as_if("ZCM-R08", "columns of a B that is used again were shifted by the most that is allowed",
          &MmaBend::reused_shift, [](uint32_t shift, uint32_t most) { return shift == 0 ? 0u : most; }),
    as_if("ZCM-R08", "columns of B were shifted by one more", &MmaBend::mask, shift<1>),
    as_if("ZCM-R08", "columns of B were shifted by one less", &MmaBend::mask, shift<-1>),
};

}  // namespace

std::span<const Bend> mask_bends() {
  return mask_rows;
}

}  // namespace assay::model
