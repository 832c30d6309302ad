// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/fault.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/faults/rows.h"

/// Tensor memory, and what moves data to it and in it.
namespace assay::faults {
namespace {

using namespace emulator;

/// Allocation, loads and stores.
const Fault memory[] = {
    {"tcgen05_16x128b_second_pair",
     "From x8 on the 16x128b shape exchanges the columns of neighbouring repetitions.", "TMEM-R10",
     "tmem.ld 32", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s16x128b && form.count >= 8) right.column ^= 4;
       return right;
     }},
    {"tcgen05_16x256b_register_order", "The two rows of a 16x256b fragment are in the wrong registers.",
     "TMEM-R10", "tmem.ld 3", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       return tmem_cell(form, thread, form.shape == TmemShape::s16x256b ? number ^ 2 : number);
     }},
    {"tcgen05_16x32bx2_split_doubled",
     "The immediate of 16x32bx2 counts pairs of columns with .pack::16b and .unpack::16b.", "TMEM-R10",
     "tmem.ld 10", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemForm doubled = form;
       if (form.is_halved) doubled.split *= 2;
       return tmem_cell(doubled, thread, number);
     }},
    {"tcgen05_16x64b_lanes_off", "The 16x64b shape takes the lanes 8 to 15 before the lanes 0 to 7.",
     "TMEM-R10", "tmem.ld 1", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s16x64b) right.lane ^= 8;
       return right;
     }},
    {"tcgen05_32x32b_last_register", "The last register of 32x32b.x128 stands for the column before.",
     "TMEM-R10", "tmem.ld 74", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s32x32b && number == 127) --right.column;
       return right;
     }},
    {"tcgen05_alloc_tells_other_column",
     "tcgen05.alloc of 32 columns returns a column 32 away from those that it allocated.", "TMEM-R15",
     "mma.dense.f16 1", &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 32 ? first ^ 32 : first; }},
    {"tcgen05_alloc_of_128_tells_even_block",
     "tcgen05.alloc of 128 columns returns the first of the 256 columns that contain its own.", "TMEM-R15",
     "tmem.sequence 2", &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 128 ? first & ~255u : first; }},
    {"tcgen05_alloc_of_pair_odd_32_low",
     "tcgen05.alloc.cta_group::2 returns to the odd CTA a column that is 32 too low, unless it is the first.",
     "TMEM-R15", "mma.dense.pair 3", &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t, bool is_odd) -> uint32_t {
       return is_odd && first >= 32 ? first - 32 : first;
     }},
    {"tcgen05_dealloc_of_32_wraps_at_256",
     "tcgen05.dealloc of 32 columns at column 256 and up frees those 256 columns lower.", "TMEM-R16",
     "tmem.sequence 6", &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t {
       return count == 32 && first >= 256 ? first - 256 : first;
     }},
    {"tcgen05_alloc_generic_writes_nothing",
     "tcgen05.alloc without a state space allocates, but writes no address.", "TMEM-R15", "tmem.sequence 2",
     &Tcgen05Steps::alloc_writes, [](bool is_generic) { return !is_generic; }},
    {"tcgen05_alloc_does_not_wait",
     "tcgen05.alloc that would have to wait returns column 0 at once, even if it is allocated.", "TMEM-R15",
     "tmem.sequence 3", &Tcgen05Steps::alloc_waits, false},
    {"tcgen05_alloc_of_256_tells_first", "tcgen05.alloc of 256 columns always returns column 0.", "TMEM-R15",
     "tmem.sequence 40", &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 256 ? 0 : first; }},
    {"tcgen05_dealloc_frees_neighbour", "tcgen05.dealloc frees the columns below those that it names.",
     "TMEM-R16", "tmem.sequence 1", &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t { return first >= count ? first - count : first; }},
    {"tcgen05_dealloc_of_64_frees_first", "tcgen05.dealloc of 64 columns frees those starting at column 0.",
     "TMEM-R16", "tmem.sequence 3", &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t { return count == 64 ? 0 : first; }},
    {"tcgen05_ld_pack_halves_swapped", "tcgen05.ld.pack::16b puts the first column into the upper half.",
     "TMEM-R11", "tmem.ld 6", &Tcgen05Steps::pack,
     [](uint32_t first, uint32_t second) -> uint32_t { return first << 16 | (second & 0xffff); }},
    {"tcgen05_ld_pack_upper_kept", "tcgen05.ld.pack::16b forgets the second column.", "TMEM-R11", "tmem.ld 6",
     &Tcgen05Steps::pack, [](uint32_t first, uint32_t) -> uint32_t { return first; }},
    {"tcgen05_lanes_as_addressed",
     "tcgen05.ld and st access the lanes that the address names, whichever warp executes them.", "TMEM-R17",
     "tmem.lane_window 1", &Tcgen05Steps::window,
     [](const TmemForm&, uint32_t, uint32_t lane) -> uint32_t {
       return lane % TensorMemory::lanes / 32 * 32;
     }},
    {"tcgen05_lanes_of_warps_from_4_on",
     "tcgen05.ld and st of 16 lanes access those of the first warp in warps 4 and up.", "TMEM-R17",
     "tmem.ld 1", &Tcgen05Steps::window,
     [](const TmemForm& form, uint32_t warp, uint32_t) -> uint32_t {
       return warp >= 4 && form.lanes() == 16 ? 0 : warp % 4 * 32;
     }},
    {"tcgen05_lanes_of_warps_from_8_on",
     "tcgen05.ld and st of 16 lanes access those of the first warp in warps 8 and up.", "TMEM-R17",
     "tmem.sequence 69", &Tcgen05Steps::window,
     [](const TmemForm& form, uint32_t warp, uint32_t) -> uint32_t {
       return warp >= 8 && form.lanes() == 16 ? 0 : warp % 4 * 32;
     }},
    {"tcgen05_lanes_of_last_warp",
     "tcgen05.ld and st of the last of four warps access the lanes of the warp before, if the address names "
     "lane 0.",
     "TMEM-R17", "tmem.lane_window 4", &Tcgen05Steps::window,
     [](const TmemForm&, uint32_t warp, uint32_t lane) -> uint32_t {
       return (warp % 4 == 3 && lane < 32 ? 2 : warp % 4) * 32;
     }},
    {"tcgen05_st_unpack_upper_lost", "tcgen05.st.unpack::16b forgets the upper half of a register.",
     "TMEM-R11", "tmem.st 6", &Tcgen05Steps::unpack,
     [](uint32_t word, uint32_t half) -> uint32_t { return half == 0 ? word & 0xffff : 0; }},
};

