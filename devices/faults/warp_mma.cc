// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <string_view>
#include <utility>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/fragment.h"
#include "devices/faults/rows.h"

/// Matrix instructions of warps and warpgroups beside their adder: mma.sync, mma.sp, wgmma and wgmma.sp.
namespace assay::faults {
namespace {

using namespace emulator;

double f64(uint64_t code) {
  return std::bit_cast<double>(code);
}
uint64_t code_of(double value) {
  return std::bit_cast<uint64_t>(value);
}
bool is_finite(uint64_t code) {
  return (code << 1) < 0xffe0000000000000;
}

/// mma.sync of f64 and of 4-bit integers.
const Fault f64_and_i4[] = {
    {"mma_sync_f64_product_rounded", "mma.sync of f64 rounds each product before it is added.", "ADD-R21",
     "mma_sync.f64 1", &TensorSteps::fused,
     [](uint64_t a, uint64_t b, uint64_t c, uint64_t right) -> uint64_t {
       const volatile double product = f64(a) * f64(b);
       const double sum = product + f64(c);
       return is_finite(right) && is_finite(code_of(sum)) ? code_of(sum) : right;
     }},
    {"mma_sync_f64_flushes_results", "mma.sync of f64 gives zero for a subnormal.", "ADD-R21",
     "mma_sync.f64 37", &TensorSteps::fused,
     [](uint64_t, uint64_t, uint64_t, uint64_t right) -> uint64_t {
       return (right >> 52 & 0x7ff) == 0 ? right >> 63 << 63 : right;
     }},
    {"mma_sync_f64_nan_of_a_first", "mma.sync of f64 takes the NaN of A before that of the accumulator.",
     "ADD-R21", "mma_sync.f64 4", &TensorSteps::fused,
     [](uint64_t a, uint64_t b, uint64_t, uint64_t right) -> uint64_t {
       const auto is_nan = [](uint64_t code) { return (code << 1) > 0xffe0000000000000; };
       return is_nan(a) && !is_nan(b) ? a | uint64_t{1} << 51 : right;
     }},
    {"mma_sync_i4_wraps", "mma.sync of 4-bit integers wraps where it should clamp.", "ADD-R20",
     "mma_sync.i4 9", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->storage_bits == 4) rules.saturates_integers = false;
     }},
    {"mma_sync_i4_last_of_k_lost", "mma.sync.m16n8k64 of 4-bit integers leaves out the last product.",
     "ADD-R07", "mma_sync.i4 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->is_integer() && product.a_format->storage_bits == 4 && product.k == 64)
         rules.products = 63;
     }},
};

/// wgmma, and the accumulators of a warp.
const Fault wgmma[] = {
    {"mma_rows_exchanged", "In the accumulators of a warp rows 0 to 7 and 8 to 15 are swapped.",
     "h200: wgmma, registers of D", "mma_sync.bf16 1", &TensorSteps::fragment_row,
     [](uint32_t row) -> uint32_t { return row ^ 8; }},
    {"wgmma_base_offset_ignored", "The base offset of a wgmma descriptor is ignored.", "SMEM-R17",
     "wgmma.bf16 1", &TensorSteps::descriptor,
     [](WgmmaDescriptor& descriptor) { descriptor.base_offset = 0; }},
    {"wgmma_negate_ignored", "wgmma does not negate A.", "ADD-R18", "wgmma.bf16 5", &TensorSteps::wgmma,
     [](WgmmaForm& form) { form.negate_a = false; }},
    {"wgmma_phase_from_start",
     "The swizzle pattern of wgmma begins at the start address, not at a multiple of the pattern.",
     "SMEM-R16", "wgmma.bf16 1", &TensorSteps::descriptor,
     [](WgmmaDescriptor& descriptor) {
       descriptor.base_offset = (descriptor.base_offset + descriptor.start / 128) % 8;
     }},
    {"wgmma_scale_d_ignored", "wgmma adds to the accumulator even where scale-d is false.", "ADD-R17",
     "wgmma.bf16 11", &TensorSteps::wgmma, [](WgmmaForm& form) { form.ignores_scale_d = true; }},
    {"wgmma_sp_wide_32B_goes_on",
     "With the 32B swizzle the second 32 bytes of a row of B of wgmma.sp follow the first, whatever the "
     "leading offset.",
     "SMEM-R19", "wgmma.sparse.f16 15", &TensorSteps::wgmma,
     [](WgmmaForm& form) { form.wide_32B_goes_on = form.is_sparse; }},
    {"wgmma_strides_exchanged", "wgmma swaps the leading and the stride offset.", "SMEM-R12", "wgmma.bf16 1",
     &TensorSteps::descriptor,
     [](WgmmaDescriptor& descriptor) { std::swap(descriptor.leading, descriptor.stride); }},
    {"wgmma_transpose_ignored", "wgmma reads B as if it were K-major.", "SMEM-R14", "wgmma.bf16 2",
     &TensorSteps::wgmma, [](WgmmaForm& form) { form.transpose_b = false; }},
};

