// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"

/// tcgen05.cp and tcgen05.shift (PTX ISA, tcgen05.cp, tcgen05.shift). 36 forms of tcgen05.cp are legal.
namespace assay::forms {
namespace {

constexpr Choice groups[] = {{".cta_group::1", 1}, {".cta_group::2", 2}, {"", 0}};
enum Shape : uint32_t { s128x256b, s4x256b, s128x128b, s64x128b, s32x128b };
constexpr Choice shapes[] = {{".128x256b", s128x256b},
                             {".4x256b", s4x256b},
                             {".128x128b", s128x128b},
                             {".64x128b", s64x128b},
                             {".32x128b", s32x128b}};
enum Multicast : uint32_t { none, warpx2_02_13, warpx2_01_23, warpx4 };
constexpr Choice multicasts[] = {
    {"", none}, {".warpx2::02_13", warpx2_02_13}, {".warpx2::01_23", warpx2_01_23}, {".warpx4", warpx4}};
constexpr Choice formats[] = {
    {"", 1}, {".b8x16.b6x16_p32", 1}, {".b8x16.b4x16_p64", 1}, {".b8x16", 0}, {".b6x16_p32", 0}};
constexpr Choice addresses[] = {{"[r0]", 1}, {"[r0+16]", 1}, {"[l2]", 0}};
constexpr Choice descriptors[] = {{"l0", 1}, {"r1", 0}};
constexpr Axis axes[] = {{"group", groups},   {"shape", shapes},      {"multicast", multicasts},
                         {"format", formats}, {"address", addresses}, {"descriptor", descriptors}};

Legality legality(Picks picks, Targets target) {
  if (!has_tcgen05(target) || picks[0]->value == 0) return Legality::illegal;
  if (picks[3]->value == 0 || picks[4]->value == 0 || picks[5]->value == 0) return Legality::illegal;
  const uint32_t shape = picks[1]->value, multicast = picks[2]->value;
  if (shape == s64x128b) return legal_if(multicast == warpx2_02_13 || multicast == warpx2_01_23);
  return legal_if(multicast == (shape == s32x128b ? warpx4 : none));
}

constexpr Family cp{.name = "asked.tcgen05.cp",
                    .text = "tcgen05.cp<group><shape><multicast><format> <address>, <descriptor>;",
                    .axes = axes};

constexpr Choice directions[] = {{".down", 1}, {"", 0}};
constexpr Axis shift_axes[] = {{"group", groups}, {"direction", directions}, {"address", addresses}};

Legality shift_legality(Picks picks, Targets target) {
  return legal_if(has_tcgen05(target) && picks[0]->value != 0 && picks[1]->value != 0 &&
                  picks[2]->value != 0);
}

constexpr Family shift{
    .name = "asked.tcgen05.shift", .text = "tcgen05.shift<group><direction> <address>;", .axes = shift_axes};

}  // namespace

constexpr SpellingTable asked_tcgen05_cp{"tcgen05_copy", &cp, legality, "PTX ISA, tcgen05.cp"};
constexpr SpellingTable asked_tcgen05_shift{"tcgen05_copy", &shift, shift_legality, "PTX ISA, tcgen05.shift"};

}  // namespace assay::forms