/// tcgen05.ld.red.
const Fault reductions[] = {
    {"tcgen05_ld_red_abs_ignored", "tcgen05.ld.red ignores .abs.", "TMEM-R13", "tmem.ld.red 7",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction plain = reduction;
       plain.is_of_magnitudes = false;
       return reduce(plain, words, gives_nan);
     },
     with_reducing_loads},
    {"tcgen05_ld_red_last_register_lost", "tcgen05.ld.red leaves out the last of 128 registers.", "TMEM-R13",
     "tmem.ld.red 76", &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       return reduce(reduction, words.size() == 128 ? words.first(127) : words, gives_nan);
     },
     with_reducing_loads},
    {"tcgen05_ld_red_nan_dropped", "tcgen05.ld.red passes over NaN though it says .NaN.", "TMEM-R13",
     "tmem.ld.red 6", &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction dropping = reduction;
       dropping.keeps_nan = false;
       return reduce(dropping, words, gives_nan);
     },
     with_reducing_loads},
    {"tcgen05_ld_red_signed_as_unsigned", "tcgen05.ld.red compares s32 as u32.", "TMEM-R13", "tmem.ld.red 3",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       TmemReduction other = reduction;
       if (other.type == TmemReduction::Type::s32) other.type = TmemReduction::Type::u32;
       return reduce(other, words, gives_nan);
     },
     with_reducing_loads},
    {"tcgen05_ld_red_zeros_alike", "tcgen05.ld.red takes -0 for +0.", "TMEM-R13", "tmem.ld.red 5",
     &Tcgen05Steps::reduced,
     [](const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) -> uint32_t {
       const uint32_t right = reduce(reduction, words, gives_nan);
       return reduction.type == TmemReduction::Type::f32 && right == 0x80000000 ? 0 : right;
     },
     with_reducing_loads},
};

constexpr int nothing = -1;

