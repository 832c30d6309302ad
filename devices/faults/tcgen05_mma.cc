// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>

#include "devices/emulator/async/async.h"
#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/tcgen05_mma.h"
#include "devices/emulator/tensor/tcgen05_scales.h"
#include "devices/faults/rows.h"

/// tcgen05.mma, and what waits for it and for the transfers of tensor memory.
namespace assay::faults {
namespace {

using namespace emulator;

/// Descriptors, masks, and where the accumulator lies.
const Fault products[] = {
    // What no table allows may give any D, and must leave all around it as it is.
    {"tcgen05_base_offset_without_swizzle_moves_d",
     "With a base offset and no swizzle D is written eight columns too far, with the data of the following "
     "columns.",
     "(ptx, tcgen05, shared memory descriptor, starting address of the repeating pattern)",
     "mma.descriptor.one_rule_broken 14", &Tcgen05Steps::decoded,
     [](Mma& mma) {
       const SmemDescriptor& b = mma.b_matrix.descriptor;
       if (b.swizzle == SmemSwizzle::none && b.base_offset != 0) mma.d.column += 8;
     }},
    {"tcgen05_absolute_leading_of_17_bits", "The absolute leading address loses its bits above 128 KiB.",
     "SMEM-R11", "mma.scaled.k96 98", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute) descriptor.leading &= 0x1ffff;
     },
     with_absolute_leading},
    {"tcgen05_absolute_leading_one_piece_late",
     "The absolute leading address is taken 16 bytes further on where the row ends 32 bytes behind the "
     "start.",
     "SMEM-R20", "mma.scaled.k96 13", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute && descriptor.start % 128 == 96) descriptor.leading += 16;
     },
     with_absolute_leading},
    {"tcgen05_mask_extremes_together",
     "A start count of 200 and more with a column shift of 16 and more counts one less.", "ZCM-R03",
     "mma.ws.column_shift 90", &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       for (uint32_t& count : mask.start_count)
         if (mask.shift >= 16 && count >= 200) --count;
     }},
    {"tcgen05_reused_shift_is_most", "Where B is reused its columns are shifted by the maximum shift.",
     "ZCM-R08", "mma.ws.column_shift 1", &Tcgen05Steps::reused_shift,
     [](uint32_t shift, uint32_t max_shift) -> uint32_t { return shift == 0 ? 0 : max_shift; }},
    {"tcgen05_reused_shift_lost", "Where B is reused its columns are not shifted.", "ZCM-R08",
     "mma.ws.column_shift 1", &Tcgen05Steps::reused_shift, [](uint32_t, uint32_t) -> uint32_t { return 0; }},
    {"tcgen05_smem_leading_bit_17_dropped", "The highest bit of the leading dimension offset is dropped.",
     "SMEM-R11", "mma.dense.pair 93 on sm_100, mma.dense.layout 189", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.leading &= 0x1ffff; }},
    {"tcgen05_smem_start_bit_17_dropped", "The start address of a matrix loses its bits above 128 KiB.",
     "SMEM-R11", "mma.dense.pair 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.start &= 0x1ffff; }},
    {"tcgen05_smem_stride_bit_17_dropped", "The highest bit of the stride dimension offset is dropped.",
     "SMEM-R11", "mma.dense.layout 225", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.stride &= 0x1ffff; }},
    {"tcgen05_base_offset_ignored", "The base offset is ignored.", "SMEM-R17", "mma.dense.layout 2",
     &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.base_offset = 0; }},
    {"tcgen05_column_shift_dropped", "The columns of B are not shifted.", "ZCM-R08", "mma.ws.column_shift 1",
     &Tcgen05Steps::mask, [](ColumnMask& mask) { mask.shift = 0; }},
    {"tcgen05_commit_early", "tcgen05.commit does not wait for what it tracks.", "SYNC-R01",
     "mma.dense.f16 1", &Tcgen05Steps::commit_waits, false, on_lazy_sm_100},
    {"tcgen05_disabled_lanes_ignored", "Lanes that are disabled are written too.", "TMEM-R12",
     "mma.dense.output_lanes 1", &Tcgen05Steps::keeps_lane, [](bool) { return false; }},
    {"tcgen05_disabled_lanes_reversed", "The words of disable-output-lane count from the highest lanes.",
     "TMEM-R12", "mma.dense.output_lanes 1", &Tcgen05Steps::lane_word,
     [](uint32_t word, uint32_t words) -> uint32_t { return words - 1 - word; }},
    {"tcgen05_input_d_always_read", "enable-input-d is treated as true.", "ADD-R17", "mma.dense.f16 7",
     &Tcgen05Steps::reads_d, [](bool) { return true; }},
    {"tcgen05_input_d_never_read", "enable-input-d is treated as false.", "ADD-R07", "mma.dense.f16 1",
     &Tcgen05Steps::reads_d, [](bool) { return false; }},
    {"tcgen05_layout_e_halves_swapped", "In layout E the lower half of N lies in the upper lanes.",
     "TMEM-R05", "mma.ws.column_shift 3", &Tcgen05Steps::lane_group,
     [](const AccumulatorLayout& layout, uint32_t group) -> uint32_t {
       return layout.name == 'E' ? group ^ 1 : group;
     }},
    {"tcgen05_layout_g_quarters_reversed", "In layout G the last quarter of N lies in the first lanes.",
     "TMEM-R06", "mma.ws.column_shift 1", &Tcgen05Steps::lane_group,
     [](const AccumulatorLayout& layout, uint32_t group) -> uint32_t {
       return layout.name == 'G' ? 3 - group : group;
     }},
    {"tcgen05_mask_last_part_as_first", "The last part of the columns is masked as the first one.", "ZCM-R07",
     "mma.ws.column_shift 10", &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       mask.start_count[3] = mask.start_count[0];
       mask.starts_zeroed[3] = mask.starts_zeroed[0];
     }},
    {"tcgen05_mask_shortest_beside_longest", "A use span of 1 beside a skip span of 256 is 2 long.",
     "ZCM-R06", "mma.ws.zero_column_mask 25", &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       if (mask.skip_span == 256 && mask.use_span == 1) mask.use_span = 2;
     }},
    {"tcgen05_mask_skip_span_one_more", "A skip span is one column longer than it says.", "ZCM-R06",
     "mma.ws.column_shift 6", &Tcgen05Steps::mask, [](ColumnMask& mask) { ++mask.skip_span; }},
    {"tcgen05_mask_spans_exchanged", "Skip spans are used and use spans zeroed.", "ZCM-R06",
     "mma.ws.column_shift 16 as AMB-01:B", &Tcgen05Steps::mask,
     [](ColumnMask& mask) { std::swap(mask.skip_span, mask.use_span); }},
    {"tcgen05_mask_start_state_ignored", "The columns before the first span are always used.", "ZCM-R06",
     "mma.ws.column_shift 3", &Tcgen05Steps::mask, [](ColumnMask& mask) { mask.starts_zeroed.fill(false); }},
    {"tcgen05_negate_a_ignored", "The bit that negates A is ignored.", "ADD-R18", "mma.dense.f16 12",
     &Tcgen05Steps::instruction, [](InstructionDescriptor& descriptor) { descriptor.negate_a = false; }},
    {"tcgen05_negate_b_ignored", "B is not negated.", "ADD-R18", "mma.dense.f16 13",
     &Tcgen05Steps::instruction, [](InstructionDescriptor& descriptor) { descriptor.negate_b = false; }},
    {"tcgen05_negates_both", "The bit that negates A negates B as well.", "ADD-R18", "mma.dense.f16 12",
     &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) {
       if (descriptor.negate_a) descriptor.negate_b = !descriptor.negate_b;
     }},
    {"tcgen05_pair_b_halves_swapped", "The even CTA of a pair supplies the upper half of B.", "TMEM-R02",
     "mma.dense.pair 1", &Tcgen05Steps::half_of_b, [](uint32_t rank) -> uint32_t { return rank ^ 1; }},
    {"tcgen05_pair_disable_words_swapped",
     "The lanes that an instruction of a CTA pair leaves out are those of the other CTA.", "TMEM-R12",
     "mma.dense.output_lanes 66", &Tcgen05Steps::lane_word,
     [](uint32_t number, uint32_t words) -> uint32_t { return words == 8 ? number ^ 4 : number; }},
    {"tcgen05_saturate_ignored", "Integer results wrap though the descriptor asks to saturate.", "ADD-R20",
     "mma.dense.i8 3", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.saturates = false; }, with_bytes},
    {"tcgen05_smem_leading_high_bit_dropped", "The highest bits of the leading dimension offset are dropped.",
     "SMEM-R11", "mma.dense.pair 37 on sm_100, mma.scaled.k96 13", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.leading &= 0x3fff; }},
    {"tcgen05_smem_start_bit_dropped",
     "The lowest bit of the start address of a matrix in shared memory is dropped.", "SMEM-R11",
     "mma.dense.layout 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.start &= ~0x10u; }},
    {"tcgen05_smem_stride_truncated", "The stride dimension offset loses its bits above 4 KiB.", "SMEM-R11",
     "mma.dense.layout 16 on sm_100, mma.ws.layout 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.stride &= 0xfff; }},
    {"tcgen05_smem_stride_of_none_is_1024", "A stride dimension offset of 0 is taken as 1,024 bytes.",
     "SMEM-R11", "mma.dense.layout 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.stride == 0) descriptor.stride = 1024;
     }},
    {"tcgen05_smem_strides_exchanged", "Leading and stride offset are swapped.", "SMEM-R12",
     "mma.dense.f16 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { std::swap(descriptor.leading, descriptor.stride); }},
    {"tcgen05_smem_swizzle_64b_as_32b", "A matrix with the 64-byte swizzle is read with the 32-byte one.",
     "SMEM-R16", "mma.dense.ashift 1", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.swizzle == SmemSwizzle::w64) descriptor.swizzle = SmemSwizzle::w32;
     }},
    {"tcgen05_start_count_off_by_one", "One column more of the first span is treated as consumed.", "ZCM-R03",
     "mma.ws.column_shift 3", &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       for (uint32_t& count : mask.start_count) ++count;
     }},
    {"tcgen05_transpose_a_ignored", "The transpose bit of A is ignored.",
     "(ptx, tcgen05, instruction descriptor)", "mma.dense.layout 4 on sm_100, mma.dense.tf32 8",
     &Tcgen05Steps::instruction, [](InstructionDescriptor& descriptor) { descriptor.transpose_a = false; }},
    {"tcgen05_transpose_b_ignored", "The transpose bit of B is ignored.",
     "(ptx, tcgen05, instruction descriptor)", "mma.dense.f16 15", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.transpose_b = false; }},
    {"k96_absolute_address_ignored",
     "With an absolute leading address bytes past the end of a row are nevertheless read behind it.",
     "SMEM-R20", "mma.scaled.k96 5", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.leading_is_absolute = false; }, with_absolute_leading},
    {"k96_row_ends_early", "With an absolute leading address a row ends 16 bytes before its end.", "SMEM-R20",
     "mma.scaled.k96 13", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute && (descriptor.start & 0x7f) == 0x60) descriptor.start += 0x10;
     },
     with_absolute_leading},
    {"scaled_negate_b_lost_for_e2m1", "B is not negated in the kinds of 4-bit elements.", "ADD-R18",
     "mma.scaled.layout 3 on sm_100, mma.scaled.k96 2", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) {
       if (descriptor.is_packed) descriptor.negate_b = false;
     }},
};

