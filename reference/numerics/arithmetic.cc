// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/arithmetic.h"

namespace assay::numerics {
namespace {

using spec::Cite;
using spec::Rounding;

constexpr Cite h200_adder{"h200", "sm_90, shared mechanism: adder of wgmma and mma.sync"};
constexpr Cite h200_integer{"h200", "sm_90, shared mechanism: integer sums of wgmma and mma.sync"};
constexpr Cite h200_recipe{"h200", "tensor-core numerics, fp8 mma.sync"};
constexpr Cite h200_f64{"h200", "tensor-core numerics, f64"};
constexpr Cite measured_b200{"khattak", "measured data of B200"};
constexpr Cite same_code{"ptxas", "fp8 mma.sync for sm_100a"};
constexpr Cite modelled{"mma-sim", "sections on Blackwell"};
/// Sums into f16 on a machine that nobody measured: the floor of -21 is what Hopper has, where the published
/// model has -133 (NUM-AMB-02).
constexpr Cite carried_over{"h200", "sm_90, adder with an f16 accumulator; carried over from Hopper"};

constexpr std::string_view fp8 = "e4m3 e5m2";
constexpr std::string_view narrow = "e4m3 e5m2 e3m2 e2m3 e2m1";
constexpr std::string_view int8 = "s8 u8";

/// f16, bf16, tf32 into f32; on Blackwell the narrow types too.
constexpr Arithmetic into_f32{};
constexpr Arithmetic into_f16{
    .result_rounding = Rounding::nearest_even, .result_bits = 11, .floor_exponent = -21, .nan = 0x7fff};
/// Hopper's fp8 path: 13 bits below the largest exponent, 13 fraction bits out.
constexpr Arithmetic fp8_into_f32{.kept_bits = 13, .result_bits = 14};
constexpr Arithmetic fp8_into_f16{.kept_bits = 13,
                                  .result_rounding = Rounding::nearest_even,
                                  .result_bits = 11,
                                  .floor_exponent = -21,
                                  .nan = 0x7fff};
/// fp8 mma.sync where there is no such unit: two f16 steps, then an addition.
constexpr Arithmetic fp8_by_f16_into_f32{
    .split = Split::by_four, .accumulator = AccumulatorPlace::added_last, .operands_become_f16 = true};
constexpr Arithmetic fp8_by_f16_into_f16{.split = Split::by_four,
                                         .accumulator = AccumulatorPlace::added_last,
                                         .result_rounding = Rounding::nearest_even,
                                         .result_bits = 11,
                                         .floor_exponent = -21,
                                         .operands_become_f16 = true,
                                         .nan = 0x7fff};
constexpr Arithmetic fp4_grouped{.scheme = Scheme::grouped, .kept_bits = 35, .floor_exponent = -139};
constexpr Arithmetic wrapping{.scheme = Scheme::integer};
constexpr Arithmetic clamping{.scheme = Scheme::integer, .saturates = true};
constexpr Arithmetic f64_chain{.scheme = Scheme::chain, .nan = 0xfff8000000000000};

constexpr Instruction rows[] = {
    // family      kind     types  mixes  d      k        scale  block  arithmetic
    {"wgmma", "f16", "f16", false, "f32", {16}, "", 0, into_f32, true, h200_adder},
    {"wgmma", "f16", "bf16", false, "f32", {16}, "", 0, into_f32, true, h200_adder},
    {"wgmma", "tf32", "tf32", false, "f32", {8}, "", 0, into_f32, true, h200_adder},
    {"wgmma", "f16", "f16", false, "f16", {16}, "", 0, into_f16, true, h200_adder},
    {"wgmma", "f8", fp8, true, "f32", {32}, "", 0, fp8_into_f32, true, h200_adder},
    {"wgmma", "f8", fp8, true, "f16", {32}, "", 0, fp8_into_f16, true, h200_adder},
    {"wgmma", "i8", int8, true, "s32", {32}, "", 0, wrapping, true, h200_integer},
    {"wgmma", "i8", int8, true, "s32", {32}, "", 0, clamping, true, h200_integer},

    {"mma_sm90", "f16", "f16", false, "f32", {16, 8}, "", 0, into_f32, true, h200_adder},
    {"mma_sm90", "f16", "bf16", false, "f32", {16, 8}, "", 0, into_f32, true, h200_adder},
    {"mma_sm90", "tf32", "tf32", false, "f32", {8, 4}, "", 0, into_f32, true, h200_adder},
    {"mma_sm90", "f16", "f16", false, "f16", {16, 8}, "", 0, into_f16, true, h200_adder},
    {"mma_sm90", "f8", fp8, true, "f32", {32, 16}, "", 0, fp8_by_f16_into_f32, true, h200_recipe},
    {"mma_sm90", "f8", fp8, true, "f16", {32, 16}, "", 0, fp8_by_f16_into_f16, true, h200_recipe},
    {"mma_sm90", "i8", int8, true, "s32", {32, 16}, "", 0, wrapping, true, h200_integer},
    {"mma_sm90", "i8", int8, true, "s32", {32, 16}, "", 0, clamping, true, h200_integer},
    {"mma_sm90", "i4", "s4 u4", true, "s32", {64, 32}, "", 0, wrapping, true, h200_integer},
    {"mma_sm90", "i4", "s4 u4", true, "s32", {64, 32}, "", 0, clamping, true, h200_integer},
    {"mma_sm90", "f64", "f64", false, "f64", {4, 8}, "", 0, f64_chain, true, h200_f64},
    {"mma_sm90", "f64", "f64", false, "f64", {16}, "", 0, f64_chain, true, h200_f64},

    {"mma_sm100", "f16", "f16", false, "f32", {16, 8}, "", 0, into_f32, true, measured_b200},
    {"mma_sm100", "f16", "bf16", false, "f32", {16, 8}, "", 0, into_f32, true, measured_b200},
    {"mma_sm100", "tf32", "tf32", false, "f32", {8, 4}, "", 0, into_f32, true, measured_b200},
    {"mma_sm100", "f16", "f16", false, "f16", {16, 8}, "", 0, into_f16, true, measured_b200},
    {"mma_sm100", "f8", fp8, true, "f32", {32, 16}, "", 0, fp8_by_f16_into_f32, true, measured_b200},
    {"mma_sm100", "f8", fp8, true, "f16", {32, 16}, "", 0, fp8_by_f16_into_f16, true, same_code},

    {"mma_sm120", "f16", "f16", false, "f32", {16, 8}, "", 0, into_f32, false, modelled},
    {"mma_sm120", "f16", "bf16", false, "f32", {16, 8}, "", 0, into_f32, false, modelled},
    {"mma_sm120", "tf32", "tf32", false, "f32", {8, 4}, "", 0, into_f32, false, modelled},
    {"mma_sm120", "f16", "f16", false, "f16", {16, 8}, "", 0, into_f16, false, carried_over},
    {"mma_sm120", "f8f6f4", narrow, true, "f32", {32}, "", 0, into_f32, false, modelled},
    {"mma_sm120", "f8f6f4", narrow, true, "f16", {32}, "", 0, into_f16, false, carried_over},
    {"mma_sm120", "mxf8f6f4", narrow, true, "f32", {32}, "ue8m0", 32, into_f32, false, modelled},
    {"mma_sm120", "mxf4", "e2m1", false, "f32", {64}, "ue8m0", 32, fp4_grouped, false, modelled},
    {"mma_sm120", "mxf4nvf4", "e2m1", false, "f32", {64}, "ue4m3", 16, fp4_grouped, false, modelled},
    {"mma_sm120", "mxf4nvf4", "e2m1", false, "f32", {64}, "ue8m0", 16, fp4_grouped, false, modelled},

    {"tcgen05", "f16", "f16", false, "f32", {16}, "", 0, into_f32, false, modelled},
    {"tcgen05", "f16", "bf16", false, "f32", {16}, "", 0, into_f32, false, modelled},
    {"tcgen05", "f16", "f16", false, "f16", {16}, "", 0, into_f16, false, carried_over},
    {"tcgen05", "tf32", "tf32", false, "f32", {8}, "", 0, into_f32, false, modelled},
    {"tcgen05", "f8f6f4", narrow, true, "f32", {32}, "", 0, into_f32, false, modelled},
    {"tcgen05", "f8f6f4", narrow, true, "f16", {32}, "", 0, into_f16, false, carried_over},
    {"tcgen05", "i8", int8, true, "s32", {32}, "", 0, wrapping, false, h200_integer},
    {"tcgen05", "i8", int8, true, "s32", {32}, "", 0, clamping, false, h200_integer},
    {"tcgen05", "mxf8f6f4", narrow, true, "f32", {32}, "ue8m0", 32, into_f32, false, modelled},
    {"tcgen05", "mxf4", "e2m1", false, "f32", {64, 96}, "ue8m0", 32, fp4_grouped, false, modelled},
    {"tcgen05", "mxf4nvf4", "e2m1", false, "f32", {64, 96}, "ue4m3", 16, fp4_grouped, false, modelled},
    {"tcgen05", "mxf4nvf4", "e2m1", false, "f32", {64, 96}, "ue8m0", 16, fp4_grouped, false, modelled},
};

constexpr bool lists(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = words.find(' ');
    if (words.substr(0, end) == word) return true;
    words = end == std::string_view::npos ? std::string_view{} : words.substr(end + 1);
  }
  return false;
}

}  // namespace

std::span<const Instruction> instructions() {
  return rows;
}

const Instruction* find_instruction(std::string_view family, const Types& types, bool saturates) {
  for (const Instruction& row : rows)
    if (row.family == family && lists(row.types, types.a->name) && lists(row.types, types.b->name) &&
        (row.mixes || types.a == types.b) && row.d == types.d->name &&
        (row.k[0] == types.k || row.k[1] == types.k) &&
        row.scale == (types.scale == nullptr ? "" : types.scale->name) &&
        row.scale_block == (types.scale == nullptr ? 0 : types.scale_block) &&
        row.arithmetic.saturates == saturates)
      return &row;
  return nullptr;
}

}  // namespace assay::numerics
