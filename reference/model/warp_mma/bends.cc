// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/bends.h"
#include "reference/layout/fragments.h"
#include "reference/model/as_if.h"
#include "reference/spec/rules.h"

/// Where mma.sync has its block scales, and bends of that: which lane, which byte, of which block.
namespace assay::model {
namespace {

using spec::rule;
using WantedScale = RegisterScaleWanted;
using Place = RegisterScale;

bool is_a(const WantedScale& w) {
  return w.is_a;
}
bool is_b(const WantedScale& w) {
  return !w.is_a;
}

/// The place of another scale than the one that is wanted.
template <bool (*whose)(const WantedScale&), void (*change)(WantedScale&)>
Place of_another(const WantedScale& wanted, Place right) {
  if (!whose(wanted)) return right;
  WantedScale other = wanted;
  change(other);
  return register_scale(other);
}
template <uint32_t kept>
void thread_bits(WantedScale& w) {
  w.thread_id &= kept;
}
template <uint32_t flip>
void other_thread(WantedScale& w) {
  w.thread_id ^= flip;
}
template <uint32_t flip>
void other_line(WantedScale& w) {
  w.line ^= flip;
}
void no_byte(WantedScale& w) {
  w.byte_id = 0;
}
template <bool (*whose)(const WantedScale&), uint32_t step>
Place other_byte(const WantedScale& wanted, Place right) {
  return whose(wanted) ? Place{right.thread, (right.byte + step) % 4} : right;
}
void in_reverse(WantedScale& w) {
  w.number = w.count - 1 - w.number;
}
void all_first(WantedScale& w) {
  w.number = 0;
}
void last_as_first(WantedScale& w) {
  if (w.number + 1 == w.count) w.number = 0;
}
template <bool (*whose)(const WantedScale&)>
Place of_dense_blocks(const WantedScale& wanted, Place right) {
  if (!wanted.is_sparse || !whose(wanted)) return right;
  return {right.thread, (wanted.byte_id + 2 * wanted.number) % 4};
}
template <bool (*whose)(const WantedScale&), bool of_sparse, void (*change)(WantedScale&)>
Place of_block(const WantedScale& wanted, Place right) {
  return wanted.is_sparse == of_sparse ? of_another<whose, change>(wanted, right) : right;
}

constexpr Bend scale_row(spec::RuleIndex rule, std::string_view words,
                         Place (*place)(const WantedScale&, Place)) {
  return {.rule = rule, .words = words, .mma = {.register_scale = place}};
}

constexpr Bend register_scale_rows[] = {
    scale_row(rule("KIND-R03"), "thread-id-a were ignored", of_another<is_a, thread_bits<0>>),
    scale_row(rule("KIND-R03"), "the pairs of lanes of A were swapped", of_another<is_a, other_thread<1>>),
    scale_row(rule("KIND-R03"), "rows g and g + 8 were swapped", of_another<is_a, other_line<8>>),
    scale_row(rule("KIND-R03"), "rows of A had the scales of their neighbours",
              of_another<is_a, other_line<1>>),
    scale_row(rule("KIND-R04"), "thread-id-b were ignored", of_another<is_b, thread_bits<0>>),
    scale_row(rule("KIND-R04"), "the low bit of thread-id-b were ignored", of_another<is_b, thread_bits<2>>),
    scale_row(rule("KIND-R04"), "the high bit of thread-id-b were ignored", of_another<is_b, thread_bits<1>>),
    scale_row(rule("KIND-R04"), "columns of B had the scales of their neighbours",
              of_another<is_b, other_line<1>>),
    scale_row(rule("KIND-R05"), "byte-id-a were ignored", of_another<is_a, no_byte>),
    scale_row(rule("KIND-R05"), "byte-id-b were ignored", of_another<is_b, no_byte>),
    scale_row(rule("KIND-R06"), "scales of A were those one byte on", other_byte<is_a, 1>),
    scale_row(rule("KIND-R06"), "scales of A were those one byte before", other_byte<is_a, 3>),
    scale_row(rule("KIND-R06"), "scales of B were those one byte on", other_byte<is_b, 1>),
    scale_row(rule("KIND-R06"), "scales of B were those one byte before", other_byte<is_b, 3>),
    scale_row(rule("KIND-R06"), "scales of A were in reverse order", of_block<is_a, false, in_reverse>),
    scale_row(rule("KIND-R06"), "scales of B were in reverse order", of_block<is_b, false, in_reverse>),
    scale_row(rule("KIND-R06"), "the first scale of A were that of all blocks",
              of_block<is_a, false, all_first>),
    scale_row(rule("KIND-R06"), "the first scale of B were that of all blocks",
              of_block<is_b, false, all_first>),
    scale_row(rule("KIND-R06"), "the last block had the first scale",
              [](const WantedScale& wanted, Place right) {
                return wanted.is_sparse ? right
                                        : of_another<is_a, last_as_first>(
                                              wanted, of_another<is_b, last_as_first>(wanted, right));
              }),
    scale_row(rule("KIND-R07"), "a scale of A counted for as many elements as in a dense row",
              of_dense_blocks<is_a>),
    scale_row(rule("KIND-R07"), "a scale of B counted for as many elements as in a dense row",
              of_dense_blocks<is_b>),
    scale_row(rule("KIND-R07"), "scales of a sparse A were in reverse order",
              of_block<is_a, true, in_reverse>),
    scale_row(rule("KIND-R07"), "scales of B were in reverse order", of_block<is_b, true, in_reverse>),
    as_if("KIND-R08", "pairs were kept of elements of 4 bits in bytes", &MmaBend::keeps_pairs_of_bytes, true),
    as_if("KIND-R09", "the kept products were summed in four parts, each rounded", &MmaBend::arithmetic,
          [](const numerics::Types& t, numerics::Arithmetic& a) { a.fused_terms = t.k / 4; }),
};

}  // namespace

RegisterScale register_scale(const RegisterScaleWanted& w) {
  return {w.is_a ? layout::scale_thread_of_row(w.line, w.thread_id)
                 : layout::scale_lane_of_column(w.line, w.thread_id),
          w.byte_id + w.number};
}

std::span<const Bend> register_scale_bends() {
  return register_scale_rows;
}

// Bends of the metadata of mma.sp and wgmma.sp: whose register has a code, and which of its eight it is.

namespace {

using layout::MetadataRegister;
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

constexpr Bend register_rows[] = {
    as_if("SPARSE-R12", "the selector were ignored", &MmaBend::register_metadata, selector_as<is_wide, 0>),
    as_if("SPARSE-R12", "the low bit of the selector were inverted", &MmaBend::register_metadata,
          selector_inverted<is_wide>),
    as_if("SPARSE-R12", "the high bit of the selector were ignored", &MmaBend::register_metadata,
          low_bit_of_selector),
    as_if("SPARSE-R12", "rows r and r + 8 had swapped codes", &MmaBend::register_metadata,
          other_row<is_wide, 8>),
    as_if("SPARSE-R12", "rows r and r + 8 had the codes of row r", &MmaBend::register_metadata,
          upper_row<is_wide>),
    as_if("SPARSE-R12", "neighbouring rows had swapped codes", &MmaBend::register_metadata,
          other_row<is_wide, 1>),
    as_if("SPARSE-R12", "neighbouring codes were swapped", &MmaBend::register_metadata,
          other_code<is_wide, 1>),
    as_if("SPARSE-R12", "the last code of a warp were the one before it", &MmaBend::register_metadata,
          last_of_last_row<is_wide>),
    as_if("SPARSE-R12", "the second lane had the first four codes", &MmaBend::register_metadata,
          other_code<is_wide, 4>),
    as_if("SPARSE-R12", "the codes of the second half of K were those of the first",
          &MmaBend::register_metadata, first_half<is_wide>),
    as_if("SPARSE-R12", "the codes of a lane were those of its two rows in turn", &MmaBend::register_metadata,
          rows_interleaved),
    as_if("SPARSE-R12", "a lane had the eight codes of one row", &MmaBend::register_metadata, row_a_lane),
    as_if("SPARSE-R13", "the selector were ignored", &MmaBend::register_metadata, selector_as<is_narrow, 0>),
    as_if("SPARSE-R13", "the selector were inverted", &MmaBend::register_metadata,
          selector_inverted<is_narrow>),
    as_if("SPARSE-R13", "rows r and r + 8 had swapped codes", &MmaBend::register_metadata,
          other_row<is_narrow, 8>),
    as_if("SPARSE-R13", "rows r and r + 8 had the codes of row r", &MmaBend::register_metadata,
          upper_row<is_narrow>),
    as_if("SPARSE-R13", "neighbouring rows had swapped codes", &MmaBend::register_metadata,
          other_row<is_narrow, 1>),
    as_if("SPARSE-R13", "neighbouring codes were swapped", &MmaBend::register_metadata,
          other_code<is_narrow, 1>),
    as_if("SPARSE-R13", "the last two of sixteen codes were swapped", &MmaBend::register_metadata,
          other_of_last_two),
    as_if("SPARSE-R13", "the last code of a warp were the one before it", &MmaBend::register_metadata,
          last_of_last_row<is_narrow>),
    as_if("SPARSE-R13", "lanes 2 and 3 had the first eight codes", &MmaBend::register_metadata,
          other_code<is_narrow, 8>),
    as_if("SPARSE-R13", "the codes of the second half of K were those of the first",
          &MmaBend::register_metadata, first_half<is_narrow>),
    as_if("SPARSE-R13", "the first lane of four had the codes of all", &MmaBend::register_metadata,
          first_lane<is_narrow>),
    as_if("SPARSE-R13", "lanes 1 and 2 had swapped codes", &MmaBend::register_metadata, lanes_exchanged),
    as_if("SPARSE-R13", "a lane had four codes of each of two rows", &MmaBend::register_metadata,
          rows_a_lane),
};

}  // namespace

std::span<const Bend> sparse_register_bends() {
  return register_rows;
}

}  // namespace assay::model
