// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// wgmma.mma_async with a sparse A (PTX ISA, wgmma.mma_async.sp; ptxas 13.0 on sm_90a): types, extents,
/// immediates, and what stands for metadata and selector.
namespace assay::forms {
namespace {

using namespace asked_wgmma;

/// A dense instruction has no metadata; unlike mma.sp this one has no ordered ones.
constexpr Choice spellings_of_sparsity[] = {{".sp", 1}, {"", 0}, {".sp::ordered_metadata", 0}};
constexpr Choice depths[] = {{"k8", 8}, {"k16", 16}, {"k32", 32}, {"k64", 64}};
constexpr Choice extents[] = {{"n8", 8}, {"n64", 64}, {"n256", 256}};
constexpr Axis type_axes[] = {{"sparsity", spellings_of_sparsity},
                              {"n", extents},
                              {"k", depths},
                              {"d", d_types},
                              {"at", a_types},
                              {"bt", a_types},
                              {"saturation", saturations},
                              {"a", places_of_a}};

std::string type_slot(std::string_view name, Picks picks) {
  if (name == "registers") return registers_of_d(picks[3]->value, picks[1]->value);
  return right_immediates(picks[4]->value, picks[7]->value != 0);
}
Legality type_legality(Picks picks, Targets target) {
  const uint32_t a = picks[4]->value;
  if (!has_wgmma(target) || picks[0]->value == 0 || !go_together(picks[3]->value, a, picks[5]->value))
    return Legality::illegal;
  return legal_if(picks[2]->value == 2 * k_of(a) && (picks[6]->value == 0 || is_integer(a)));
}
constexpr Family types{
    .name = "asked.wgmma.sp.types",
    .text =
        "wgmma.mma_async<sparsity>.sync.aligned.m64<n><k><d><at><bt><saturation> {<registers>}, <a>, l1, r5, "
        "0, p0<immediates>;",
    .axes = type_axes,
    .slot = type_slot};

/// Value: the type of A and, times 16, of D.
constexpr Choice whole_types[] = {
    {"k32.f32.f16.f16", f16 + 16 * f32},    {"k32.f16.f16.f16", f16 + 16 * f16},
    {"k32.f32.bf16.bf16", bf16 + 16 * f32}, {"k16.f32.tf32.tf32", tf32 + 16 * f32},
    {"k64.f32.e4m3.e5m2", e4m3 + 16 * f32}, {"k64.f16.e5m2.e5m2", e5m2 + 16 * f16},
    {"k64.s32.s8.u8", s8 + 16 * s32},       {"k64.s32.u8.u8.satfinite", u8 + 16 * s32}};
uint32_t a_of(const Choice& types) {
  return types.value % 16;
}

constexpr Axis extent_axes[] = {{"n", all_extents}, {"types", whole_types}};
std::string extent_slot(std::string_view name, Picks picks) {
  return name == "registers" ? registers_of_d(picks[1]->value / 16, picks[0]->value)
                             : right_immediates(a_of(*picks[1]), false);
}
Legality extent_legality(Picks picks, Targets target) {
  return legal_if(has_wgmma(target) && is_extent(picks[0]->value, is_integer(a_of(*picks[1]))));
}
constexpr Family all_n{.name = "asked.wgmma.sp.extents",
                       .text =
                           "wgmma.mma_async.sp.sync.aligned.m64n<n><types> {<registers>}, l0, l1, r5, 0, "
                           "p0<immediates>;",
                       .axes = extent_axes,
                       .slot = extent_slot};

constexpr Axis immediate_axes[] = {
    {"types", whole_types}, {"a", places_of_a}, {"signs", signs}, {"transposes", transposes}};
std::string immediate_slot(std::string_view, Picks picks) {
  return registers_of_d(picks[0]->value / 16, 8);
}
bool immediate_exists(Picks picks) {
  return are_whole_groups(*picks[2], *picks[3]);
}
Legality immediate_legality(Picks picks, Targets target) {
  return legal_if(has_wgmma(target) &&
                  are_right(*picks[2], *picks[3], a_of(*picks[0]), picks[1]->value != 0));
}
constexpr Family immediates{.name = "asked.wgmma.sp.immediates",
                            .text =
                                "wgmma.mma_async.sp.sync.aligned.m64n8<types> {<registers>}, <a>, l1, r5, 0, "
                                "p0<signs><transposes>;",
                            .axes = immediate_axes,
                            .exists = immediate_exists,
                            .slot = immediate_slot};

/// The documents have a register; ptxas takes it in braces too.
constexpr Choice metadata[] = {{"r5", 1}, {"{r5}", 2}, {"l5", 0}, {"0", 0}};
constexpr Choice selectors[] = {{"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"r6", 10}};
constexpr Axis selector_axes[] = {
    {"types", whole_types}, {"a", places_of_a}, {"metadata", metadata}, {"selector", selectors}};
std::string selector_slot(std::string_view name, Picks picks) {
  return name == "registers" ? registers_of_d(picks[0]->value / 16, 8)
                             : right_immediates(a_of(*picks[0]), picks[1]->value != 0);
}
Legality selector_legality(Picks picks, Targets target) {
  const bool has_bytes = is_fp8(a_of(*picks[0])) || is_integer(a_of(*picks[0]));
  if (!has_wgmma(target) || picks[2]->value == 0 || picks[3]->value > (has_bytes ? 0u : 1u))
    return Legality::illegal;
  return picks[2]->value == 2 ? Legality::open : Legality::legal;
}
constexpr Family metadata_and_selectors{
    .name = "asked.wgmma.sp.selectors",
    .text =
        "wgmma.mma_async.sp.sync.aligned.m64n8<types> {<registers>}, <a>, l1, <metadata>, <selector>, "
        "p0<immediates>;",
    .axes = selector_axes,
    .slot = selector_slot};

}  // namespace

constexpr SpellingTable asked_wgmma_sp_types{"wgmma_sp", &types, type_legality,
                                             "PTX ISA, wgmma.mma_async.sp"};
constexpr SpellingTable asked_wgmma_sp_extents{"wgmma_sp", &all_n, extent_legality,
                                               "PTX ISA, wgmma.mma_async.sp"};
constexpr SpellingTable asked_wgmma_sp_immediates{"wgmma_sp", &immediates, immediate_legality,
                                                  "PTX ISA, wgmma.mma_async.sp"};
constexpr SpellingTable asked_wgmma_sp_selectors{"wgmma_sp", &metadata_and_selectors, selector_legality,
                                                 "PTX ISA, wgmma.mma_async.sp"};

}  // namespace assay::forms