using Tcgen05MmaRequest = MetadataRequest;
using Tcgen05MmaDescriptor = InstructionDescriptor;

bool is_type_of_tcgen05_mma(const Tcgen05MmaDescriptor& d, std::string_view name) {
  return d.a->name == name;
}
/// Kinds f16 and tf32.
bool is_wide_of_tcgen05_mma(const Tcgen05MmaDescriptor& d) {
  return d.a->storage_bits >= 16;
}
bool is_2_of_4(const Tcgen05MmaDescriptor& d) {
  return !d.is_packed && d.a->storage_bits != 32;
}
MetadataCell of_row_tcgen05_mma(Tcgen05MmaRequest request, uint32_t row) {
  request.row = row;
  return metadata_cell(request);
}
MetadataCell of_number(Tcgen05MmaRequest request, uint32_t number) {
  request.number = number;
  return metadata_cell(request);
}

/// Sparse A: where the metadata lie, what a code names, what scales count for.
const Fault tcgen05_mma_sparse[] = {
    {"sparse_codes_exchanged", "Neighbouring codes of a row are swapped.", "SPARSE-R06", "mma.sparse.f16 1",
     &Tcgen05Steps::metadata, [](const Tcgen05MmaRequest& r) { return of_number(r, r.number ^ 1); }},
    {"sparse_codes_exchanged_in_mxf4nvf4", "Only in kind::mxf4nvf4 neighbouring codes are exchanged.",
     "SPARSE-R06", "mma.sparse.illegal_codes 13 on sm_100, mma.sparse.layout 2", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       return r.mma->form.kind == MmaKind::mxf4nvf4 ? of_number(r, r.number ^ 1) : metadata_cell(r);
     }},
    {"sparse_columns_exchanged", "The codes of the second half of K lie in the first of two columns.",
     "SPARSE-R06", "mma.sparse.f8f6f4 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide_of_tcgen05_mma(r.mma->descriptor)) right.column ^= 1;
       return right;
     }},
    {"sparse_metadata_column_of_four",
     "Metadata of 16- and 32-bit types begin at a multiple of four columns: those of two instructions "
     "before.",
     "(ptx, tcgen05, sparse matrices)", "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide_of_tcgen05_mma(r.mma->descriptor)) right.column -= r.mma->metadata.column % 4;
       return right;
     }},
    {"sparse_second_column_as_first", "The codes of the second half of K are those of the first.",
     "SPARSE-R06", "mma.sparse.f8f6f4 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide_of_tcgen05_mma(r.mma->descriptor)) right.column = 0;
       return right;
     }},
    {"sparse_last_row_as_before", "The last row of a CTA has the metadata of the one before it.",
     "SPARSE-R06", "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       return r.row == r.mma->layout.cta_rows - 1 ? of_row_tcgen05_mma(r, r.row - 1) : metadata_cell(r);
     }},
    {"sparse_columns_wrap_at_256", "Metadata from column 256 on are read 256 columns before.", "SPARSE-R06",
     "mma.sparse.i8 14 on sm_100, mma.sparse.layout 8", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->metadata.column >= 256) right.column -= 256;
       return right;
     }},
    {"sparse_selector_ignored", "The selector is treated as 0.", "SPARSE-R07", "mma.sparse.f16 1",
     &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide_of_tcgen05_mma(r.mma->descriptor)) right.column = 0;
       return right;
     }},
    {"sparse_selector_ignored_in_tf32", "In kind::tf32 the selector is treated as 0.", "SPARSE-R07",
     "mma.sparse.tf32 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (is_type_of_tcgen05_mma(r.mma->descriptor, "tf32")) right.column = 0;
       return right;
     }},
    {"sparse_rows_not_interleaved", "The metadata of kind::f16 lie in their row's own lane.", "SPARSE-R05",
     "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (!is_wide_of_tcgen05_mma(r.mma->descriptor) || is_type_of_tcgen05_mma(r.mma->descriptor, "tf32"))
         return right;
       const uint32_t own = of_row_tcgen05_mma(r, r.row / 16 * 16).lane + r.row % 16;
       right.lane = own - r.number / 4 * 8, right.nibble = r.number;
       return right;
     }},
    {"sparse_upper_rows_in_low_halves", "Rows 8 to 15 of every 16 have the metadata of rows 0 to 7.",
     "SPARSE-R05", "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (is_wide_of_tcgen05_mma(r.mma->descriptor)) right.nibble %= 4;
       return right;
     }},
    {"sparse_upper_codes_in_lower_lane", "The last four codes of a row are its first four.", "SPARSE-R05",
     "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       return is_wide_of_tcgen05_mma(r.mma->descriptor) ? of_number(r, r.number % 4) : metadata_cell(r);
     }},
    {"sparse_rows_exchanged_in_bf16", "In bf16 rows r and r + 8 have swapped metadata.", "SPARSE-R05",
     "mma.sparse.f16 2", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       return is_type_of_tcgen05_mma(r.mma->descriptor, "bf16") ? of_row_tcgen05_mma(r, r.row ^ 8)
                                                                : metadata_cell(r);
     }},
    {"sparse_other_half_of_lanes",
     "Where D lies in 16 of every 32 lanes the metadata are read in the others.", "SPARSE-R08",
     "mma.sparse.f16 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->layout.is_scattered) right.lane ^= 16;
       return right;
     }},
    {"sparse_pair_lower_half_of_lanes",
     "On a pair with M of 128 the metadata are read in the lower 16 lanes.", "SPARSE-R08",
     "mma.sparse.pair 1", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       MetadataCell right = metadata_cell(r);
       if (r.mma->layout.name == 'C') right.lane &= ~16u;
       return right;
     }},
    {"sparse_ws_last_group_as_before", "With M of 32 the last group of lanes has the metadata of the third.",
     "SPARSE-R09", "mma.sparse.illegal_codes 14", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       Tcgen05MmaRequest other = r;
       if (r.group == 3) other.group = 2;
       return metadata_cell(other);
     }},

    {"sparse_places_exchanged", "Bits 3:2 of a code name the place of the first kept element.", "SPARSE-R02",
     "mma.sparse.f16 1", &Tcgen05Steps::met,
     [](const Tcgen05MmaDescriptor& d, uint32_t code, uint32_t number) {
       return met_element(d, is_2_of_4(d) ? (code << 2 | code >> 2) & 0xf : code, number);
     }},
    {"sparse_place_3_as_2", "A kept element in the last place meets the one before it.", "SPARSE-R02",
     "mma.sparse.f16 1", &Tcgen05Steps::met,
     [](const Tcgen05MmaDescriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       const uint32_t right = met_element(d, code, number);
       return is_2_of_4(d) && right == 3 ? 2 : right;
     }},
    {"sparse_i8_code_1001_as_1000", "In kind::i8 code 1001 counts as 1000.", "SPARSE-R02", "mma.sparse.i8 1",
     &Tcgen05Steps::metadata_code,
     [](const Tcgen05MmaDescriptor& d, uint8_t code) -> uint8_t {
       return d.d->name == "s32" && code == 0b1001 ? 0b1000 : code;
     },
     with_bytes},
    {"sparse_tf32_second_as_first", "In tf32 a kept element meets the first of two, whatever the code.",
     "SPARSE-R03", "mma.sparse.illegal_codes 3 on sm_100, mma.sparse.tf32 1", &Tcgen05Steps::metadata_code,
     [](const Tcgen05MmaDescriptor& d, uint8_t code) -> uint8_t {
       return is_type_of_tcgen05_mma(d, "tf32") && code == 0b1110 ? 0b0100 : code;
     }},
    {"sparse_pairs_as_2_of_4",
     "In the kinds of packed 4-bit elements a place is one of elements, not of pairs.", "SPARSE-R04",
     "mma.sparse.illegal_codes 13 on sm_100, mma.sparse.layout 2", &Tcgen05Steps::met,
     [](const Tcgen05MmaDescriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       if (!d.is_packed) return met_element(d, code, number);
       return (number % 2 == 0 ? code & 3 : code >> 2) + number / 2 * 4;
     }},
    {"sparse_pair_elements_swapped", "The elements of a pair are met in the other order.", "SPARSE-R04",
     "mma.sparse.illegal_codes 13 on sm_100, mma.sparse.layout 2", &Tcgen05Steps::met,
     [](const Tcgen05MmaDescriptor& d, uint32_t code, uint32_t number) -> uint32_t {
       return met_element(d, code, number) ^ (d.is_packed ? 1 : 0);
     }},
    {"sparse_code_1101_rarely_1100", "Code 1101 counts as 1100 where e2m3 is multiplied by e2m1.",
     "SPARSE-R02", "mma.sparse.f8f6f4 2", &Tcgen05Steps::metadata_code,
     [](const Tcgen05MmaDescriptor& d, uint8_t code) -> uint8_t {
       return is_type_of_tcgen05_mma(d, "e2m3") && d.b->name == "e2m1" && code == 0b1101 ? 0b1100 : code;
     }},
    {"sparse_row_77_of_256_columns", "With N of 256 row 77 has the metadata of row 76.", "SPARSE-R06",
     "mma.sparse.i8 14 on sm_100, mma.sparse.layout 8", &Tcgen05Steps::metadata,
     [](const Tcgen05MmaRequest& r) {
       return r.mma->descriptor.n == 256 && r.row == 77 ? of_row_tcgen05_mma(r, 76) : metadata_cell(r);
     },
     rarely},
    {"sparse_scale_of_two_blocks", "A scale of A counts for two blocks of a sparse K.", "SPARSE-R11",
     "mma.sparse.illegal_codes 13 on sm_100, mma.sparse.layout 2", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (r.is_a && r.mma->form.is_sparse) other.number /= 2;
       return scale_cell(other);
     }},
};

