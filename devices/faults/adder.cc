#include "devices/emulator/fault.h"

/// The adder of the tensor cores.
namespace assay::faults::adder {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"adder_aligns_true_exponent", "A subnormal operand counts with the exponent of its own leading bit.",
     "ADD-R03", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.normalised_bits = 32; }},
    {"adder_bf16_as_f16_sum", "Products of bf16 are summed with one bit fewer than those of f16.", "ADD-R04",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->name == "bf16") --rules.kept_bits;
     }},
    {"adder_c_first", "C and the first product are summed and rounded before the others join.", "ADD-R07",
     &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.adds_c = AdderRules::AddsC::first; }},
    {"adder_c_last", "C is added to the rounded sum of the products, by an addition that rounds.", "ADD-R07",
     &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.adds_c = AdderRules::AddsC::last; }},
    {"adder_f16_truncated", "An f16 result is cut, not rounded to nearest.", "ADD-R11", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f16") rules.rounds_to_nearest = false;
     }},
    {"adder_floor_raised", "Terms below the smallest normal result are cut at its exponent.", "ADD-R08",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f32") rules.lowest_exponent = -126;
     }},
    {"adder_flushes_subnormals", "Subnormal operands count as zeros.", "ADD-R03", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.flushes_subnormals = true; }},
    {"adder_fp8_wide",
     "wgmma keeps all bits of 8-bit floats, as tcgen05 does.",
     "ADD-R05",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.adder != Adder::wgmma || rules.kept_bits != 13) return;
       rules.kept_bits = 25;
       if (product.d_format->name == "f32") rules.significant_bits = 24;
     },
     {.alone = true}},  // the narrow sums of fp8 are wgmma's
    {"adder_half_block", "Products are summed in two halves of K, the second on top of the first.", "ADD-R07",
     &TensorSteps::rules, [](const TileProduct& product, AdderRules& rules) { rules.fused = product.k / 2; }},
    {"adder_half_of_k_lost", "The second half of K is not multiplied.", "ADD-R07", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) { rules.products = product.k / 2; }},
    {"adder_i8_overflow_at_one_value",
     "A sum of exactly 2^31 - 1 is given as 2^31 - 2.",
     "ADD-R10",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->d_format->is_integer() && result.code == 0x7fffffff ? 0x7ffffffe : result.code;
     },
     {.rare = true}},
    {"adder_infinities_cancel", "Infinities of both signs give zero.", "ADD-R13", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.cancels_infinities = true; }},
    {"adder_keeps_nan", "A NaN result has the sign and payload of an operand.", "ADD-R13",
     &TensorSteps::rules, [](const TileProduct&, AdderRules& rules) { rules.keeps_nan = true; }},
    {"adder_largest_becomes_infinity",
     "A result of exactly the largest finite f32 becomes infinity.",
     "ADD-R10",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->d_format->name == "f32" && (result.code & 0x7fffffff) == 0x7f7fffff
                  ? result.code + 1
                  : result.code;
     },
     {.rare = true}},
    {"adder_last_column_of_widest",
     "The last column of N = 256 is wrong in its sign where it is zero.",
     "ADD-R12",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       return result.product->n == 256 && result.column == 255 && (result.code & 0x7fffffff) == 0
                  ? result.code ^ 0x80000000
                  : result.code;
     },
     {.rare = true}},
    {"adder_last_product_lost", "With C the last product of an instruction is not summed.", "ADD-R07",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.reads_c && rules.products > 1) --rules.products;
     }},
    {"adder_minus_zero", "A negative sum that rounds to zero gives -0.", "ADD-R12", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) {
       rules.zero_sign = AdderRules::ZeroSign::minus_when_rounded;
     }},
    {"adder_one_bit_less", "The adder keeps one bit less below the largest exponent.", "ADD-R04",
     &TensorSteps::rules, [](const TileProduct&, AdderRules& rules) { --rules.kept_bits; }},
    // Chosen by what is multiplied and where.
    {"adder_rare_bit",
     "One element of D in 10,000 is wrong in its lowest bit.",
     "ADD-R01",
     &TensorSteps::result,
     [](const ElementResult& result) -> uint32_t {
       const TileProduct& product = *result.product;
       uint64_t hash = static_cast<uint64_t>(result.row) << 16 | result.column;
       for (uint32_t k = 0; k < product.k; ++k) {
         hash = (hash ^ product.a[result.row * product.k + k]) * 0x9e3779b97f4a7c15;
         hash = (hash ^ hash >> 29 ^ product.b[result.column * product.k + k]) * 0x9e3779b97f4a7c15;
       }
       return (hash ^ hash >> 32) % 10000 == 0 ? result.code ^ 1 : result.code;
     },
     {.rare = true}},
    {"adder_rounds_to_nearest", "An f32 result is rounded to nearest even.", "ADD-R10", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.d_format->name == "f32") rules.rounds_to_nearest = true;
     }},
    {"adder_saturation_dropped", "Integer results wrap where the instruction asks for saturation.", "ADD-R20",
     &TensorSteps::rules, [](const TileProduct&, AdderRules& rules) { rules.saturates_integers = false; }},
    {"adder_terms_rounded", "Each term is rounded to nearest, not cut, where it is aligned.", "ADD-R01",
     &TensorSteps::rules, [](const TileProduct&, AdderRules& rules) { rules.truncates_terms = false; }},
    {"adder_zeros_count", "A product of zero counts with an exponent.", "ADD-R02", &TensorSteps::rules,
     [](const TileProduct&, AdderRules& rules) { rules.zeros_have_exponents = true; }},
};

}  // namespace
}  // namespace assay::faults::adder
