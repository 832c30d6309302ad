// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/tcgen05_scales.h"
#include "devices/faults/rows.h"

/// The adder of all tensor cores, and the scale factors that tcgen05.mma brings to it.
namespace assay::faults {
namespace {

using namespace emulator;

/// The adder without scales.
const Fault adder[] = {
    {"adder_aligns_true_exponent", "A subnormal operand counts with the exponent of its own leading bit.",
     "ADD-R03", "mma_sync.bf16 12 on sm_90, mma.dense.f16 11", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.normalised_bits = 32; }},
    {"adder_bf16_as_f16_sum", "Products of bf16 are summed with one bit fewer than those of f16.", "ADD-R04",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 2", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->name == "bf16") --rules.kept_bits;
     }},
    {"adder_c_first", "C and the first product are summed and rounded before the others join.", "ADD-R07",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.adds_c = AdderRules::AddsC::first; }},
    {"adder_c_last", "C is added to the rounded sum of the products, by an addition that rounds.", "ADD-R07",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.adds_c = AdderRules::AddsC::last; }},
    {"adder_f16_truncated", "An f16 result is cut, not rounded to nearest.", "ADD-R11",
     "mma_sync.f16 2 on sm_90, mma.dense.f16 6", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f16") rules.rounds_to_nearest = false;
     }},
    {"adder_floor_raised", "Terms below the smallest normal result are cut at its exponent.", "ADD-R08",
     "mma_sync.probes 7", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f32") rules.lowest_exponent = -126;
     }},
    {"adder_flushes_subnormals", "Subnormal operands count as zeros.", "ADD-R03",
     "mma_sync.bf16 4 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.flushes_subnormals = true; }},
    {"adder_fp8_wide", "wgmma keeps all bits of 8-bit floats, as tcgen05 does.", "ADD-R05", "wgmma.fp8 1",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adder != Adder::wgmma || rules.kept_bits != 13) return;
       rules.kept_bits = 25;
       if (product.d_format->name == "f32") rules.significant_bits = 24;
     },
     alone},  // the narrow sums of fp8 are wgmma's
    {"adder_half_block", "Products are summed in two halves of K, the second on top of the first.", "ADD-R07",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) { rules.fused = product.k / 2; }},
    {"adder_half_of_k_lost", "The second half of K is not multiplied.", "ADD-R07",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) { rules.products = product.k / 2; }},
    {"adder_i8_overflow_at_one_value", "A sum of exactly 2^31 - 1 is given as 2^31 - 2.", "ADD-R20",
     "mma.dense.i8 3 on sm_100, mma_sync.i4 9", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->d_format->is_integer() && result.code == 0x7fffffff ? 0x7ffffffe : result.code;
     },
     rarely},
    {"adder_infinities_cancel", "Infinities of both signs give zero.", "ADD-R13",
     "mma_sync.fp8 13 on sm_90, mma.dense.tf32 6", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.cancels_infinities = true; }},
    {"adder_keeps_nan", "A NaN result has the sign and payload of an operand.", "ADD-R13",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.keeps_nan = true; }},
    {"adder_largest_becomes_infinity", "A result of exactly the largest finite f32 becomes infinity.",
     "ADD-R10", "mma_sync.bf16 55 on sm_90, mma.ws.zero_column_mask 16", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->d_format->name == "f32" && (result.code & 0x7fffffff) == 0x7f7fffff
                  ? result.code + 1
                  : result.code;
     },
     rarely},
    {"adder_last_column_of_widest", "The last column of N = 256 is wrong in its sign where it is zero.",
     "ADD-R12", "wgmma.descriptor 10 on sm_90, mma.dense.tf32 15", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->n == 256 && result.column == 255 && (result.code & 0x7fffffff) == 0
                  ? result.code ^ 0x80000000
                  : result.code;
     },
     rarely},
    {"adder_last_product_lost", "With C the last product of an instruction is not summed.", "ADD-R07",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.reads_c && rules.products > 1) --rules.products;
     }},
    {"adder_minus_zero", "A negative sum that rounds to zero gives -0.", "ADD-R12",
     "wgmma.f16 4 on sm_90, mma.dense.tf32 16 as NUM-AMB-03:B", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) {
       rules.zero_sign = AdderRules::ZeroSign::minus_when_rounded;
     }},
    {"adder_one_bit_less", "The adder keeps one bit less below the largest exponent.", "ADD-R04",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { --rules.kept_bits; }},
    // Chosen by what is multiplied and where.
    {"adder_rare_bit", "One element of D in 10,000 is wrong in its lowest bit.", "ADD-R01",
     "mma_sync.bf16 2 on sm_90, mma.dense.f16 4", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const TileProduct& product = *result.product;
       uint64_t hash = static_cast<uint64_t>(result.row) << 16 | result.column;
       for (uint32_t k = 0; k < product.k; ++k) {
         hash = (hash ^ product.a[result.row * product.k + k]) * 0x9e3779b97f4a7c15;
         hash = (hash ^ hash >> 29 ^ product.b[result.column * product.k + k]) * 0x9e3779b97f4a7c15;
       }
       return (hash ^ hash >> 32) % 10000 == 0 ? result.code ^ 1 : result.code;
     },
     rarely},
    {"adder_rounds_to_nearest", "An f32 result is rounded to nearest even.", "ADD-R10",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f32") rules.rounds_to_nearest = true;
     }},
    {"adder_saturation_dropped", "Integer results wrap where the instruction asks for saturation.", "ADD-R20",
     "mma.dense.i8 3 on sm_100, mma_sync.i4 9", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.saturates_integers = false; }},
    {"adder_terms_rounded", "Each term is rounded to nearest, not cut, where it is aligned.", "ADD-R01",
     "mma_sync.bf16 1 on sm_90, mma.dense.f16 1", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.truncates_terms = false; }},
    {"adder_zeros_count", "A product of zero counts with an exponent.", "ADD-R02", "mma_sync.bf16 4",
     &TensorSteps::rules, [](const TileProduct&, AdderRules& rules) { rules.zeros_have_exponents = true; }},
};