/// tcgen05.cp: rows, words, formats, and whose shared memory.
const Fault copies[] = {
    {"tcgen05_cp_128x128b_last_row_lost", "tcgen05.cp.128x128b does not write its last row.", "TCP-R01",
     "tmem.cp 7", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s128x128b && lane == 127) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_128x128b_words_exchanged", "tcgen05.cp.128x128b exchanges the halves of each row.",
     "TCP-R01", "tmem.cp 7", &Tcgen05Steps::copied_word,
     [](const TmemCopy& copy, uint32_t column) -> uint32_t {
       return copy.form.shape == CopyShape::s128x128b ? column ^ 2 : column;
     }},
    {"tcgen05_cp_256b_halves_exchanged", "tcgen05.cp.128x256b exchanges the halves of each row.", "TCP-R01",
     "tmem.cp 1", &Tcgen05Steps::copied_word,
     [](const TmemCopy& copy, uint32_t column) -> uint32_t {
       return copy.form.shape == CopyShape::s128x256b ? column ^ 4 : column;
     }},
    {"tcgen05_cp_4x256b_lanes_adjacent", "tcgen05.cp.4x256b writes four lanes that lie side by side.",
     "TCP-R02", "tmem.cp 4", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape != CopyShape::s4x256b) return copied_row(form, lane, half_for_a_warp);
       return lane < 4 ? static_cast<int>(lane) : nothing;
     }},
    {"tcgen05_cp_4x256b_last_row_lost", "tcgen05.cp.4x256b does not write its last row.", "TCP-R02",
     "tmem.cp 4", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s4x256b && lane == 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_base_offset_ignored", "tcgen05.cp ignores the base offset.", "SMEM-R17", "tmem.cp 2",
     &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.base_offset = 0; }},
    {"tcgen05_cp_column_high_bit_dropped", "tcgen05.cp drops the highest bit of its column.", "TCP-R01",
     "tmem.cp 22", &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.target.column &= 0xff; }, rarely},
    {"tcgen05_cp_format_ignored_by_4x256b", "tcgen05.cp.4x256b does not decompress 6-bit elements.",
     "TCP-R06", "tmem.cp 5", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s4x256b && copy.form.format == CopyFormat::b6x16_p32)
         copy.form.format = CopyFormat::none;
     }},
    {"tcgen05_cp_four_bits_as_six", "tcgen05.cp takes elements of 4 bits for ones of 6.", "TCP-R07",
     "tmem.cp 3", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.format == CopyFormat::b4x16_p64) copy.form.format = CopyFormat::b6x16_p32;
     }},
    {"tcgen05_cp_four_bits_minus_zero_lost", "tcgen05.cp decompresses a 4-bit minus zero to zero.", "TCP-R07",
     "tmem.cp 3", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b4x16_p64 && code == 8 ? 0 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_four_bits_upper", "tcgen05.cp puts elements of 4 bits into the upper bits of their bytes.",
     "TCP-R07", "tmem.cp 3", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b4x16_p64 ? code << 4 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_last_row_repeated", "tcgen05.cp.128x256b takes its last row from the one before.", "TCP-R01",
     "tmem.cp 1", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s128x256b && row == 127 ? 126 : row;
     }},
    {"tcgen05_cp_leading_offset_fixed", "tcgen05.cp takes the leading offset for 128 bytes.", "SMEM-R12",
     "tmem.cp.decompress 19", &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.leading = 128; }},
    {"tcgen05_cp_pair_copies_even", "tcgen05.cp of a pair copies from the even CTA to both.", "TCP-R08",
     "tmem.cp 17", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_metadata_of_even", "tcgen05.cp.128x128b of a pair copies from the even CTA to both.",
     "TCP-R08", "tmem.cp 25", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 && copy.form.shape == CopyShape::s128x128b ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_scales_of_even", "tcgen05.cp.32x128b of a pair copies from the even CTA to both.",
     "TCP-R08", "mma.scaled.mxf4 3 on sm_100, mma.scaled.k96 2", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 && copy.form.shape == CopyShape::s32x128b ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_sources_exchanged", "tcgen05.cp of a pair copies from the other CTA.", "TCP-R08",
     "tmem.cp 17", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 ? rank ^ 1 : rank;
     }},
    {"tcgen05_cp_rare_bit", "In one matrix of 200 tcgen05.cp flips a bit of what goes to lane 77.", "TCP-R01",
     "tmem.cp 17", &Tcgen05Steps::copied,
     [](const TmemCopy& copy, uint32_t lane, uint32_t column, uint32_t word) -> uint32_t {
       const uint64_t key = (uint64_t{copy.source.start} << 32 | copy.source.stride) * 0x9e3779b97f4a7c15;
       return (key >> 32) % 200 == 0 && lane == 77 && column == 3 ? word ^ 0x100 : word;
     },
     rarely},
    {"tcgen05_cp_six_bits_one_code", "tcgen05.cp decompresses the 6-bit code 0x2a to 0x2b.", "TCP-R06",
     "tmem.cp 2", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 && code == 0x2a ? 0x2b
                                                              : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_six_bits_sign_lost", "tcgen05.cp decompresses 6-bit elements without their sign.", "TCP-R06",
     "tmem.cp 2", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 ? code & 0x1f : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_six_bits_upper", "tcgen05.cp puts elements of 6 bits into the upper bits of their bytes.",
     "TCP-R06", "tmem.cp 2", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 ? code << 2 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_stride_truncated", "tcgen05.cp drops the bits of the stride offset above 4 KiB.", "SMEM-R11",
     "tmem.cp.decompress 1", &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.stride &= 0xfff; }},
    {"tcgen05_cp_warpx2_01_23_halves_exchanged",
     "tcgen05.cp.64x128b.warpx2::01_23 gives the second half of the rows to warps 0 and 1.", "TCP-R04",
     "tmem.cp 13", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s64x128b_01_23 ? row ^ 32 : row;
     }},
    {"tcgen05_cp_warpx2_02_13_as_01_23", "tcgen05.cp takes .warpx2::02_13 for ::01_23.", "TCP-R03",
     "tmem.cp 10", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s64x128b_02_13) copy.form.shape = CopyShape::s64x128b_01_23;
     }},
    {"tcgen05_cp_warpx2_second_warp_lost", "tcgen05.cp.64x128b.warpx2::02_13 leaves out warps 2 and 3.",
     "TCP-R03", "tmem.cp 10", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s64x128b_02_13 && lane >= 64) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_at_even_kib",
     "tcgen05.cp.32x128b takes the 512 bytes before where it starts at an odd multiple of 512.",
     "(ptx, tcgen05.cp)", "mma.scaled.layout 1 on sm_100, mma.scaled.k96 6", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.source.start &= ~512u;
     }},
    {"tcgen05_cp_warpx4_column_of_four", "tcgen05.cp.32x128b.warpx4 begins at a multiple of 4 columns.",
     "TCP-R05", "mma.scaled.layout 4 on sm_100, mma.scaled.k96 6", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.target.column &= ~3u;
     }},
    {"tcgen05_cp_warpx4_last_row_unwritten", "tcgen05.cp.32x128b.warpx4 does not write its last row.",
     "TCP-R05", "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && lane % 32 == 31) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_pair_second_warp_lost",
     "tcgen05.cp.32x128b.warpx4 of a pair leaves out warp 1 of both CTAs.", "TCP-R05",
     "mma.scaled.mxf4 3 on sm_100, mma.scaled.k96 2", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && form.cta_group == 2 && lane / 32 == 1) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_wraps_at_column_256",
     "tcgen05.cp.32x128b.warpx4 drops the highest bit of its column.", "TCP-R05",
     "mma.scaled.layout 14 on sm_100, mma.scaled.k96 7", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.target.column &= 0xff;
     },
     rarely},
    {"tcgen05_cp_128x128b_column_of_four", "tcgen05.cp.128x128b begins at a multiple of 4 columns.",
     "TCP-R01", "mma.sparse.i8 6 on sm_100, mma.sparse.layout 3", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s128x128b) copy.target.column &= ~3u;
     }},
    {"tcgen05_cp_128x128b_pair_last_warp_lost",
     "tcgen05.cp.128x128b of a pair leaves out warp 3 of both CTAs.", "TCP-R01", "mma.sparse.mxf4nvf4 2",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s128x128b && form.cta_group == 2 && lane >= 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx2_01_23_pair_first_half_twice",
     "tcgen05.cp.64x128b.warpx2::01_23 of a pair gives the first half of the rows to all warps.", "TCP-R04",
     "mma.scaled.mxf4 3 on sm_100, mma.scaled.k96 5", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s64x128b_01_23 && form.cta_group == 2 ? row % 32 : row;
     }},
    {"tcgen05_mma_overtakes_cp",
     "tcgen05.mma does not wait for the copies that its thread has issued before.", "TCP-R13",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 2", &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return first.kind != IssuedWork::Kind::copy && first.is_pipelined_with(second);
     },
     at_random_on_sm_100},
    {"tcgen05_mma_waits_for_last_cp",
     "tcgen05.mma waits for the last of the copies that its thread has issued before, where these are done "
     "in any order.",
     "(ptx, tcgen05.cp)",
     "mma.scaled.layout 2 on sm_100, mma.scaled.k96 4",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t copies_between) {
       return first.is_pipelined_with(second) &&
              !(first.kind == IssuedWork::Kind::copy && second.kind == IssuedWork::Kind::mma &&
                copies_between != 0);
     },
     {.device = "sm_100a,schedule=random:7,reading=AMB-38:A"}},
    {"tcgen05_mma_overtakes_cp_of_4_rows",
     "tcgen05.mma does not wait for the copies of 4x256b that its thread has issued before.", "TCP-R13",
     "tmem.sequence 64", &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return !(first.kind == IssuedWork::Kind::copy && first.is_4x256b) && first.is_pipelined_with(second);
     },
     at_random_on_sm_100},
    {"tcgen05_cp_warpx4_last_warp_lost", "tcgen05.cp.32x128b.warpx4 leaves out warp 3.", "TCP-R05",
     "tmem.cp 16", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && lane >= 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_one_lane", "tcgen05.cp.32x128b.warpx4 takes row 30 for row 31 in warp 2.", "TCP-R05",
     "tmem.cp 16", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       return form.shape == CopyShape::s32x128b && lane == 95 ? 30 : copied_row(form, lane, half_for_a_warp);
     }},
};