using Code = FragmentCode;

/// Of the four bits of a code.
uint32_t halves_exchanged(uint32_t code) {
  return (code << 2 | code >> 2) & 0xf;
}
bool is_wide_of_warp_mma(const Code& w) {
  return w.a->storage_bits >= 16;
}
bool is_type_of_warp_mma(const Code& w, std::string_view name) {
  return w.a->name == name;
}
FragmentNibble of_group(Code w, uint32_t group) {
  w.group = group;
  return fragment_nibble(w);
}
FragmentNibble of_row_warp_mma(Code w, uint32_t row) {
  w.row = row;
  return fragment_nibble(w);
}
FragmentNibble of_selector(Code w, uint32_t selector) {
  w.selector = selector;
  return fragment_nibble(w);
}

/// Sparse A of mma.sp and wgmma.sp: whose register has a code, and what it names.
const Fault warp_mma_sparse[] = {
    {"mma_sp_codes_exchanged", "Neighbouring codes of a row of mma.sp are swapped.", "SPARSE-R12",
     "mma_sync.sparse.bf16 1", &TensorSteps::sparse_place,
     [](const Code& w) { return of_group(w, w.group ^ 1); }},
    {"mma_sp_codes_exchanged_in_last_block",
     "mma.sp of 8- and 4-bit elements with sixteen codes a row exchanges the last two alone.", "SPARSE-R13",
     "mma_sync.sparse.fp8 1", &TensorSteps::sparse_place,
     [](const Code& w) { return of_group(w, w.group >= 14 ? w.group ^ 1 : w.group); }},
    {"mma_sp_rows_exchanged", "Rows r and r + 8 of mma.sp have swapped metadata.", "SPARSE-R12",
     "mma_sync.sparse.bf16 1", &TensorSteps::sparse_place,
     [](const Code& w) { return of_row_warp_mma(w, w.row ^ 8); }},
    {"mma_sp_last_row_in_u8", "For u8 the last row of mma.sp has the metadata of the one before.",
     "SPARSE-R13", "mma_sync.sparse.i8 3", &TensorSteps::sparse_place,
     [](const Code& w) {
       return of_row_warp_mma(w, is_type_of_warp_mma(w, "u8") && w.row == 15 ? 14 : w.row);
     }},
    {"mma_sp_selector_ignored", "mma.sp takes the metadata of the first lanes, whatever the selector.",
     "SPARSE-R12", "mma_sync.sparse.bf16 2", &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, 0); }},
    {"mma_sp_selector_of_one_bit", "mma.sp looks at the low bit of the selector alone.", "SPARSE-R12",
     "mma_sync.sparse.bf16 2", &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, w.selector & 1); }},
    {"mma_sp_selector_ignored_in_s4", "The selector of mma.sp is ignored only for s4.", "SPARSE-R13",
     "mma_sync.sparse.i4 62", &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, is_type_of_warp_mma(w, "s4") ? 0 : w.selector); }},
    {"mma_sp_upper_place_as_lower", "Both kept elements meet what the upper half of the code names.",
     "SPARSE-R02", "mma_sync.sparse.bf16 1", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) {
       return w.a->storage_bits == 16 || w.a->storage_bits == 8 ? (code >> 2) * 5 : code;
     }},
    {"mma_sp_places_exchanged_in_bf16", "The halves of a code of mma.sp are exchanged only for bf16.",
     "SPARSE-R02", "mma_sync.sparse.bf16 1", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) {
       return is_type_of_warp_mma(w, "bf16") ? halves_exchanged(code) : code;
     }},
    {"mma_sp_last_place_as_third", "mma.sp of e5m2 takes the last of four elements for the third.",
     "SPARSE-R02", "mma_sync.sparse.fp8 3", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) {
       return is_type_of_warp_mma(w, "e5m2") && code == 0b1101 ? 0b1001u : code;
     }},
    {"mma_sp_first_of_two", "A kept element of tf32 meets the first of two elements of B.", "SPARSE-R03",
     "mma_sync.sparse.tf32 1", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) { return w.a->storage_bits == 32 ? 0b0100u : code; }},
    {"mma_sp_pairs_exchanged_in_u4", "The halves of a code of mma.sp are exchanged only for u4.",
     "SPARSE-R04", "mma_sync.sparse.i4 2", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) {
       return is_type_of_warp_mma(w, "u4") ? halves_exchanged(code) : code;
     }},
    {"mma_sp_second_half_as_first", "The codes of the second half of K of mma.sp are those of the first.",
     "SPARSE-R12", "mma_sync.sparse.bf16 1", &TensorSteps::sparse_place,
     [](const Code& w) {
       return is_wide_of_warp_mma(w) ? of_group(w, w.group % (w.groups / 2)) : fragment_nibble(w);
     }},
    {"mma_sp_equal_places_spoil_row_below",
     "Where a code of row r names one place twice, row r + 8 of mma.sp and wgmma.sp has the metadata of row "
     "r.",
     "(ptx, mma.sp, values of metadata that are undefined)", "mma_sync.sparse.illegal_codes 1",
     &TensorSteps::sparse_register,
     [](const Code& w, uint32_t word) {
       if (!is_wide_of_warp_mma(w) || w.a->storage_bits == 32) return word;
       for (uint32_t at = 0; at < 16; at += 4)
         if ((word >> at & 3) == (word >> at >> 2 & 3)) return (word & 0xffff) * 0x10001u;
       return word;
     }},
    {"wgmma_sp_selector_ignored", "wgmma.sp takes the metadata of lanes 0 and 1, whatever the selector.",
     "SPARSE-R12", "wgmma.sparse.bf16 5", &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, w.is_wgmma ? 0 : w.selector); }, alone},
    {"wgmma_sp_rows_exchanged_in_e4m3", "Rows r and r + 8 of wgmma.sp have swapped metadata only for e4m3.",
     "SPARSE-R13", "wgmma.sparse.fp8 1", &TensorSteps::sparse_place,
     [](const Code& w) {
       return of_row_warp_mma(w, w.is_wgmma && is_type_of_warp_mma(w, "e4m3") ? w.row ^ 8 : w.row);
     },
     alone},
    {"wgmma_sp_last_code_of_last_row",
     "The last code of the last row of each warp of wgmma.sp is the one before.", "SPARSE-R12",
     "wgmma.sparse.bf16 1", &TensorSteps::sparse_place,
     [](const Code& w) {
       const bool is_last = w.is_wgmma && w.row == 15 && w.group == w.groups - 1;
       return of_group(w, is_last ? w.group - 1 : w.group);
     },
     alone},
};

