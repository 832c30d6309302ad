// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "reference/model/mma/bends.h"
#include "reference/spec/rules.h"

/// Bends of zero-column masks.
namespace assay::model {
namespace {

using spec::rule;
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
    {.rule = rule("ZCM-R03"), .words = "start counts were not looked at",
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
    {.rule = rule("ZCM-R06"), .words = "skip and use spans had changed places",
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
    {.rule = rule("ZCM-R07"), .words = "sub-masks came in the other order", .mma = {.mask = parts_reversed}},
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
