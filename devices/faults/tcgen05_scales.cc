#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/tcgen05_scales.h"

/// Block scaling of tcgen05.mma: where scale factors lie, what they are worth, what they scale.
namespace assay::faults::tcgen05_scales {
namespace {

using namespace emulator;
using Request = ScaleRequest;
using Descriptor = InstructionDescriptor;

bool is_pair(const Descriptor& d, std::string_view a, std::string_view b) {
  return d.a->name == a && d.b->name == b;
}
bool is_ue8m0(const Descriptor& d) {
  return d.scale->name == "ue8m0";
}
ScaleCell with_id(Request request, uint32_t id) {
  request.id = id;
  return scale_cell(request);
}

const Fault rows[] = {
    {"scale_a_id_ignored", "The scales of A always begin in byte 0.", "SCALE-R04", &Tcgen05Steps::scale,
     [](const Request& r) { return r.is_a ? with_id(r, 0) : scale_cell(r); }},
    {"scale_b_id_ignored", "The scales of B always begin in byte 0.", "SCALE-R04", &Tcgen05Steps::scale,
     [](const Request& r) { return r.is_a ? scale_cell(r) : with_id(r, 0); }},
    {"scale_b_column_of_four", "The scales of B begin at a multiple of four columns.",
     "(ptx, tcgen05, block scaling)", &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a) right.column -= r.mma->b_scales.column % 4;
       return right;
     }},
    {"scale_b_columns_wrap_at_128", "Columns of B from 128 on have the scales of those 128 before.",
     "SCALE-R03", &Tcgen05Steps::scale,
     [](const Request& r) {
       Request other = r;
       if (!r.is_a && r.mma->descriptor.n > 128 && r.mma->layout.groups == 1) other.line %= 128;
       return scale_cell(other);
     }},
    {"scale_b_group_always_4",
     "The next group of scales of B is 4 columns on, with N above 128 too.",
     "SCALE-R05",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 1 && r.mma->descriptor.n > 128)
         right.column -= r.position() / 4 * 4;
       return right;
     },
     {.device = "sm_103a"}},
    {"scale_a_group_of_8",
     "The next group of scales of A is 8 columns on.",
     "SCALE-R05",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (r.is_a) right.column += r.position() / 4 * 4;
       return right;
     },
     {.device = "sm_103a"}},
    {"scale_wraps_in_cell",
     "Scales past byte 3 come from the same cell again.",
     "SCALE-R05",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       if (r.position() < 4) return scale_cell(r);
       Request first = r;
       first.number = 0;
       ScaleCell cell = with_id(first, 0);
       cell.byte = r.position() % 4;
       return cell;
     },
     {.device = "sm_103a"}},
    {"scale_id_3_as_2",
     "Scale id 3 is taken for 2 where K is 96.",
     "SCALE-R04",
     &Tcgen05Steps::scale,
     [](const Request& r) { return r.mma->descriptor.is_k96 && r.id == 3 ? with_id(r, 2) : scale_cell(r); },
     {.device = "sm_103a"}},
    {"scale_blocks_exchanged", "Neighbouring blocks of K have each other's scales.", "SCALE-R01",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       Request other = r;
       if (r.mma->descriptor.is_packed) other.number ^= 1;
       return scale_cell(other);
     }},
    {"scale_bytes_reversed", "The first scale of a cell is in its highest byte.", "SCALE-R02",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       right.byte ^= 3;
       return right;
     }},
    {"scale_first_block_for_all", "All blocks of K have the scale of B of the first.", "SCALE-R01",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       Request first = r;
       if (!r.is_a) first.number = 0;
       return scale_cell(first);
     }},
    {"scale_id_high_bit_dropped", "A scale id of 2 is taken for 0 and one of 3 for 1.", "SCALE-R04",
     &Tcgen05Steps::scale, [](const Request& r) { return with_id(r, r.id & 1); }},
    {"scale_ids_exchanged", "The scale ids of A and B are taken for each other.", "SCALE-R04",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       const Descriptor& d = r.mma->descriptor;
       return with_id(r, r.is_a ? d.b_scale_id : d.a_scale_id);
     }},
    {"scale_last_row_as_before",
     "The last row of A has the scale of the one before it, in the last block of four.", "SCALE-R03",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       Request other = r;
       if (r.is_a && r.line == 127 && r.number == 3) other.line = 126;
       return scale_cell(other);
     }},
    {"scale_last_of_248_columns",
     "The last of 248 columns of B has the scale of the one before it.",
     "SCALE-R03",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       Request other = r;
       if (!r.is_a && r.mma->descriptor.n == 248 && r.line == 247) other.line = 246;
       return scale_cell(other);
     },
     {.rare = true}},
    {"scale_lanes_halved", "The scales of B in the upper 16 lanes come before those in the lower ones.",
     "SCALE-R03", &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a) right.lane ^= 16;
       return right;
     }},
    {"scale_rows_of_one_column", "All rows of A have their scales in the first column.", "SCALE-R03",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (r.is_a) right.column -= r.line / 32;
       return right;
     }},
    {"scale_pair_halves_swapped", "On a pair with M of 128 each half of N has the scales of the other.",
     "SCALE-R06", &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 2) right.lane ^= 64;
       return right;
     }},
    {"scale_pair_lower_half_for_both",
     "On a pair with M of 128 both halves of N have the scales of the lower.", "SCALE-R06",
     &Tcgen05Steps::scale,
     [](const Request& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 2) right.lane %= 64;
       return right;
     }},

    {"scale_nan_is_largest", "0xff of ue8m0 counts as 2^127.", "ADD-R24", &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t { return is_ue8m0(d) && code == 0xff ? 0xfe : code; }},
    {"scale_ue4m3_nan_is_largest", "0x7f of ue4m3 counts as 448.", "ADD-R24", &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x7f) == 0x7f ? 0x7e : code;
     }},
    {"scale_ue4m3_subnormals_flushed", "Subnormal scales of ue4m3 count as zero.", "SCALE-R08",
     &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x78) == 0 ? 0 : code;
     }},
    {"scale_ue4m3_bit_7_in_exponent", "Bit 7 of a ue4m3 scale adds one to its exponent.", "SCALE-R08",
     &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x80) != 0 && (code & 0x78) < 0x70 ? (code & 0x7f) + 8 : code;
     }},
    {"scale_ue8m0_zero_as_one", "0 of ue8m0 counts as 2^-126.", "SCALE-R08", &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t { return is_ue8m0(d) && code == 0 ? 1 : code; }},
    {"scale_lost_for_one_pair_of_types", "Scales count as 1 where e2m3 is multiplied by e5m2.", "ADD-R22",
     &Tcgen05Steps::scale_code,
     [](const Descriptor& d, uint8_t code) -> uint8_t { return is_pair(d, "e2m3", "e5m2") ? 0x7f : code; }},

    {"k96_absolute_address_ignored",
     "With an absolute leading address bytes past the end of a row are nevertheless read behind it.",
     "SMEM-R20",
     &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) { descriptor.leading_is_absolute = false; },
     {.device = "sm_103a"}},
    {"k96_row_ends_early",
     "With an absolute leading address a row ends 16 bytes before its end.",
     "SMEM-R20",
     &Tcgen05Steps::smem,
     [](SmemDescriptor& descriptor) {
       if (descriptor.leading_is_absolute && (descriptor.start & 0x7f) == 0x60) descriptor.start += 0x10;
     },
     {.device = "sm_103a"}},
    {"scaled_negate_b_lost_for_e2m1", "B is not negated in the kinds of 4-bit elements.", "ADD-R18",
     &Tcgen05Steps::instruction,
     [](Descriptor& d) {
       if (d.is_packed) d.negate_b = false;
     }},

    {"scaled_pair_of_types_one_bit_off",
     "The lowest bit of D is wrong where e3m2 is multiplied by e2m1.",
     "ADD-R22",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const TileProduct& p = *result.product;
       const bool is_it =
           p.scale_format != nullptr && p.a_format->name == "e3m2" && p.b_format->name == "e2m1";
       return is_it ? result.code ^ 1 : result.code;
     },
     {.device = "sm_100a"}},
    {"scaled_groups_cut_early",
     "The kinds of 4-bit elements keep 31 bits below the largest exponent.",
     "ADD-R23",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups) rules.kept_bits = 31;
     },
     {.device = "sm_100a"}},
    {"scaled_groups_of_8",
     "The kinds of 4-bit elements cut sums of 8 products.",
     "ADD-R23",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups) rules.group = 8;
     },
     {.device = "sm_100a"}},
    {"scaled_last_group_lost_of_96",
     "Of 96 products the last 16 are lost.",
     "ADD-R23",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups && product.k == 96) rules.products = 80;
     },
     {.device = "sm_103a"}},
    {"scaled_smallest_number_lost",
     "A result of 2^-149 is given as zero where there are scales.",
     "ADD-R10",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const bool is_it = result.product->scale_format != nullptr && (result.code & 0x7fffffff) == 1;
       return is_it ? 0 : result.code;
     },
     {.device = "sm_100a"}},
    {"scaled_mxf8_cut_early",
     "kind::mxf8f6f4 keeps 24 bits below the largest exponent.",
     "ADD-R22",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.scale_format != nullptr && !product.adds_groups) rules.kept_bits = 24;
     },
     {.device = "sm_100a"}},
};

}  // namespace
}  // namespace assay::faults::tcgen05_scales
