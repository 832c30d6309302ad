// SPDX-License-Identifier: Apache-2.0
#include "reference/model/as_if.h"
#include "reference/model/mma/bends.h"
#include "reference/model/mma/mma.h"

/// Bends of sparsity: where metadata lie, what a code names, and what a scale then counts for.
namespace assay::model {
namespace {

using layout::SparsityKind;
using layout::SparsityRow;
using layout::TmemPlace;
using spec::MmaKind;
using SparseWanted = MetadataWanted;

bool is_interleaved(const SparseWanted& w) {
  return has_interleaved_metadata(w.c);
}
bool is_any(const SparseWanted&) {
  return true;
}
bool is_bf16(const SparseWanted& w) {
  return w.c.kind == MmaKind::f16 && w.c.a_type == spec::type_code::bf16;
}
bool is_f16_kind(const SparseWanted& w) {
  return w.c.kind == MmaKind::f16;
}
bool has_both_columns(const SparseWanted& w) {
  return !is_interleaved(w);
}
template <MmaKind kind>
bool is_kind(const SparseWanted& w) {
  return w.c.kind == kind;
}
bool is_of_pair(const SparseWanted& w) {
  return w.c.cta_group == 2;
}

/// Where the code of another row, number, selector or group of lanes lies.
TmemPlace place_of(const SparseWanted& w, int row, int i, int selector, int fold) {
  return layout::metadata_place(w.layout, is_interleaved(w), selector, row, 4 * i, fold,
                                static_cast<int>(w.c.lane));
}

template <bool (*which)(const SparseWanted&)>
TmemPlace codes_exchanged(const SparseWanted& w, TmemPlace right) {
  return which(w) ? place_of(w, w.row, w.i ^ 1, w.selector, w.fold) : right;
}
template <int flip>
TmemPlace other_column(const SparseWanted& w, TmemPlace right) {
  if (!is_interleaved(w)) right.column ^= flip;
  return right;
}
TmemPlace first_column(const SparseWanted& w, TmemPlace right) {
  if (!is_interleaved(w)) right.column = 0;
  return right;
}
template <bool (*which)(const SparseWanted&), int flip>
TmemPlace other_row(const SparseWanted& w, TmemPlace right) {
  return which(w) ? place_of(w, w.row ^ flip, w.i, w.selector, w.fold) : right;
}
TmemPlace last_as_before(const SparseWanted& w, TmemPlace right) {
  const int rows = static_cast<int>(w.c.m / w.c.cta_group);
  return w.row == rows - 1 ? place_of(w, w.row - 1, w.i, w.selector, w.fold) : right;
}
template <int at>
TmemPlace columns_wrap(const SparseWanted& w, TmemPlace right) {
  if (static_cast<int>(w.c.metadata.column) >= at) right.column -= at;
  return right;
}
template <int selector, bool (*which)(const SparseWanted&)>
TmemPlace selector_as(const SparseWanted& w, TmemPlace right) {
  return which(w) && is_interleaved(w) ? place_of(w, w.row, w.i, selector, w.fold) : right;
}
TmemPlace selector_inverted(const SparseWanted& w, TmemPlace right) {
  return is_interleaved(w) ? place_of(w, w.row, w.i, w.selector ^ 1, w.fold) : right;
}
template <bool (*which)(const SparseWanted&)>
TmemPlace in_own_lane(const SparseWanted& w, TmemPlace right) {
  if (!which(w)) return right;
  right = layout::metadata_place(w.layout, false, 0, w.row, 4 * w.i, w.fold, static_cast<int>(w.c.lane));
  right.column = w.selector;
  return right;
}
template <bool (*which)(const SparseWanted&)>
TmemPlace low_half(const SparseWanted& w, TmemPlace right) {
  if (which(w)) right.bit %= 16;
  return right;
}
template <bool (*which)(const SparseWanted&)>
TmemPlace first_four(const SparseWanted& w, TmemPlace right) {
  return which(w) ? place_of(w, w.row, w.i % 4, w.selector, w.fold) : right;
}
TmemPlace halves_exchanged(const SparseWanted& w, TmemPlace right) {
  return is_interleaved(w) ? place_of(w, w.row, w.i ^ 4, w.selector, w.fold) : right;
}
template <bool (*which)(const SparseWanted&), int keep, int flip>
TmemPlace other_lanes(const SparseWanted& w, TmemPlace right) {
  if (w.layout.half_of_lanes && which(w)) right.lane = (right.lane & ~16) | ((right.lane & keep) ^ flip);
  return right;
}
template <int fold, int as>
TmemPlace group_as(const SparseWanted& w, TmemPlace right) {
  return w.fold == fold && as < w.layout.folds ? place_of(w, w.row, w.i, w.selector, as) : right;
}
TmemPlace groups_exchanged(const SparseWanted& w, TmemPlace right) {
  return w.layout.folds > 1 ? place_of(w, w.row, w.i, w.selector, w.fold ^ 1) : right;
}

template <SparsityKind kind>
uint8_t places_exchanged(const SparsityRow& row, uint8_t code) {
  return row.kind == kind ? static_cast<uint8_t>((code << 2 | code >> 2) & 0xf) : code;
}
template <SparsityKind kind>
int exchanged(const SparsityRow& row, uint8_t code, int i) {
  return layout::met_element(row, places_exchanged<kind>(row, code), i);
}
template <SparsityKind kind, int place, int as>
int place_as(const SparsityRow& row, uint8_t code, int i) {
  const int right = layout::met_element(row, code, i);
  return row.kind == kind && right == place ? as : right;
}
template <SparsityKind kind, int code, int as>
uint8_t code_as(const SparsityRow& row, uint8_t was) {
  return row.kind == kind && was == code ? as : was;
}
/// Both kept elements meet what one half of the code names.
template <SparsityKind kind, int which>
int of_half(const SparsityRow& row, uint8_t code, int i) {
  return layout::met_element(row, code, row.kind == kind ? which : i);
}
int pairs_as_elements(const SparsityRow& row, uint8_t code, int i) {
  if (row.kind != SparsityKind::four_of_eight_pairs) return layout::met_element(row, code, i);
  return (code >> i % 2 * 2 & 3) + i / 2 * 4;
}
int pair_swapped(const SparsityRow& row, uint8_t code, int i) {
  return layout::met_element(row, code, i) ^ (row.kind == SparsityKind::four_of_eight_pairs ? 1 : 0);
}
/// As if the code were none: the first elements of a chunk.
int first_of_chunk(const SparsityRow&, uint8_t, int i) {
  return i;
}

/// The scale of the block before, in sparse products.
template <bool of_a, bool of_b>
layout::ScalePlace scale_of_two(const ScaleWanted& w, layout::ScalePlace right) {
  if (!w.c.sparse || !(w.is_a ? of_a : of_b)) return right;
  const int position = w.id + w.s / 2, n = static_cast<int>(w.c.n);
  return w.is_a ? layout::a_scale_places(w.layout, w.line, position).front()
                : layout::b_scale_places(w.layout, w.line, n, position).front();
}

constexpr SparsityKind of_4 = SparsityKind::two_of_four, of_2 = SparsityKind::one_of_two,
                       of_8 = SparsityKind::four_of_eight_pairs;

constexpr Bend code_rows[] = {
    as_if("SPARSE-R01", "the metadata were ignored", &MmaBend::met, first_of_chunk),
    as_if("SPARSE-R02", "bits 3:2 of a code were the place of the first kept element", &MmaBend::met,
          exchanged<of_4>),
    as_if("SPARSE-R02", "bits 3:2 of a code were the place of both kept elements", &MmaBend::met,
          of_half<of_4, 1>),
    as_if("SPARSE-R02", "bits 1:0 of a code were the place of both kept elements", &MmaBend::met,
          of_half<of_4, 0>),
    as_if("SPARSE-R02", "the last place were the one before it", &MmaBend::met, place_as<of_4, 3, 2>),
    as_if("SPARSE-R02", "the third place were the first", &MmaBend::met, place_as<of_4, 2, 0>),
    as_if("SPARSE-R02", "the second place were the first", &MmaBend::met, place_as<of_4, 1, 0>),
    as_if("SPARSE-R02", "code 1001 were 1000", &MmaBend::metadata_code, code_as<of_4, 0b1001, 0b1000>),
    as_if("SPARSE-R02", "code 1101 were 1100", &MmaBend::metadata_code, code_as<of_4, 0b1101, 0b1100>),
    as_if("SPARSE-R02", "code 1101 were 1001", &MmaBend::metadata_code, code_as<of_4, 0b1101, 0b1001>),
    as_if("SPARSE-R02", "code 1110 were 1101", &MmaBend::metadata_code, code_as<of_4, 0b1110, 0b1101>),
    as_if("SPARSE-R02", "code 1000 were 0100", &MmaBend::metadata_code, code_as<of_4, 0b1000, 0b0100>),
    as_if("SPARSE-R02", "code 1100 were 1000", &MmaBend::metadata_code, code_as<of_4, 0b1100, 0b1000>),
    as_if("SPARSE-R03", "every kept element of tf32 met the first of two", &MmaBend::metadata_code,
          code_as<of_2, 0b1110, 0b0100>),
    as_if("SPARSE-R03", "every kept element of tf32 met the second of two", &MmaBend::metadata_code,
          code_as<of_2, 0b0100, 0b1110>),
    as_if("SPARSE-R03", "code 0100 named the second element of tf32 and 1110 the first", &MmaBend::met,
          [](const SparsityRow& row, uint8_t code, int i) {
            return layout::met_element(row, code, i) ^ (row.kind == of_2 ? 1 : 0);
          }),
    as_if("SPARSE-R04", "places were those of elements and not of pairs", &MmaBend::met, pairs_as_elements),
    as_if("SPARSE-R04", "the elements of a pair came in reverse order", &MmaBend::met, pair_swapped),
    as_if("SPARSE-R04", "bits 3:2 of a code were the place of the first pair", &MmaBend::met,
          exchanged<of_8>),
};
constexpr Bend place_rows[] = {
    as_if("SPARSE-R05", "the metadata of a row lay in its own lane, in kinds f16 and tf32 too",
          &MmaBend::metadata, in_own_lane<is_interleaved>),
    as_if("SPARSE-R05", "the metadata of a row lay in its own lane, in kind::f16 too", &MmaBend::metadata,
          in_own_lane<is_f16_kind>),
    as_if("SPARSE-R05", "rows r and r + 8 had the codes of row r", &MmaBend::metadata,
          low_half<is_interleaved>),
    as_if("SPARSE-R05", "rows r and r + 8 had swapped codes", &MmaBend::metadata,
          other_row<is_interleaved, 8>),
    as_if("SPARSE-R05", "rows r and r + 8 had swapped codes in bf16", &MmaBend::metadata,
          other_row<is_bf16, 8>),
    as_if("SPARSE-R05", "the last four codes were the first four", &MmaBend::metadata,
          first_four<is_interleaved>),
    as_if("SPARSE-R05", "lane r had the last four codes and lane r + 8 the first", &MmaBend::metadata,
          halves_exchanged),
    as_if("SPARSE-R06", "neighbouring codes were swapped", &MmaBend::metadata, codes_exchanged<is_any>),
    as_if("SPARSE-R06", "neighbouring codes were swapped in kind::mxf4nvf4", &MmaBend::metadata,
          codes_exchanged<is_kind<MmaKind::mxf4nvf4>>),
    as_if("SPARSE-R06", "neighbouring codes were swapped but in kinds f16 and tf32", &MmaBend::metadata,
          codes_exchanged<has_both_columns>),
    as_if("SPARSE-R06", "the two columns were swapped", &MmaBend::metadata, other_column<1>),
    as_if("SPARSE-R06", "both columns were the first", &MmaBend::metadata, first_column),
    as_if("SPARSE-R06", "neighbouring rows had swapped codes", &MmaBend::metadata, other_row<is_any, 1>),
    as_if("SPARSE-R06", "the last row had the codes of the one before", &MmaBend::metadata, last_as_before),
    as_if("SPARSE-R06", "row 77 had the codes of row 76", &MmaBend::metadata,
          [](const SparseWanted& w, TmemPlace right) {
            return w.row == 77 ? place_of(w, 76, w.i, w.selector, w.fold) : right;
          }),
    as_if("SPARSE-R06", "the highest bit of the column of the metadata were dropped", &MmaBend::metadata,
          columns_wrap<256>),
    as_if("SPARSE-R07", "the selector were ignored", &MmaBend::metadata, selector_as<0, is_any>),
    as_if("SPARSE-R07", "the selector were always 1", &MmaBend::metadata, selector_as<1, is_any>),
    as_if("SPARSE-R07", "the selector were ignored in kind::tf32", &MmaBend::metadata,
          selector_as<0, is_kind<MmaKind::tf32>>),
    as_if("SPARSE-R07", "the selector were ignored in kind::f16", &MmaBend::metadata,
          selector_as<0, is_f16_kind>),
    as_if("SPARSE-R07", "selectors 0 and 1 were swapped", &MmaBend::metadata, selector_inverted),
    as_if("SPARSE-R08", "the metadata lay in the other half of the lanes", &MmaBend::metadata,
          other_lanes<is_any, 16, 16>),
    as_if("SPARSE-R08", "the metadata lay in the lower half of the lanes", &MmaBend::metadata,
          other_lanes<is_any, 0, 0>),
    as_if("SPARSE-R08", "the metadata lay in the lower half of the lanes, of a pair", &MmaBend::metadata,
          other_lanes<is_of_pair, 0, 0>),
    as_if("SPARSE-R09", "the last group of lanes of four had the metadata of the one before",
          &MmaBend::metadata, group_as<3, 2>),
    as_if("SPARSE-R09", "the second group of lanes had the metadata of the first", &MmaBend::metadata,
          group_as<1, 0>),
    as_if("SPARSE-R09", "neighbouring groups of lanes had swapped metadata", &MmaBend::metadata,
          groups_exchanged),
    as_if("SPARSE-R11", "a scale of A counted for two blocks", &MmaBend::scale, scale_of_two<true, false>),
    as_if("SPARSE-R11", "a scale of B counted for two blocks", &MmaBend::scale, scale_of_two<false, true>),
    as_if("SPARSE-R11", "a scale counted for two blocks", &MmaBend::scale, scale_of_two<true, true>),
};

}  // namespace

std::span<const Bend> sparse_code_bends() {
  return code_rows;
}
std::span<const Bend> sparse_place_bends() {
  return place_rows;
}

}  // namespace assay::model