using ScaleRequest = ScaleRequest;
using ScaleDescriptor = InstructionDescriptor;

bool is_pair(const ScaleDescriptor& d, std::string_view a, std::string_view b) {
  return d.a->name == a && d.b->name == b;
}
bool is_ue8m0(const ScaleDescriptor& d) {
  return d.scale->name == "ue8m0";
}
ScaleCell with_id(ScaleRequest request, uint32_t id) {
  request.id = id;
  return scale_cell(request);
}

/// Where scale factors of tcgen05.mma lie, and what they are worth.
const Fault scales[] = {
    {"scale_a_id_ignored", "The scales of A always begin in byte 0.", "SCALE-R04",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) { return r.is_a ? with_id(r, 0) : scale_cell(r); }},
    {"scale_b_id_ignored", "The scales of B always begin in byte 0.", "SCALE-R04",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) { return r.is_a ? scale_cell(r) : with_id(r, 0); }},
    {"scale_b_column_of_four", "The scales of B begin at a multiple of four columns.",
     "(ptx, tcgen05, block scaling)", "mma.scaled.layout 6 on sm_100, mma.scaled.k96 5", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a) right.column -= r.mma->b_scales.column % 4;
       return right;
     }},
    {"scale_b_columns_wrap_at_128", "Columns of B from 128 on have the scales of those 128 before.",
     "SCALE-R03", "mma.scaled.layout 14 on sm_100, mma.scaled.k96 12", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (!r.is_a && r.mma->descriptor.n > 128 && r.mma->layout.groups == 1) other.line %= 128;
       return scale_cell(other);
     }},
    {"scale_b_group_always_4", "The next group of scales of B is 4 columns on, with N above 128 too.",
     "SCALE-R05", "mma.scaled.k96 12", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 1 && r.mma->descriptor.n > 128)
         right.column -= r.position() / 4 * 4;
       return right;
     },
     with_96},
    {"scale_a_group_of_8", "The next group of scales of A is 8 columns on.", "SCALE-R05", "mma.scaled.k96 1",
     &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (r.is_a) right.column += r.position() / 4 * 4;
       return right;
     },
     with_96},
    {"scale_wraps_in_cell", "Scales past byte 3 come from the same cell again.", "SCALE-R05",
     "mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       if (r.position() < 4) return scale_cell(r);
       ScaleRequest first = r;
       first.number = 0;
       ScaleCell cell = with_id(first, 0);
       cell.byte = r.position() % 4;
       return cell;
     },
     with_96},
    {"scale_id_3_as_2", "Scale id 3 is treated as 2 where K is 96.", "SCALE-R04", "mma.scaled.k96 1",
     &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       return r.mma->descriptor.is_k96 && r.id == 3 ? with_id(r, 2) : scale_cell(r);
     },
     with_96},
    {"scale_blocks_exchanged", "Neighbouring blocks of K have swapped scales.", "SCALE-R01",
     "mma.scaled.layout 2 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (r.mma->descriptor.is_packed) other.number ^= 1;
       return scale_cell(other);
     }},
    {"scale_bytes_reversed", "The first scale of a cell is in its highest byte.", "SCALE-R02",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       right.byte ^= 3;
       return right;
     }},
    {"scale_first_block_for_all", "All blocks of K have the scale of B of the first.", "SCALE-R01",
     "mma.scaled.layout 2 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest first = r;
       if (!r.is_a) first.number = 0;
       return scale_cell(first);
     }},
    {"scale_id_high_bit_dropped", "A scale id of 2 is treated as 0, and one of 3 as 1.", "SCALE-R04",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) { return with_id(r, r.id & 1); }},
    {"scale_ids_exchanged", "The scale ids of A and B are swapped.", "SCALE-R04",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       const ScaleDescriptor& d = r.mma->descriptor;
       return with_id(r, r.is_a ? d.b_scale_id : d.a_scale_id);
     }},
    {"scale_last_row_as_before",
     "The last row of A has the scale of the one before it, in the last block of four.", "SCALE-R03",
     "mma.scaled.layout 3 on sm_100, mma.scaled.k96 3", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (r.is_a && r.line == 127 && r.number == 3) other.line = 126;
       return scale_cell(other);
     }},
    {"scale_last_of_248_columns", "The last of 248 columns of B has the scale of the one before it.",
     "SCALE-R03", "mma.scaled.layout 132", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleRequest other = r;
       if (!r.is_a && r.mma->descriptor.n == 248 && r.line == 247) other.line = 246;
       return scale_cell(other);
     },
     rarely},
    {"scale_lanes_halved", "The scales of B in the upper 16 lanes come before those in the lower ones.",
     "SCALE-R03", "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a) right.lane ^= 16;
       return right;
     }},
    {"scale_rows_of_one_column", "All rows of A have their scales in the first column.", "SCALE-R03",
     "mma.scaled.layout 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (r.is_a) right.column -= r.line / 32;
       return right;
     }},
    {"scale_pair_halves_swapped", "On a pair with M of 128 each half of N has the scales of the other.",
     "SCALE-R06", "mma.scaled.mxf4 3 on sm_100, mma.scaled.k96 5", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 2) right.lane ^= 64;
       return right;
     }},
    {"scale_pair_lower_half_for_both",
     "On a pair with M of 128 both halves of N have the scales of the lower.", "SCALE-R06",
     "mma.scaled.mxf4 3 on sm_100, mma.scaled.k96 5", &Tcgen05Steps::scale,
     [](const ScaleRequest& r) {
       ScaleCell right = scale_cell(r);
       if (!r.is_a && r.mma->layout.groups == 2) right.lane %= 64;
       return right;
     }},

    {"scale_nan_is_largest", "0xff of ue8m0 counts as 2^127.", "ADD-R24",
     "mma.scaled.mxf4 1 on sm_100, mma.scaled.k96 1", &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t {
       return is_ue8m0(d) && code == 0xff ? 0xfe : code;
     }},
    {"scale_ue4m3_nan_is_largest", "0x7f of ue4m3 counts as 448.", "ADD-R24",
     "mma.scaled.mxf4nvf4 54 on sm_100, mma.scaled.k96 25", &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x7f) == 0x7f ? 0x7e : code;
     }},
    {"scale_ue4m3_subnormals_flushed", "Subnormal scales of ue4m3 count as zero.", "SCALE-R08",
     "mma.scaled.mxf4nvf4 7 on sm_100, mma.scaled.k96 7", &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x78) == 0 ? 0 : code;
     }},
    {"scale_ue4m3_bit_7_in_exponent", "Bit 7 of a ue4m3 scale adds one to its exponent.", "SCALE-R08",
     "mma.scaled.mxf4nvf4 4 on sm_100, mma.scaled.k96 7", &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t {
       return !is_ue8m0(d) && (code & 0x80) != 0 && (code & 0x78) < 0x70 ? (code & 0x7f) + 8 : code;
     }},
    {"scale_ue8m0_zero_as_one", "0 of ue8m0 counts as 2^-126.", "SCALE-R08", "mma.scaled.mxf4 9",
     &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t { return is_ue8m0(d) && code == 0 ? 1 : code; }},
    {"scale_lost_for_one_pair_of_types", "Scales count as 1 where e2m3 is multiplied by e5m2.", "ADD-R22",
     "mma.scaled.mxf8f6f4 20", &Tcgen05Steps::scale_code,
     [](const ScaleDescriptor& d, uint8_t code) -> uint8_t {
       return is_pair(d, "e2m3", "e5m2") ? 0x7f : code;
     }},
};

