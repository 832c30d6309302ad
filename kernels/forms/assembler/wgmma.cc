// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// wgmma.mma_async, dense (PTX ISA, wgmma.mma_async; ptxas 13.0 on sm_90a): types, extents and immediates.
namespace assay::forms {
namespace {

using namespace asked_wgmma;

constexpr Choice depths[] = {{"k8", 8}, {"k16", 16}, {"k32", 32}};
constexpr Choice extents[] = {{"n8", 8}, {"n64", 64}, {"n256", 256}};
constexpr Axis type_axes[] = {{"n", extents},    {"k", depths},   {"d", d_types},
                              {"at", a_types},   {"bt", a_types}, {"saturation", saturations},
                              {"a", places_of_a}};

std::string type_slot(std::string_view name, Picks picks) {
  if (name == "registers") return registers_of_d(picks[2]->value, picks[0]->value);
  return right_immediates(picks[3]->value, picks[6]->value != 0);
}
Legality type_legality(Picks picks, Targets target) {
  const uint32_t d = picks[2]->value, a = picks[3]->value, b = picks[4]->value;
  if (!has_wgmma(target) || !go_together(d, a, b) || picks[1]->value != k_of(a)) return Legality::illegal;
  return legal_if(picks[5]->value == 0 || is_integer(a));
}
constexpr Family types{.name = "asked.wgmma.types",
                       .text =
                           "wgmma.mma_async.sync.aligned.m64<n><k><d><at><bt><saturation> {<registers>}, "
                           "<a>, l1, p0<immediates>;",
                       .axes = type_axes,
                       .slot = type_slot};

/// Value: the type of A and, times 16, of D.
constexpr Choice whole_types[] = {{"k16.f32.f16.f16", f16 + 16 * f32},
                                  {"k16.f16.f16.f16", f16 + 16 * f16},
                                  {"k8.f32.tf32.tf32", tf32 + 16 * f32},
                                  {"k32.f32.e4m3.e5m2", e4m3 + 16 * f32},
                                  {"k32.s32.s8.u8", s8 + 16 * s32}};
constexpr Axis extent_axes[] = {{"n", all_extents}, {"types", whole_types}};

std::string extent_slot(std::string_view name, Picks picks) {
  const uint32_t types = picks[1]->value;
  return name == "registers" ? registers_of_d(types / 16, picks[0]->value)
                             : right_immediates(types % 16, false);
}
Legality extent_legality(Picks picks, Targets target) {
  return legal_if(has_wgmma(target) && is_extent(picks[0]->value, is_integer(picks[1]->value % 16)));
}
constexpr Family all_n{
    .name = "asked.wgmma.extents",
    .text = "wgmma.mma_async.sync.aligned.m64n<n><types> {<registers>}, l0, l1, p0<immediates>;",
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
                  are_right(*picks[2], *picks[3], picks[0]->value % 16, picks[1]->value != 0));
}
constexpr Family immediates{
    .name = "asked.wgmma.immediates",
    .text = "wgmma.mma_async.sync.aligned.m64n8<types> {<registers>}, <a>, l1, p0<signs><transposes>;",
    .axes = immediate_axes,
    .exists = immediate_exists,
    .slot = immediate_slot};

}  // namespace

constexpr SpellingTable asked_wgmma_types{"wgmma", &types, type_legality, "PTX ISA, wgmma.mma_async"};
constexpr SpellingTable asked_wgmma_extents{"wgmma", &all_n, extent_legality, "PTX ISA, wgmma.mma_async"};
constexpr SpellingTable asked_wgmma_immediates{"wgmma", &immediates, immediate_legality,
                                               "PTX ISA, wgmma.mma_async"};

}  // namespace assay::forms