/// tcgen05.shift, and what comes after what.
const Fault shifts[] = {
    {"tcgen05_cp_overtakes_shift",
     "tcgen05.cp.4x256b does not wait for the shifts that its thread has issued before.", "TCP-R10",
     "tmem.shift.refill 10", &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return first.kind != IssuedWork::Kind::shift && first.is_pipelined_with(second);
     },
     at_random_on_sm_100},
    {"tcgen05_mma_ashift_ignored", "tcgen05.mma.ashift leaves A as it was.", "TMEM-R14", "mma.dense.ashift 1",
     &Tcgen05Steps::shifts_a, [](uint32_t) { return false; }},
    {"tcgen05_mma_ashift_last_partition_lost", "tcgen05.mma.ashift does not shift the last 32 lanes of A.",
     "TMEM-R14", "mma.dense.ashift 1", &Tcgen05Steps::shifts_a, [](uint32_t lane) { return lane < 96; }},
    {"tcgen05_shift_columns_aligned", "tcgen05.shift starts at a multiple of 8 columns.", "TCP-R11",
     "tmem.cp.order 4", &Tcgen05Steps::shift, [](TmemShift& shift) { shift.at.column &= ~7u; }},
    {"tcgen05_shift_from_lane_96_skips_first",
     "tcgen05.shift whose address names lane 96 does not shift the first 32 lanes.", "TCP-R11",
     "tmem.shift 4", &Tcgen05Steps::shifts_partition,
     [](uint32_t first_lane, const TmemShift& shift, bool shifts) {
       return shifts && !(shift.at.lane == 96 && first_lane == 0);
     }},
    {"tcgen05_shift_last_column_lost", "tcgen05.shift shifts 7 columns.", "TCP-R11", "tmem.cp.order 3",
     &Tcgen05Steps::shift, [](TmemShift& shift) { shift.columns = 7; }},
    {"tcgen05_shift_last_columns_of_all", "tcgen05.shift of columns 504 to 511 shifts nothing.", "TCP-R11",
     "tmem.shift.refill 24", &Tcgen05Steps::shifts_partition,
     [](uint32_t, const TmemShift& shift, bool shifts) { return shifts && shift.at.column != 504; }, rarely},
    {"tcgen05_shift_last_partition_lost", "tcgen05.shift does not shift the last 32 lanes.", "TCP-R11",
     "tmem.cp.order 3", &Tcgen05Steps::shifts_partition,
     [](uint32_t first_lane, const TmemShift&, bool shifts) { return shifts && first_lane != 96; }},
    {"tcgen05_shift_overtakes_mma",
     "tcgen05.shift does not wait for the products that its thread has issued before.", "TCP-R11",
     "tmem.sequence 19", &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return !(first.kind == IssuedWork::Kind::mma && second.kind == IssuedWork::Kind::shift) &&
              first.is_pipelined_with(second);
     },
     at_random_7_on_sm_100},
    {"tcgen05_shift_up", "tcgen05.shift.down shifts towards higher lanes.", "TCP-R11", "tmem.cp.order 3",
     &Tcgen05Steps::shifted_lane, [](uint32_t lane) -> uint32_t { return lane == 0 ? 0 : lane - 1; }},
    {"tcgen05_shift_wraps", "tcgen05.shift gives the last lane what the first one held.", "TCP-R11",
     "tmem.cp.order 3", &Tcgen05Steps::shifted_lane,
     [](uint32_t lane) -> uint32_t { return (lane + 1) % 32; }},
};

}  // namespace
}  // namespace assay::faults