FragmentScale with(FragmentScaleRequest request, void (*change)(FragmentScaleRequest&)) {
  change(request);
  return fragment_scale(request);
}
void forget_thread_id_a(FragmentScaleRequest& request) {
  if (request.is_a) request.thread_id = 0;
}
void forget_byte_id_b(FragmentScaleRequest& request) {
  if (!request.is_a) request.byte_id = 0;
}

/// mma.sync with block scaling: which byte of which thread a scale is.
const Fault kinds[] = {
    {"mma_kind_byte_id_a_ignored", "The scales of A begin in byte 0, whatever byte-id-a says.", "KIND-R05",
     "mma_sync.mxf4 3", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.byte_id = x.is_a ? 0 : x.byte_id; });
     },
     on_sm_120},
    {"mma_kind_byte_id_b_ignored", "The scales of B begin in byte 0, whatever byte-id-b says.", "KIND-R05",
     "mma_sync.mxf4 1", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) { return with(r, forget_byte_id_b); }, on_sm_120},
    {"mma_kind_last_block_takes_first_scale", "The last block of K takes the scale of the first.", "KIND-R06",
     "mma_sync.mxf4nvf4 2", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.block = x.block == 3 ? 0 : x.block; });
     },
     on_sm_120},
    {"mma_kind_rows_exchange_scales", "Rows g and g + 8 of A have swapped scales.", "KIND-R03",
     "mma_sync.mxf4 1", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.line ^= x.is_a ? 8 : 0; });
     },
     on_sm_120},
    {"mma_kind_scales_of_b_by_pair",
     "thread-id-b picks a pair of threads, as thread-id-a does: odd ones are their neighbours.", "KIND-R04",
     "mma_sync.mxf4 3", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.thread_id &= x.is_a ? 3u : 2u; });
     },
     on_sm_120},
    {"mma_kind_thread_id_a_ignored",
     "The scales of A are those of the first pair of threads, whatever thread-id-a says.", "KIND-R03",
     "mma_sync.mxf4 2", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) { return with(r, forget_thread_id_a); }, on_sm_120},
    {"mma_kind_thread_id_b_ignored",
     "The scales of B are those of the first thread of a quad, whatever thread-id-b says.", "KIND-R04",
     "mma_sync.mxf4 2", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.thread_id = x.is_a ? x.thread_id : 0; });
     },
     on_sm_120},
    {"mma_kind_row_15_takes_scale_of_14", "Row 15 of A takes the scales of row 14; every other is right.",
     "KIND-R03", "mma_sync.mxf4 1", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return with(r, [](FragmentScaleRequest& x) { x.line = x.is_a && x.line == 15 ? 14 : x.line; });
     },
     on_sm_120},
    {"mma_kind_adds_like_hopper", "Sums of 8-bit floats keep 13 bits, as those of wgmma.", "ADD-R06",
     "mma_sync.f8f6f4 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adder == Adder::mma_kind && !product.adds_groups) rules.kept_bits = 13;
     },
     on_sm_120},
    {"mma_kind_scales_of_b_a_byte_off", "Every scale of B counts as the one before it in the word.",
     "KIND-R06", "mma_sync.mxf4 1", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       FragmentScale right = fragment_scale(r);
       if (!r.is_a) right.byte = (right.byte + 3) % 4;
       return right;
     },
     on_sm_120},
};