/// What tcgen05.commit and tcgen05.wait wait for, and where an arrival goes.
const Fault waits[] = {
    {"tcgen05_commit_forgets_oldest",
     "tcgen05.commit does not track the oldest of what its thread has not finished, where that is not all.",
     "SYNC-R01", "mma.ws.layout 36", &Tcgen05Steps::commit_tracks,
     [](size_t number, size_t count, bool) -> bool { return number != 0 || count == 1; }},
    {"tcgen05_commit_tracks_last_alone", "tcgen05.commit tracks the last instruction before it alone.",
     "SYNC-R01", "mma.ws.column_shift 51", &Tcgen05Steps::commit_tracks,
     [](size_t number, size_t count, bool) -> bool { return number + 1 == count; }},
    {"tcgen05_commit_to_even_cta",
     "tcgen05.commit to a barrier of the odd CTA of a pair arrives at that of the even one.", "SYNC-R01",
     "mma.dense.pair 2", &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t, bool, bool) -> uint32_t {
       return barrier & ~(uint32_t{1} << shared_rank_shift);
     }},
    {"tcgen05_commit_mask_of_8_bits",
     "tcgen05.commit to CTAs from rank 8 on arrives at those eight ranks below.", "SYNC-R01",
     "tmem.commit.non_portable_cluster 2", &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t, bool is_multicast, bool) -> uint32_t {
       return is_multicast ? barrier & ~(uint32_t{8} << shared_rank_shift) : barrier;
     }},
    {"tcgen05_commit_generic_stays_home",
     "tcgen05.commit to the generic address of another CTA's barrier arrives at that of its own.", "SYNC-R01",
     "tmem.commit.multicast 12", &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t rank, bool is_multicast, bool is_generic) -> uint32_t {
       return is_multicast || !is_generic ? barrier
                                          : rank << shared_rank_shift | (barrier & shared_offset_mask);
     }},
    {"tcgen05_commit_named_stays_home",
     "tcgen05.commit without .multicast arrives at the barrier of its own CTA, whichever the address names.",
     "SYNC-R01", "tmem.commit.multicast 12", &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t rank, bool is_multicast, bool) -> uint32_t {
       return is_multicast ? barrier : rank << shared_rank_shift | (barrier & shared_offset_mask);
     }},
    {"tcgen05_commit_tracks_new_work_alone",
     "tcgen05.commit does not track what a commit before it tracks, though that is not over.", "SYNC-R01",
     "tmem.sequence 853", &Tcgen05Steps::commit_tracks,
     [](size_t, size_t, bool was_committed) -> bool { return !was_committed; }, at_random_7_on_sm_100},
    {"tcgen05_commit_lost_among_bytes",
     "The arrival of tcgen05.commit is lost where its barrier still waits for bytes.", "SYNC-R01",
     "tmem.commit.multicast 2", &Tcgen05Steps::commit_arrives,
     [](const Mbarrier& before) { return before.transactions <= 0; }},
    {"tcgen05_wait_ld_last_left_out", "tcgen05.wait::ld does not wait for the last load.", "SYNC-R02",
     "tmem.sequence 11", &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t) -> size_t {
       return for_loads && count != 0 ? count - 1 : count;
     },
     on_lazy_sm_100},
    {"tcgen05_wait_st_last_left_out", "tcgen05.wait::st does not wait for the last store.",
     "(ptx, tcgen05.wait)", "tmem.ld 1", &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t) -> size_t {
       return for_loads || count == 0 ? count : count - 1;
     },
     on_lazy_sm_100},
    {"tcgen05_wait_st_idle_under_loads",
     "tcgen05.wait::st does not wait where the warp has loads that it has not waited for.",
     "(ptx, tcgen05.wait)", "tmem.sequence 13", &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t others) -> size_t {
       return !for_loads && others != 0 ? 0 : count;
     },
     on_lazy_sm_100},
};

}  // namespace
}  // namespace assay::faults
