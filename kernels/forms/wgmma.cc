// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/forms/families.h"
#include "kernels/forms/mma_types.h"
#include "kernels/params/wgmma.h"

/// wgmma.mma_async, dense and sparse (PTX ISA, wgmma.mma_async and wgmma.mma_async.sp). D is loaded from
/// memory into registers of the statement's own and stored there: the compiler would otherwise spell out a
/// hundred operands.
namespace assay::forms {
namespace {

using params::MmaTypes;
using enum params::MmaTypes;

constexpr Choice types[] = {
    {".f32.f16.f16", value(f32_f16_f16)},
    {".f16.f16.f16", value(f16_f16_f16)},
    {".f32.bf16.bf16", value(f32_bf16_bf16)},
    {".f32.tf32.tf32", value(f32_tf32_tf32)},
    {".f32.e4m3.e4m3", value(f32_e4m3_e4m3)},
    {".f32.e4m3.e5m2", value(f32_e4m3_e5m2)},
    {".f32.e5m2.e4m3", value(f32_e5m2_e4m3)},
    {".f32.e5m2.e5m2", value(f32_e5m2_e5m2)},
    {".f16.e4m3.e4m3", value(f16_e4m3_e4m3)},
    {".f16.e4m3.e5m2", value(f16_e4m3_e5m2)},
    {".f16.e5m2.e4m3", value(f16_e5m2_e4m3)},
    {".f16.e5m2.e5m2", value(f16_e5m2_e5m2)},
    {".s32.s8.s8", value(s32_s8_s8)},
    {".s32.s8.u8", value(s32_s8_u8)},
    {".s32.u8.s8", value(s32_u8_s8)},
    {".s32.u8.u8", value(s32_u8_u8)},
    {".s32.s8.s8.satfinite", value(s32_s8_s8_satfinite)},
    {".s32.s8.u8.satfinite", value(s32_s8_u8_satfinite)},
    {".s32.u8.s8.satfinite", value(s32_u8_s8_satfinite)},
    {".s32.u8.u8.satfinite", value(s32_u8_u8_satfinite)},
};
constexpr Choice extents[] = {{"8", 8},     {"16", 16},   {"24", 24},   {"32", 32},   {"40", 40},
                              {"48", 48},   {"64", 64},   {"96", 96},   {"112", 112}, {"128", 128},
                              {"136", 136}, {"192", 192}, {"200", 200}, {"248", 248}, {"256", 256}};

/// params::WgmmaModifiers.
constexpr Choice modifiers[] = {{"", 0},  {"", 1},  {"", 2},  {"", 3},  {"", 4},  {"", 5},  {"", 6},
                                {"", 7},  {"", 8},  {"", 9},  {"", 10}, {"", 11}, {"", 12}, {"", 13},
                                {"", 14}, {"", 15}, {"", 16}, {"", 17}, {"", 18}, {"", 19}, {"", 20},
                                {"", 21}, {"", 22}, {"", 23}, {"", 24}, {"", 25}, {"", 26}, {"", 27},
                                {"", 28}, {"", 29}, {"", 30}, {"", 31}};

/// params::wgmma_form(): one more than the groups that a wait leaves, or behind those the products that add
/// to the D of another one: one to three, each in a group, or seven, all in its group.
constexpr Choice waits[] = {{"", 0}, {"", 1}, {"", 2}, {"", 3},  {"", 4},  {"", 5}, {"", 6},
                            {"", 7}, {"", 8}, {"", 9}, {"", 10}, {"", 11}, {"", 15}};
constexpr uint32_t columns_of_group = 8, most_groups = 8;

/// params::mma_sparsity. The selector stands behind the metadata.
constexpr Choice sparsities[] = {{"", 0}, {".sp", 4}, {".sp", 5}};

MmaTypes types_of(Picks picks) {
  return static_cast<MmaTypes>(picks[0]->value);
}
uint32_t n_of(Picks picks) {
  return picks[1]->value;
}
bool is_sparse(Picks picks) {
  return picks[3]->value != 0;
}
uint32_t selector_of(Picks picks) {
  return picks[3]->value & 3;
}
/// Several instructions, each in a group: of different columns, or of the same.
bool is_in_groups(Picks picks) {
  return picks[4]->value != 0;
}
uint32_t added_products(Picks picks) {
  return picks[4]->value > most_groups ? picks[4]->value - most_groups : 0;
}
bool has(Picks picks, params::WgmmaModifiers modifier) {
  return (picks[2]->value & modifier) != 0;
}

/// PTX ISA, wgmma.mma_async and wgmma.mma_async.sp.
uint8_t combined_ptx(Picks picks) {
  const MmaTypes t = types_of(picks);
  const bool has_mixed_signs =
      t == s32_s8_u8 || t == s32_u8_s8 || t == s32_s8_u8_satfinite || t == s32_u8_s8_satfinite;
  return has_mixed_signs ? 84 : is_sparse(picks) ? 82 : spec::first_ptx;
}

/// The extents that the probes have beside 8, 64 and 256, and beside 32, which has the negations.
bool has_extent(MmaTypes t, uint32_t n) {
  static constexpr uint32_t everywhere[] = {8, 64, 256}, halves[] = {24, 128}, wide[] = {24, 128, 200},
                            fp8[] = {24, 136}, i8[] = {24, 112},
                            f16[] = {16, 24, 32, 40, 48, 96, 128, 192, 200, 248};
  const auto in = [n](std::span<const uint32_t> list) {
    return std::find(list.begin(), list.end(), n) != list.end();
  };
  if (in(everywhere)) return true;
  if (params::has_half_accumulator(t)) return in(halves);
  if (params::has_integers(t)) return in(i8);
  if (t == f32_f16_f16) return in(f16);
  return params::a_bits(t) == 8 ? in(fp8) : in(wide);
}

/// Of a sparse A 8, 64, 256 and of f16 24 too; all lanes have metadata of 8 bits, two of four those of wider
/// elements. Signs are tried with the first selector.
bool exists_sparse(Picks picks) {
  const MmaTypes t = types_of(picks);
  if (selector_of(picks) != 0 && params::a_bits(t) == 8) return false;
  if (n_of(picks) == 32) return selector_of(picks) == 0;
  return n_of(picks) == 8 || n_of(picks) == 64 || n_of(picks) == 256 ||
         (n_of(picks) == 24 && t == f32_f16_f16);
}

/// The transposes are operands of the 16-bit types alone, with A in registers only that of B; integers have
/// no signs. Signs are tried at n 32.
bool exists(Picks picks) {
  using namespace params;
  const MmaTypes t = types_of(picks);
  if (is_in_groups(picks))
    return t == f32_f16_f16 && n_of(picks) == 64 && !is_sparse(picks) &&
           (picks[2]->value & ~wgmma_a_in_registers) == 0;
  const bool transposes = has(picks, wgmma_transpose_a) || has(picks, wgmma_transpose_b);
  if (transposes && a_bits(t) != 16) return false;
  if (has(picks, wgmma_transpose_a) && has(picks, wgmma_a_in_registers)) return false;
  const bool has_signs = has(picks, wgmma_negate_a) || has(picks, wgmma_negate_b);
  if (is_sparse(picks) && (!exists_sparse(picks) || has_signs != (n_of(picks) == 32))) return false;
  if (has_signs) return !has_integers(t) && n_of(picks) == 32;
  return has_extent(t, n_of(picks));
}

/// Where forms in groups have D: with the registers of all others, of which the largest forms take 128, ptxas
/// has none left for several instructions under way, and puts waits between them (13.0: C7511).
constexpr const char* in_groups = "g";

/// One line for each vector of D's registers `first` to `end`: four registers, or two where D is no multiple
/// of four.
std::string vectors_of_d(const char* name, uint32_t first, uint32_t end, bool stores) {
  const uint32_t width = end % 4 == 0 ? 4 : 2;
  std::string lines;
  for (uint32_t at = first; at < end; at += width) {
    const std::string list = "{" + register_list(name, width, at) + "}";
    const std::string address = "[$d_address+" + std::to_string(at * 4) + "]";
    const std::string v = std::to_string(width);
    lines += stores ? "st.global.v" + v + ".b32 " + address + ", " + list + "; "
                    : "ld.global.v" + v + ".b32 " + list + ", " + address + "; ";
  }
  return lines;
}

std::string operands_behind_scale_d(Picks picks) {
  using namespace params;
  const auto number = [&](WgmmaModifiers m, const char* if_set, const char* if_not) {
    return std::string(", ") + (has(picks, m) ? if_set : if_not);
  };
  if (has_integers(types_of(picks))) return {};
  std::string text = number(wgmma_negate_a, "-1", "1") + number(wgmma_negate_b, "-1", "1");
  if (a_bits(types_of(picks)) != 16) return text;
  if (!has(picks, wgmma_a_in_registers)) text += number(wgmma_transpose_a, "1", "0");
  return text + number(wgmma_transpose_b, "1", "0");
}

constexpr const char* ends_group = "wgmma.commit_group.sync.aligned; ";

/// The instruction of n columns.
std::string product(Picks picks, uint32_t n, const std::string& d, const std::string& b,
                    const std::string& scale_d = "accumulate") {
  const std::string k = std::to_string((is_sparse(picks) ? 512 : 256) / params::a_bits(types_of(picks)));
  return "wgmma.mma_async" + std::string(picks[3]->text) + ".sync.aligned.m64n" + std::to_string(n) + "k" +
         k + std::string(picks[0]->text) + " {" + d + "}, " +
         (has(picks, params::wgmma_a_in_registers) ? "{$a0, $a1, $a2, $a3}" : "$a_desc") + ", " + b +
         (is_sparse(picks) ? ", $e, " + std::to_string(selector_of(picks)) : "") + ", " + scale_d +
         operands_behind_scale_d(picks) + "; ";
}
/// The same, and its group.
std::string multiply(Picks picks, uint32_t n, const std::string& d, const std::string& b) {
  return product(picks, n, d, b) + ends_group;
}

/// From the fence to the last of D that is stored.
std::string slot(std::string_view name, Picks picks) {
  const uint32_t registers = params::wgmma_d_registers(types_of(picks), n_of(picks));
  const char* const d = is_in_groups(picks) ? in_groups : "d";
  if (name == "load_d") return vectors_of_d(d, 0, registers, false);
  const auto wait = [](uint32_t left) {
    return "wgmma.wait_group.sync.aligned " + std::to_string(left) + "; ";
  };
  if (!is_in_groups(picks))
    return multiply(picks, n_of(picks), register_list(d, registers), "$b_desc") + wait(0) +
           vectors_of_d(d, 0, registers, true);
  if (const uint32_t added = added_products(picks); added != 0) {
    const std::string list = register_list(d, registers);
    const char* const between = added == params::wgmma_added_in_group ? "" : ends_group;
    std::string text = product(picks, n_of(picks), list, "$b_desc");
    for (uint32_t i = 0; i < added; ++i)
      text += between + product(picks, n_of(picks), list, "$b_desc", "always");
    return text + ends_group + wait(0) + vectors_of_d(d, 0, registers, true);
  }
  const uint32_t groups = n_of(picks) / columns_of_group, each = registers / groups,
                 left = picks[4]->value - 1;
  // The stride offset, in the units of the start that it is added to.
  std::string text = "shr.u64 w1, $b_desc, 32; and.b64 w1, w1, 0x3fff; mov.b64 w0, $b_desc; ";
  for (uint32_t g = 0; g < groups; ++g) {
    if (g != 0) text += "add.s64 w0, w0, w1; ";
    text += multiply(picks, columns_of_group, register_list(d, each, g * each), "w0");
  }
  text += wait(left) + vectors_of_d(d, 0, (groups - left) * each, true);
  return left == 0 ? text : text + wait(0) + vectors_of_d(d, (groups - left) * each, registers, true);
}

constexpr Axis axes[] = {
    {"types", types}, {"n", extents}, {"modifiers", modifiers}, {"sparsity", sparsities}, {"groups", waits}};

}  // namespace

constexpr Family wgmma{.name = "wgmma",
                       .operands = "d_address:l b_desc:l scale_d a_desc:l a0 a1 a2 a3 e",
                       .before =
                           ".reg .b32 d<128>, g<32>;\n.reg .b64 w<2>;\n.reg .pred accumulate, always;\n"
                           "setp.ne.b32 accumulate, $scale_d, 0;\nsetp.ge.u32 always, $scale_d, 0;",
                       .text = "<load_d>wgmma.fence.sync.aligned; <multiply>",
                       .axes = axes,
                       .targets = with_wgmma,
                       .exists = exists,
                       .slot = slot,
                       .combined_ptx = combined_ptx};

}  // namespace assay::forms