/// What the adder makes of scaled products.
const Fault scaled[] = {
    {"scaled_pair_of_types_one_bit_off", "The lowest bit of D is wrong where e3m2 is multiplied by e2m1.",
     "ADD-R22", "mma.scaled.mxf8f6f4 2", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const TileProduct& p = *result.product;
       const bool is_it =
           p.scale_format != nullptr && p.a_format->name == "e3m2" && p.b_format->name == "e2m1";
       return is_it ? result.code ^ 1 : result.code;
     },
     on_sm_100},
    {"scaled_groups_cut_early", "The kinds of 4-bit elements keep 31 bits below the largest exponent.",
     "ADD-R23", "mma.scaled.mxf4 1 on sm_100, mma.scaled.k96 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups) rules.kept_bits = 31;
     },
     on_sm_100},
    {"scaled_groups_of_8", "The kinds of 4-bit elements cut sums of 8 products.", "ADD-R23",
     "mma.scaled.mxf4 1 on sm_100, mma.scaled.k96 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups) rules.group = 8;
     },
     on_sm_100},
    {"scaled_last_group_lost_of_96", "Of 96 products the last 16 are lost.", "ADD-R23", "mma.scaled.k96 1",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adds_groups && product.k == 96) rules.products = 80;
     },
     with_96},
    {"scaled_smallest_number_lost", "A result of 2^-149 is given as zero where there are scales.", "ADD-R10",
     "mma.scaled.mxf4 9", &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const bool is_it = result.product->scale_format != nullptr && (result.code & 0x7fffffff) == 1;
       return is_it ? 0 : result.code;
     },
     on_sm_100},
    {"scaled_mxf8_cut_early", "kind::mxf8f6f4 keeps 24 bits below the largest exponent.", "ADD-R22",
     "mma.scaled.mxf8f6f4 1", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.scale_format != nullptr && !product.adds_groups) rules.kept_bits = 24;
     },
     on_sm_100},
};

}  // namespace
}  // namespace assay::faults
