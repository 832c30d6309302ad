#include "kernels/forms/families.h"

/// What tensormap.replace cannot do on every target (PTX ISA, tensormap.replace; ptxas): swizzle atomicity
/// and element types from 13 on need sm_100a, swizzle mode 4 sm_103a. All of these operands are immediates.
namespace assay::forms {
namespace {

constexpr Choice fields[] = {
    {"swizzle_atomicity", 0, from_sm_100a}, {"elemtype", 1, from_sm_100a}, {"swizzle_mode", 2, sm_103a}};
constexpr Choice values[] = {{"0", 0}, {"1", 1},   {"2", 2},   {"3", 3},
                             {"4", 4}, {"13", 13}, {"14", 14}, {"15", 15}};
constexpr Axis axes[] = {{"field", fields}, {"value", values}};

bool exists(Picks picks) {
  const uint32_t field = picks[0]->value, value = picks[1]->value;
  return field == 0 ? value < 4 : field == 1 ? value >= 13 : value == 4;
}

/// Swizzle mode 4 of a map in global memory is a family of its own.
bool exists_in_global(Picks picks) {
  return picks[0]->value != 2 && exists(picks);
}

}  // namespace

constexpr Family later_maps_global{.name = "tensormap.replace.later.global",
                                   .operands = "map",
                                   .text = "tensormap.replace.tile.<field>.global.b1024.b32 [$map], <value>;",
                                   .axes = axes,
                                   .exists = exists_in_global};
constexpr Family later_maps_shared{
    .name = "tensormap.replace.later.shared",
    .operands = "map",
    .text = "tensormap.replace.tile.<field>.shared::cta.b1024.b32 [$map], <value>;",
    .axes = axes,
    .exists = exists};

}  // namespace assay::forms
