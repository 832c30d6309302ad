#include "devices/emulator/fault.h"

/// tcgen05.cp: rows, words, formats, and whose shared memory.
namespace assay::faults::tcgen05_copy {
namespace {

using namespace emulator;

constexpr int nothing = -1;

const Fault rows[] = {
    {"tcgen05_cp_128x128b_last_row_lost", "tcgen05.cp.128x128b does not write its last row.", "TCP-R01",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s128x128b && lane == 127) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_128x128b_words_exchanged", "tcgen05.cp.128x128b exchanges the halves of each row.",
     "TCP-R01", &Tcgen05Steps::copied_word,
     [](const TmemCopy& copy, uint32_t column) -> uint32_t {
       return copy.form.shape == CopyShape::s128x128b ? column ^ 2 : column;
     }},
    {"tcgen05_cp_256b_halves_exchanged", "tcgen05.cp.128x256b exchanges the halves of each row.", "TCP-R01",
     &Tcgen05Steps::copied_word,
     [](const TmemCopy& copy, uint32_t column) -> uint32_t {
       return copy.form.shape == CopyShape::s128x256b ? column ^ 4 : column;
     }},
    {"tcgen05_cp_4x256b_lanes_adjacent", "tcgen05.cp.4x256b writes four lanes that lie side by side.",
     "TCP-R02", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape != CopyShape::s4x256b) return copied_row(form, lane, half_for_a_warp);
       return lane < 4 ? static_cast<int>(lane) : nothing;
     }},
    {"tcgen05_cp_4x256b_last_row_lost", "tcgen05.cp.4x256b does not write its last row.", "TCP-R02",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s4x256b && lane == 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_base_offset_ignored", "tcgen05.cp does not look at the base offset.", "SMEM-R17",
     &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.base_offset = 0; }},
    {"tcgen05_cp_column_high_bit_dropped",
     "tcgen05.cp drops the highest bit of its column.",
     "TCP-R01",
     &Tcgen05Steps::copy,
     [](TmemCopy& copy) { copy.target.column &= 0xff; },
     {.rare = true}},
    {"tcgen05_cp_format_ignored_by_4x256b", "tcgen05.cp.4x256b does not decompress 6-bit elements.",
     "TCP-R06", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s4x256b && copy.form.format == CopyFormat::b6x16_p32)
         copy.form.format = CopyFormat::none;
     }},
    {"tcgen05_cp_four_bits_as_six", "tcgen05.cp takes elements of 4 bits for ones of 6.", "TCP-R07",
     &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.format == CopyFormat::b4x16_p64) copy.form.format = CopyFormat::b6x16_p32;
     }},
    {"tcgen05_cp_four_bits_minus_zero_lost", "tcgen05.cp decompresses a 4-bit minus zero to zero.", "TCP-R07",
     &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b4x16_p64 && code == 8 ? 0 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_four_bits_upper", "tcgen05.cp puts elements of 4 bits into the upper bits of their bytes.",
     "TCP-R07", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b4x16_p64 ? code << 4 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_last_row_repeated", "tcgen05.cp.128x256b takes its last row from the one before.", "TCP-R01",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s128x256b && row == 127 ? 126 : row;
     }},
    {"tcgen05_cp_leading_offset_fixed", "tcgen05.cp takes the leading offset for 128 bytes.", "SMEM-R12",
     &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.leading = 128; }},
    {"tcgen05_cp_pair_copies_even", "tcgen05.cp of a pair copies from the even CTA to both.", "TCP-R08",
     &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_metadata_of_even", "tcgen05.cp.128x128b of a pair copies from the even CTA to both.",
     "TCP-R08", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 && copy.form.shape == CopyShape::s128x128b ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_scales_of_even", "tcgen05.cp.32x128b of a pair copies from the even CTA to both.",
     "TCP-R08", &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 && copy.form.shape == CopyShape::s32x128b ? rank & ~1u : rank;
     }},
    {"tcgen05_cp_pair_sources_exchanged", "tcgen05.cp of a pair copies from the other CTA.", "TCP-R08",
     &Tcgen05Steps::copy_source,
     [](uint32_t rank, const TmemCopy& copy) -> uint32_t {
       return copy.form.cta_group == 2 ? rank ^ 1 : rank;
     }},
    {"tcgen05_cp_rare_bit",
     "In one matrix of 200 tcgen05.cp flips a bit of what goes to lane 77.",
     "TCP-R01",
     &Tcgen05Steps::copied,
     [](const TmemCopy& copy, uint32_t lane, uint32_t column, uint32_t word) -> uint32_t {
       const uint64_t key = (uint64_t{copy.source.start} << 32 | copy.source.stride) * 0x9e3779b97f4a7c15;
       return (key >> 32) % 200 == 0 && lane == 77 && column == 3 ? word ^ 0x100 : word;
     },
     {.rare = true}},
    {"tcgen05_cp_six_bits_one_code", "tcgen05.cp decompresses the 6-bit code 0x2a to 0x2b.", "TCP-R06",
     &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 && code == 0x2a ? 0x2b
                                                              : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_six_bits_sign_lost", "tcgen05.cp decompresses 6-bit elements without their sign.", "TCP-R06",
     &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 ? code & 0x1f : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_six_bits_upper", "tcgen05.cp puts elements of 6 bits into the upper bits of their bytes.",
     "TCP-R06", &Tcgen05Steps::decompressed,
     [](CopyFormat format, uint32_t code, bool is_in_middle) -> uint32_t {
       return format == CopyFormat::b6x16_p32 ? code << 2 : decompressed(format, code, is_in_middle);
     }},
    {"tcgen05_cp_stride_truncated", "tcgen05.cp drops the bits of the stride offset above 4 KiB.", "SMEM-R11",
     &Tcgen05Steps::copy, [](TmemCopy& copy) { copy.source.stride &= 0xfff; }},
    {"tcgen05_cp_warpx2_01_23_halves_exchanged",
     "tcgen05.cp.64x128b.warpx2::01_23 gives the second half of the rows to warps 0 and 1.", "TCP-R04",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s64x128b_01_23 ? row ^ 32 : row;
     }},
    {"tcgen05_cp_warpx2_02_13_as_01_23", "tcgen05.cp takes .warpx2::02_13 for ::01_23.", "TCP-R03",
     &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s64x128b_02_13) copy.form.shape = CopyShape::s64x128b_01_23;
     }},
    {"tcgen05_cp_warpx2_second_warp_lost", "tcgen05.cp.64x128b.warpx2::02_13 leaves out warps 2 and 3.",
     "TCP-R03", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s64x128b_02_13 && lane >= 64) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_at_even_kib",
     "tcgen05.cp.32x128b takes the 512 bytes before where it starts at an odd multiple of 512.",
     "(ptx, tcgen05.cp)", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.source.start &= ~512u;
     }},
    {"tcgen05_cp_warpx4_column_of_four", "tcgen05.cp.32x128b.warpx4 begins at a multiple of 4 columns.",
     "TCP-R05", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.target.column &= ~3u;
     }},
    {"tcgen05_cp_warpx4_last_row_unwritten", "tcgen05.cp.32x128b.warpx4 does not write its last row.",
     "TCP-R05", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && lane % 32 == 31) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_pair_second_warp_lost",
     "tcgen05.cp.32x128b.warpx4 of a pair leaves out warp 1 of both CTAs.", "TCP-R05",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && form.cta_group == 2 && lane / 32 == 1) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_wraps_at_column_256",
     "tcgen05.cp.32x128b.warpx4 drops the highest bit of its column.",
     "TCP-R05",
     &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s32x128b) copy.target.column &= 0xff;
     },
     {.rare = true}},
    {"tcgen05_cp_128x128b_column_of_four", "tcgen05.cp.128x128b begins at a multiple of 4 columns.",
     "TCP-R01", &Tcgen05Steps::copy,
     [](TmemCopy& copy) {
       if (copy.form.shape == CopyShape::s128x128b) copy.target.column &= ~3u;
     }},
    {"tcgen05_cp_128x128b_pair_last_warp_lost",
     "tcgen05.cp.128x128b of a pair leaves out warp 3 of both CTAs.", "TCP-R01", &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s128x128b && form.cta_group == 2 && lane >= 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx2_01_23_pair_first_half_twice",
     "tcgen05.cp.64x128b.warpx2::01_23 of a pair gives the first half of the rows to all warps.", "TCP-R04",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       const int row = copied_row(form, lane, half_for_a_warp);
       return form.shape == CopyShape::s64x128b_01_23 && form.cta_group == 2 ? row % 32 : row;
     }},
    {"tcgen05_mma_overtakes_cp",
     "tcgen05.mma does not wait for the copies that its thread has issued before.",
     "TCP-R13",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return first.kind != IssuedWork::Kind::copy && first.is_pipelined_with(second);
     },
     {.device = "sm_100a,schedule=random:1"}},
    {"tcgen05_mma_waits_for_last_cp",
     "tcgen05.mma waits for the last of the copies that its thread has issued before, where these are done "
     "in any order.",
     "(ptx, tcgen05.cp)",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t copies_between) {
       return first.is_pipelined_with(second) &&
              !(first.kind == IssuedWork::Kind::copy && second.kind == IssuedWork::Kind::mma &&
                copies_between != 0);
     },
     {.device = "sm_100a,schedule=random:7,reading=AMB-38:A"}},
    {"tcgen05_mma_overtakes_cp_of_4_rows",
     "tcgen05.mma does not wait for the copies of 4x256b that its thread has issued before.",
     "TCP-R13",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return !(first.kind == IssuedWork::Kind::copy && first.is_4x256b) && first.is_pipelined_with(second);
     },
     {.device = "sm_100a,schedule=random:1"}},
    {"tcgen05_cp_warpx4_last_warp_lost", "tcgen05.cp.32x128b.warpx4 leaves out warp 3.", "TCP-R05",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       if (form.shape == CopyShape::s32x128b && lane >= 96) return nothing;
       return copied_row(form, lane, half_for_a_warp);
     }},
    {"tcgen05_cp_warpx4_one_lane", "tcgen05.cp.32x128b.warpx4 takes row 30 for row 31 in warp 2.", "TCP-R05",
     &Tcgen05Steps::copied_row,
     [](const CopyForm& form, uint32_t lane, bool half_for_a_warp) -> int {
       return form.shape == CopyShape::s32x128b && lane == 95 ? 30 : copied_row(form, lane, half_for_a_warp);
     }},
};

}  // namespace
}  // namespace assay::faults::tcgen05_copy