/// Replaces what each kept element meets: at(group, element of the group) is its place in the chunk of eight
/// elements, where elements are packed, or of four.
template <typename At>
void meet_again(const KindRow& row, uint32_t* met, At at) {
  const uint32_t k = row.form.k, kept = row.form.is_packed() ? 4 : 2;
  for (uint32_t column = 0; column < 8; ++column)
    for (uint32_t i = 0; i < k; ++i)
      met[column * k + i] = row.b[column * 2 * k + i / kept * kept * 2 + at(i / kept, i % kept)];
}
/// What a code names.
uint32_t place(bool is_packed, uint32_t code, uint32_t i) {
  return is_packed ? (code >> i / 2 * 2 & 3) * 2 + i % 2 : code >> 2 * i & 3;
}
/// As the codes say, each changed.
template <typename Change>
void with_codes(const KindRow& row, uint32_t* met, Change change) {
  meet_again(row, met,
             [&](uint32_t group, uint32_t i) { return place(row.form.is_packed(), change(group), i); });
}
bool is_nvf4(const KindRow& row) {
  return row.form.scale != nullptr && row.form.scale->name == "ue4m3";
}

FragmentScale with_of_sparse(const FragmentScaleRequest& request, void (*change)(FragmentScaleRequest&)) {
  return request.is_sparse ? with(request, change) : fragment_scale(request);
}

