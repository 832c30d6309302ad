#include <utility>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/tcgen05_mma.h"

/// tcgen05.mma: descriptors, masks, and where the accumulator lies.
namespace assay::faults::tcgen05_mma {
namespace {

using namespace emulator;

const Fault rows[] = {
    // What no table allows may give any D, and must leave all around it as it is.
    {"tcgen05_base_offset_without_swizzle_moves_d",
     "With a base offset and no swizzle D is written eight columns further on, with what lies behind it.",
     "(ptx, tcgen05, shared memory descriptor, starting address of the repeating pattern)",
     &Tcgen05Steps::decoded,
     [](Mma& mma) {
       const SmemDescriptor& b = mma.b_matrix.descriptor;
       if (b.swizzle == SmemSwizzle::none && b.base_offset != 0) mma.d.column += 8;
     }},
    {"tcgen05_absolute_leading_of_17_bits",
     "The absolute leading address loses its bits above 128 KiB.",
     "SMEM-R11",
     &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute) descriptor.leading &= 0x1ffff;
     },
     {.device = "sm_103a"}},
    {"tcgen05_absolute_leading_one_piece_late",
     "The absolute leading address is taken 16 bytes further on where the row ends 32 bytes behind the "
     "start.",
     "SMEM-R20",
     &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute && descriptor.start % 128 == 96) descriptor.leading += 16;
     },
     {.device = "sm_103a"}},
    {"tcgen05_mask_extremes_together",
     "A start count of 200 and more with a column shift of 16 and more counts one less.", "ZCM-R03",
     &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       for (uint32_t& count : mask.start_count)
         if (mask.shift >= 16 && count >= 200) --count;
     }},
    {"tcgen05_reused_shift_is_most", "Where B is reused its columns are shifted by the most that is allowed.",
     "ZCM-R08", &Tcgen05Steps::reused_shift,
     [](uint32_t shift, uint32_t max_shift) -> uint32_t { return shift == 0 ? 0 : max_shift; }},
    {"tcgen05_reused_shift_lost", "Where B is reused its columns are not shifted.", "ZCM-R08",
     &Tcgen05Steps::reused_shift, [](uint32_t, uint32_t) -> uint32_t { return 0; }},
    {"tcgen05_smem_leading_bit_17_dropped", "The highest bit of the leading dimension offset is dropped.",
     "SMEM-R11", &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.leading &= 0x1ffff; }},
    {"tcgen05_smem_start_bit_17_dropped", "The start address of a matrix loses its bits above 128 KiB.",
     "SMEM-R11", &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.start &= 0x1ffff; }},
    {"tcgen05_smem_stride_bit_17_dropped", "The highest bit of the stride dimension offset is dropped.",
     "SMEM-R11", &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.stride &= 0x1ffff; }},
    {"tcgen05_base_offset_ignored", "The base offset is not looked at.", "SMEM-R17", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.base_offset = 0; }},
    {"tcgen05_column_shift_dropped", "The columns of B are not shifted.", "ZCM-R08", &Tcgen05Steps::mask,
     [](ColumnMask& mask) { mask.shift = 0; }},
    {"tcgen05_commit_early",
     "tcgen05.commit does not wait for what it tracks.",
     "SYNC-R01",
     &Tcgen05Steps::commit_waits,
     false,
     {.device = "sm_100a,schedule=lazy"}},
    {"tcgen05_disabled_lanes_ignored", "Lanes that are disabled are written too.", "TMEM-R12",
     &Tcgen05Steps::keeps_lane, [](bool) { return false; }},
    {"tcgen05_disabled_lanes_reversed", "The words of disable-output-lane count from the highest lanes.",
     "TMEM-R12", &Tcgen05Steps::lane_word,
     [](uint32_t word, uint32_t words) -> uint32_t { return words - 1 - word; }},
    {"tcgen05_input_d_always_read", "enable-input-d is taken for true.", "ADD-R17", &Tcgen05Steps::reads_d,
     [](bool) { return true; }},
    {"tcgen05_input_d_never_read", "enable-input-d is taken for false.", "ADD-R07", &Tcgen05Steps::reads_d,
     [](bool) { return false; }},
    {"tcgen05_layout_e_halves_swapped", "In layout E the lower half of N lies in the upper lanes.",
     "TMEM-R05", &Tcgen05Steps::lane_group,
     [](const AccumulatorLayout& layout, uint32_t group) -> uint32_t {
       return layout.name == 'E' ? group ^ 1 : group;
     }},
    {"tcgen05_layout_g_quarters_reversed", "In layout G the last quarter of N lies in the first lanes.",
     "TMEM-R06", &Tcgen05Steps::lane_group,
     [](const AccumulatorLayout& layout, uint32_t group) -> uint32_t {
       return layout.name == 'G' ? 3 - group : group;
     }},
    {"tcgen05_mask_last_part_as_first", "The last part of the columns is masked as the first one.", "ZCM-R07",
     &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       mask.start_count[3] = mask.start_count[0];
       mask.starts_zeroed[3] = mask.starts_zeroed[0];
     }},
    {"tcgen05_mask_shortest_beside_longest", "A use span of 1 beside a skip span of 256 is 2 long.",
     "ZCM-R06", &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       if (mask.skip_span == 256 && mask.use_span == 1) mask.use_span = 2;
     }},
    {"tcgen05_mask_skip_span_one_more", "A skip span is one column longer than it says.", "ZCM-R06",
     &Tcgen05Steps::mask, [](ColumnMask& mask) { ++mask.skip_span; }},
    {"tcgen05_mask_spans_exchanged", "Skip spans are used and use spans zeroed.", "ZCM-R06",
     &Tcgen05Steps::mask, [](ColumnMask& mask) { std::swap(mask.skip_span, mask.use_span); }},
    {"tcgen05_mask_start_state_ignored", "The columns before the first span are always used.", "ZCM-R06",
     &Tcgen05Steps::mask, [](ColumnMask& mask) { mask.starts_zeroed.fill(false); }},
    {"tcgen05_negate_a_ignored", "The bit that negates A is not looked at.", "ADD-R18",
     &Tcgen05Steps::instruction, [](InstructionDescriptor& descriptor) { descriptor.negate_a = false; }},
    {"tcgen05_negate_b_ignored", "B is not negated.", "ADD-R18", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.negate_b = false; }},
    {"tcgen05_negates_both", "The bit that negates A negates B as well.", "ADD-R18",
     &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) {
       if (descriptor.negate_a) descriptor.negate_b = !descriptor.negate_b;
     }},
    {"tcgen05_pair_b_halves_swapped", "The even CTA of a pair supplies the upper half of B.", "TMEM-R02",
     &Tcgen05Steps::half_of_b, [](uint32_t rank) -> uint32_t { return rank ^ 1; }},
    {"tcgen05_pair_disable_words_swapped",
     "The lanes that an instruction of a CTA pair leaves out are those of the other CTA.", "TMEM-R12",
     &Tcgen05Steps::lane_word,
     [](uint32_t number, uint32_t words) -> uint32_t { return words == 8 ? number ^ 4 : number; }},
    {"tcgen05_saturate_ignored",
     "Integer results wrap though the descriptor asks to saturate.",
     "ADD-R20",
     &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.saturates = false; },
     {.alone = true}},  // kind::i8 is not on sm_103a (IDESC-R18)
    {"tcgen05_smem_leading_high_bit_dropped", "The highest bits of the leading dimension offset are dropped.",
     "SMEM-R11", &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.leading &= 0x3fff; }},
    {"tcgen05_smem_start_bit_dropped",
     "The lowest bit of the start address of a matrix in shared memory is dropped.", "SMEM-R11",
     &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.start &= ~0x10u; }},
    {"tcgen05_smem_stride_truncated", "The stride dimension offset loses its bits above 4 KiB.", "SMEM-R11",
     &Tcgen05Steps::smem, [](SmemDescriptor& descriptor) { descriptor.stride &= 0xfff; }},
    {"tcgen05_smem_stride_of_none_is_1024", "A stride dimension offset of 0 is taken as 1,024 bytes.",
     "SMEM-R11", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.stride == 0) descriptor.stride = 1024;
     }},
    {"tcgen05_smem_strides_exchanged", "Leading and stride offset are taken for each other.", "SMEM-R12",
     &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { std::swap(descriptor.leading, descriptor.stride); }},
    {"tcgen05_smem_swizzle_64b_as_32b", "A matrix with the 64-byte swizzle is read with the 32-byte one.",
     "SMEM-R16", &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.swizzle == SmemSwizzle::w64) descriptor.swizzle = SmemSwizzle::w32;
     }},
    {"tcgen05_start_count_off_by_one", "One column more of the first span is taken for consumed.", "ZCM-R03",
     &Tcgen05Steps::mask,
     [](ColumnMask& mask) {
       for (uint32_t& count : mask.start_count) ++count;
     }},
    {"tcgen05_transpose_a_ignored", "The transpose bit of A is not looked at.",
     "(ptx, tcgen05, instruction descriptor)", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.transpose_a = false; }},
    {"tcgen05_transpose_b_ignored", "The transpose bit of B is not looked at.",
     "(ptx, tcgen05, instruction descriptor)", &Tcgen05Steps::instruction,
     [](InstructionDescriptor& descriptor) { descriptor.transpose_b = false; }},
};

}  // namespace
}  // namespace assay::faults::tcgen05_mma
