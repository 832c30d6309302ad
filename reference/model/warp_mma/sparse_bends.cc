// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/scales_and_metadata.h"
#include "reference/model/mma/bends.h"
#include "reference/spec/rules.h"

/// Bends of the metadata of mma.sp and wgmma.sp: whose register has a code, and which of its eight it is.
namespace assay::model {
namespace {

using layout::MetadataRegister;
using spec::rule;
using WantedMetadata = RegisterMetadataWanted;

bool is_wide(const WantedMetadata& w) {
  return w.bits >= 16;
}
bool is_narrow(const WantedMetadata& w) {
  return w.bits < 16;
}
/// Where the code of another row, number or selector lies.
MetadataRegister place_of(const WantedMetadata& w, int row, int group, int selector) {
  return layout::metadata_register(w.bits, w.groups, selector, row, group);
}

template <bool (*which)(const WantedMetadata&), int selector>
MetadataRegister selector_as(const WantedMetadata& w, MetadataRegister right) {
  return which(w) ? place_of(w, w.row, w.group, selector) : right;
}
template <bool (*which)(const WantedMetadata&)>
MetadataRegister selector_inverted(const WantedMetadata& w, MetadataRegister right) {
  // Sixteen codes a row, which all lanes have, leave nothing to select.
  return which(w) && w.groups < 16 ? place_of(w, w.row, w.group, w.selector ^ 1) : right;
}
MetadataRegister low_bit_of_selector(const WantedMetadata& w, MetadataRegister right) {
  return is_wide(w) && w.groups == 4 ? place_of(w, w.row, w.group, w.selector & 1) : right;
}
template <bool (*which)(const WantedMetadata&), int flip>
MetadataRegister other_row(const WantedMetadata& w, MetadataRegister right) {
  return which(w) ? place_of(w, w.row ^ flip, w.group, w.selector) : right;
}
template <bool (*which)(const WantedMetadata&)>
MetadataRegister upper_row(const WantedMetadata& w, MetadataRegister right) {
  return which(w) ? place_of(w, w.row & 7, w.group, w.selector) : right;
}
template <bool (*which)(const WantedMetadata&), int flip>
MetadataRegister other_code(const WantedMetadata& w, MetadataRegister right) {
  return which(w) && flip < w.groups ? place_of(w, w.row, w.group ^ flip, w.selector) : right;
}
/// Of the last two codes of a row of sixteen.
MetadataRegister other_of_last_two(const WantedMetadata& w, MetadataRegister right) {
  return w.group >= 14 ? place_of(w, w.row, w.group ^ 1, w.selector) : right;
}
template <bool (*which)(const WantedMetadata&)>
MetadataRegister last_of_last_row(const WantedMetadata& w, MetadataRegister right) {
  const bool is_last = w.row == 15 && w.group == w.groups - 1;
  return which(w) && is_last ? place_of(w, w.row, w.group - 1, w.selector) : right;
}
template <bool (*which)(const WantedMetadata&)>
MetadataRegister first_half(const WantedMetadata& w, MetadataRegister right) {
  return which(w) ? place_of(w, w.row, w.group % (w.groups / 2), w.selector) : right;
}
template <bool (*which)(const WantedMetadata&)>
MetadataRegister first_lane(const WantedMetadata& w, MetadataRegister right) {
  return which(w) ? MetadataRegister{w.row % 8 * 4, right.nibble} : right;
}
/// The codes of both rows in turn.
MetadataRegister rows_interleaved(const WantedMetadata& w, MetadataRegister right) {
  return is_wide(w) ? MetadataRegister{right.lane, w.group % 4 * 2 + w.row / 8} : right;
}
/// As if the lanes of a row were those of narrower elements: both have all of one row.
MetadataRegister row_a_lane(const WantedMetadata& w, MetadataRegister right) {
  if (!is_wide(w) || w.groups != 8) return right;
  return layout::metadata_register(8, 8, w.selector, w.row, w.group);
}
MetadataRegister rows_a_lane(const WantedMetadata& w, MetadataRegister right) {
  if (!is_narrow(w) || w.groups != 8) return right;
  return layout::metadata_register(16, 8, w.selector, w.row, w.group);
}
MetadataRegister lanes_exchanged(const WantedMetadata& w, MetadataRegister right) {
  return is_narrow(w) && w.groups == 16
             ? MetadataRegister{(right.lane & ~3) | (right.lane & 1) << 1 | (right.lane >> 1 & 1),
                                right.nibble}
             : right;
}

// clang-format off
constexpr Bend register_rows[] = {
    {.rule = rule("SPARSE-R12"), .words = "the selector were ignored",
     .mma = {.register_metadata = selector_as<is_wide, 0>}},
    {.rule = rule("SPARSE-R12"), .words = "the low bit of the selector were inverted",
     .mma = {.register_metadata = selector_inverted<is_wide>}},
    {.rule = rule("SPARSE-R12"), .words = "the high bit of the selector were ignored",
     .mma = {.register_metadata = low_bit_of_selector}},
    {.rule = rule("SPARSE-R12"), .words = "rows r and r + 8 had swapped codes",
     .mma = {.register_metadata = other_row<is_wide, 8>}},
    {.rule = rule("SPARSE-R12"), .words = "rows r and r + 8 had the codes of row r",
     .mma = {.register_metadata = upper_row<is_wide>}},
    {.rule = rule("SPARSE-R12"), .words = "neighbouring rows had swapped codes",
     .mma = {.register_metadata = other_row<is_wide, 1>}},
    {.rule = rule("SPARSE-R12"), .words = "neighbouring codes were swapped",
     .mma = {.register_metadata = other_code<is_wide, 1>}},
    {.rule = rule("SPARSE-R12"), .words = "the last code of a warp were the one before it",
     .mma = {.register_metadata = last_of_last_row<is_wide>}},
    {.rule = rule("SPARSE-R12"), .words = "the second lane had the first four codes",
     .mma = {.register_metadata = other_code<is_wide, 4>}},
    {.rule = rule("SPARSE-R12"), .words = "the codes of the second half of K were those of the first",
     .mma = {.register_metadata = first_half<is_wide>}},
    {.rule = rule("SPARSE-R12"), .words = "the codes of a lane were those of its two rows in turn",
     .mma = {.register_metadata = rows_interleaved}},
    {.rule = rule("SPARSE-R12"), .words = "a lane had the eight codes of one row",
     .mma = {.register_metadata = row_a_lane}},
    {.rule = rule("SPARSE-R13"), .words = "the selector were ignored",
     .mma = {.register_metadata = selector_as<is_narrow, 0>}},
    {.rule = rule("SPARSE-R13"), .words = "the selector were inverted",
     .mma = {.register_metadata = selector_inverted<is_narrow>}},
    {.rule = rule("SPARSE-R13"), .words = "rows r and r + 8 had swapped codes",
     .mma = {.register_metadata = other_row<is_narrow, 8>}},
    {.rule = rule("SPARSE-R13"), .words = "rows r and r + 8 had the codes of row r",
     .mma = {.register_metadata = upper_row<is_narrow>}},
    {.rule = rule("SPARSE-R13"), .words = "neighbouring rows had swapped codes",
     .mma = {.register_metadata = other_row<is_narrow, 1>}},
    {.rule = rule("SPARSE-R13"), .words = "neighbouring codes were swapped",
     .mma = {.register_metadata = other_code<is_narrow, 1>}},
    {.rule = rule("SPARSE-R13"), .words = "the last two of sixteen codes were swapped",
     .mma = {.register_metadata = other_of_last_two}},
    {.rule = rule("SPARSE-R13"), .words = "the last code of a warp were the one before it",
     .mma = {.register_metadata = last_of_last_row<is_narrow>}},
    {.rule = rule("SPARSE-R13"), .words = "lanes 2 and 3 had the first eight codes",
     .mma = {.register_metadata = other_code<is_narrow, 8>}},
    {.rule = rule("SPARSE-R13"), .words = "the codes of the second half of K were those of the first",
     .mma = {.register_metadata = first_half<is_narrow>}},
    {.rule = rule("SPARSE-R13"), .words = "the first lane of four had the codes of all",
     .mma = {.register_metadata = first_lane<is_narrow>}},
    {.rule = rule("SPARSE-R13"), .words = "lanes 1 and 2 had swapped codes",
     .mma = {.register_metadata = lanes_exchanged}},
    {.rule = rule("SPARSE-R13"), .words = "a lane had four codes of each of two rows",
     .mma = {.register_metadata = rows_a_lane}},
};
// clang-format on

}  // namespace

std::span<const Bend> sparse_register_bends() {
  return register_rows;
}

}  // namespace assay::model
