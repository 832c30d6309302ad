// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"

/// tcgen05.mma: which kinds of operands it takes, and how many (PTX ISA, tcgen05.mma).
namespace assay::forms {
namespace {

enum Kind : uint32_t { f16, tf32, f8f6f4, i8, scaled };
constexpr Choice kinds[] = {{".kind::f16", f16},
                            {".kind::tf32", tf32},
                            {".kind::f8f6f4", f8f6f4},
                            {".kind::i8", i8},
                            {".kind::mxf8f6f4.block_scale", scaled}};
constexpr Choice variants[] = {{"", 0}, {".ws", 1}};
constexpr Choice groups[] = {{".cta_group::1", 1}, {".cta_group::2", 2}};
/// The value is the number of words, 100 more where one is an immediate.
constexpr Choice lanes[] = {{"", 0},
                            {", {r10}", 1},
                            {", {r10, r11}", 2},
                            {", {r10, r11, r12}", 3},
                            {", {r10, r11, r12, r13}", 4},
                            {", {r10, r11, r12, r13, r14}", 5},
                            {", {r10, r11, r12, r13, r14, r15, r16, r17}", 8},
                            {", {r10, 0, r12, r13}", 104}};
constexpr Choice enables[] = {{", p0", 0}, {", !p0", 1}, {", 0", 2}, {", 1", 3}, {"", 4}};
enum Last : uint32_t { nothing, number_0, number_15, number_16, minus_1, word, register_64 };
constexpr Choice lasts[] = {{"", nothing},     {", 0", number_0}, {", 15", number_15},  {", 16", number_16},
                            {", -1", minus_1}, {", r9", word},    {", l5", register_64}};
constexpr Axis axes[] = {{"kind", kinds},  {"variant", variants}, {"group", groups},
                         {"lanes", lanes}, {"enable", enables},   {"last", lasts}};

/// Where enable-input-d is left out nothing follows: the next operand would stand in its place.
bool exists(Picks picks) {
  return picks[4]->value != 4 || picks[5]->value == nothing;
}

Legality legality(Picks picks, Targets target) {
  const uint32_t kind = picks[0]->value, words = picks[3]->value, last = picks[5]->value;
  const bool is_ws = picks[1]->value != 0, is_pair = picks[2]->value == 2;
  if (!has_tcgen05(target) || (kind == i8 && (target & with_tcgen05_i8) == 0)) return Legality::illegal;
  if (picks[4]->value == 4) return Legality::illegal;
  // Behind enable-input-d of .ws stands a zero-column mask: 64 bits, or an immediate.
  if (is_ws) return legal_if(kind != scaled && !is_pair && words == 0 && last != word);
  if (words != 0 && (kind == scaled || words % 100 != (is_pair ? 8u : 4u))) return Legality::illegal;
  // The vector is one of 32-bit registers; ptxas takes a number among them.
  const Legality right = words > 100 ? Legality::open : Legality::legal;
  if (last == nothing) return right;
  if (last == word || last == register_64 || kind == f8f6f4 || kind == scaled) return Legality::illegal;
  // scale-input-d is of f16 and tf32; that ptxas takes any number with i8 no document says.
  if (kind == i8) return Legality::open;
  if ((target & with_scale_d) == 0) return Legality::illegal;
  return last == number_0 || last == number_15 ? right : Legality::illegal;
}

std::string scale_operands(std::string_view, Picks picks) {
  return picks[0]->value == scaled ? ", [r4], [r5]" : "";
}

constexpr Family operands{
    .name = "asked.tcgen05.mma.operands",
    .text = "tcgen05.mma<variant><group><kind> [r0], l0, l1, r2<scales><lanes><enable><last>;",
    .axes = axes,
    .exists = exists,
    .slot = scale_operands};

constexpr Choice guards[] = {{"", 0}, {"@p1 ", 1}, {"@!p1 ", 2}};
/// Value 0: illegal.
constexpr Choice d_addresses[] = {{"[r0]", 1}, {"[r0+16]", 2}, {"[16]", 0}, {"[l2]", 0}};
constexpr Choice a_operands[] = {{"l0", 1}, {"17", 2}, {"r1", 0}, {"[r1]", 3}, {"[r1+16]", 4}, {"[l3]", 0}};
constexpr Choice b_operands[] = {{"l1", 1}, {"17", 2}, {"r3", 0}};
constexpr Choice descriptors[] = {{"r2", 1}, {"17", 2}, {"l4", 0}};
constexpr Axis address_axes[] = {
    {"guard", guards}, {"d", d_addresses}, {"a", a_operands}, {"b", b_operands}, {"idesc", descriptors}};

Legality legality_of_addresses(Picks picks, Targets target) {
  for (const Choice* choice : picks.subspan(1))
    if (choice->value == 0) return Legality::illegal;
  return legal_if(has_tcgen05(target));
}

constexpr Family addresses{.name = "asked.tcgen05.mma.addresses",
                           .text = "<guard>tcgen05.mma.cta_group::1.kind::f16 <d>, <a>, <b>, <idesc>, p0;",
                           .axes = address_axes};

constexpr Choice scales[] = {{"[r4]", 1}, {"[r4+16]", 1}, {"[16]", 0}, {"[l2]", 0}, {"r4", 0}, {"l2", 0}};
constexpr Axis scale_axes[] = {{"a", scales}, {"b", scales}};

constexpr Family scale_addresses{
    .name = "asked.tcgen05.mma.scales",
    .text = "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [r0], l0, l1, r2, <a>, <b>, p0;",
    .axes = scale_axes};

Legality legality_of_scales(Picks picks, Targets target) {
  return legal_if(has_tcgen05(target) && picks[0]->value != 0 && picks[1]->value != 0);
}

}  // namespace

constexpr SpellingTable asked_tcgen05_mma_scales{"tcgen05_mma", &scale_addresses, legality_of_scales,
                                                 "PTX ISA, tcgen05.mma, operands; ptxas 13.0"};
constexpr SpellingTable asked_tcgen05_mma_operands{"tcgen05_mma", &operands, legality,
                                                   "PTX ISA, tcgen05.mma, operands; ptxas 13.0"};
constexpr SpellingTable asked_tcgen05_mma_addresses{"tcgen05_mma", &addresses, legality_of_addresses,
                                                    "PTX ISA, tcgen05.mma, operands; ptxas 13.0"};

}  // namespace assay::forms