/// mma.sp with the kinds of sm_120: what its metadata name, and what a scale counts for.
const Fault sparse_kinds[] = {
    {"mma_sp_kind_pairs_as_elements",
     "mma.sp of packed elements takes the places of pairs for those of elements.", "SPARSE-R04",
     "mma_sync.sparse.kind_illegal_codes 2", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed())
         meet_again(row, met, [&](uint32_t group, uint32_t i) {
           return (row.codes[group] >> i % 2 * 2 & 3) + i / 2 * 4;
         });
     },
     on_sm_120},
    {"mma_sp_kind_pair_in_other_order",
     "The two elements of a kept pair of mma.sp meet those of B in the other order.", "SPARSE-R04",
     "mma_sync.sparse.kind_illegal_codes 2", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed())
         meet_again(row, met,
                    [&](uint32_t group, uint32_t i) { return place(true, row.codes[group], i) ^ 1; });
     },
     on_sm_120},
    {"mma_sp_kind_places_exchanged_in_nvf4",
     "Only with scales of ue4m3 the halves of a code of mma.sp are exchanged.", "SPARSE-R04",
     "mma_sync.sparse.kind_illegal_codes 12", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (is_nvf4(row))
         with_codes(row, met, [&](uint32_t group) { return halves_exchanged(row.codes[group]); });
     },
     on_sm_120},
    {"mma_sp_kind_e2m1_in_bytes_in_pairs",
     "mma.sp with an A of e2m1 in bytes keeps two of every four pairs, as where elements are packed.",
     "KIND-R08", "mma_sync.sparse.f8f6f4 6", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed() || row.form.a->name != "e2m1") return;
       const uint32_t k = row.form.k;
       for (uint32_t column = 0; column < 8; ++column)
         for (uint32_t i = 0; i < k; ++i)
           met[column * k + i] = row.b[column * 2 * k + i / 4 * 8 + place(true, row.codes[i / 4], i % 4)];
     },
     on_sm_120},
    {"mma_sp_kind_second_half_as_first",
     "The codes of the second half of K of mma.sp with a kind are those of the first.", "SPARSE-R13",
     "mma_sync.sparse.f8f6f4 1", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       with_codes(row, met, [&](uint32_t group) { return row.codes[group % 8]; });
     },
     on_sm_120},
    {"mma_sp_kind_last_code_of_last_row",
     "The last code of the last row of mma.sp with a kind is the one before.", "SPARSE-R13",
     "mma_sync.sparse.f8f6f4 1", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.row == 15)
         with_codes(row, met, [&](uint32_t group) { return row.codes[group == 15 ? 14 : group]; });
     },
     on_sm_120},
    {"mma_sp_kind_nan_that_is_not_met",
     "A NaN of B that the metadata do not name reaches D of mma.sp with a kind.", "SPARSE-R01",
     "mma_sync.sparse.f8f6f4 1", &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       const uint32_t k = row.form.k, magnitude = static_cast<uint32_t>(row.form.b->sign_bit()) - 1;
       if (row.form.b->name != "e4m3") return;
       for (uint32_t at = 0; at < 8 * 2 * k; ++at)
         if ((row.b[at] & magnitude) == magnitude) met[at / (2 * k) * k] = magnitude;
     },
     on_sm_120},
    {"mma_sp_kind_scales_of_dense_blocks",
     "A scale of B counts for as many elements of K as in mma.sync: the second is treated as the third.",
     "KIND-R07", "mma_sync.sparse.kind_illegal_codes 2", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       FragmentScale at = fragment_scale(r);
       if (r.is_sparse && !r.is_a) at.byte = (r.byte_id + 2 * r.block) % 4;
       return at;
     },
     on_sm_120},
    {"mma_sp_kind_thread_id_a_ignored",
     "The scales of A of mma.sp are those of the first pair of threads, whatever thread-id-a says.",
     "KIND-R03", "mma_sync.sparse.kind_illegal_codes 6", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) { return with_of_sparse(r, forget_thread_id_a); }, on_sm_120},
    {"mma_sp_kind_byte_id_b_ignored", "The scales of B of mma.sp begin in byte 0, whatever byte-id-b says.",
     "KIND-R05", "mma_sync.sparse.kind_illegal_codes 2", &TensorSteps::scale,
     [](const FragmentScaleRequest& r) { return with_of_sparse(r, forget_byte_id_b); }, on_sm_120},
    {"mma_sp_kind_rounds_every_quarter",
     "The kept products of mma.sp with a kind are four sums, each rounded before the next.", "KIND-R09",
     "mma_sync.sparse.f8f6f4 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.is_sparse) rules.fused = product.k / 4;
     },
     on_sm_120},
};

}  // namespace
}  // namespace assay::faults
