// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"

/// tensormap.replace (PTX ISA, tensormap.replace; ptxas 13.0 for each target).
namespace assay::forms {
namespace {

struct Field {
  bool is_64, has_ordinal, is_immediate;
  uint32_t largest;  ///< of an immediate
};
constexpr Field rows[] = {{true, false, false, 0},  {false, false, false, 0}, {false, true, false, 0},
                          {false, true, false, 0},  {true, true, false, 0},   {false, true, false, 0},
                          {false, false, true, 15}, {false, false, true, 2},  {false, false, true, 4},
                          {false, false, true, 3},  {false, false, true, 1}};
constexpr uint32_t elemtype = 6, swizzle_mode = 8, swizzle_atomicity = 9;
constexpr Choice fields[] = {{".global_address", 0},
                             {".rank", 1},
                             {".box_dim", 2},
                             {".global_dim", 3},
                             {".global_stride", 4},
                             {".element_stride", 5},
                             {".elemtype", elemtype},
                             {".interleave_layout", 7},
                             {".swizzle_mode", swizzle_mode},
                             {".swizzle_atomicity", swizzle_atomicity},
                             {".fill_mode", 10}};
/// (ptxas) Without a state space the address is generic.
constexpr Choice places[] = {{".global", 1}, {".shared::cta", 2}, {"", 1}, {".shared::cluster", 0}};
constexpr Choice types[] = {{".b32", 0}, {".b64", 1}};
constexpr Choice ordinals[] = {{"", 9}, {", 0", 0}, {", 2", 2}, {", 4", 4}, {", 5", 5}, {", r3", 8}};
/// 100: a register of the width that the type says.
constexpr Choice values[] = {{"register", 100}, {", 0", 0},   {", 1", 1},  {", 2", 2},
                             {", 3", 3},        {", 4", 4},   {", 5", 5},  {", 12", 12},
                             {", 13", 13},      {", 15", 15}, {", 16", 16}};
constexpr Axis axes[] = {
    {"field", fields}, {"place", places}, {"type", types}, {"ordinal", ordinals}, {"value", values}};

std::string slot(std::string_view name, Picks picks) {
  if (name == "address") return picks[1]->value == 1 ? "l0" : "r0";
  return picks[4]->value != 100 ? "<value>" : picks[2]->value != 0 ? ", l1" : ", r1";
}

Legality legality(Picks picks, Targets target) {
  const uint32_t field = picks[0]->value, ordinal = picks[3]->value, value = picks[4]->value;
  const Field& row = rows[field];
  if (picks[1]->value == 0 || (picks[2]->value != 0) != row.is_64) return Legality::illegal;
  if (row.has_ordinal ? ordinal > 4 : ordinal != 9) return Legality::illegal;
  if (!row.is_immediate) return Legality::legal;
  if (value == 100 || value > row.largest) return Legality::illegal;
  if (field == elemtype) return legal_if(value <= 12 || is_from_sm_100a(target));
  if (field == swizzle_atomicity) return legal_if(is_from_sm_100a(target));
  return legal_if(field != swizzle_mode || value < 4 || (target & with_swizzle_96B) != 0);
}

constexpr Family replace{
    .name = "asked.tensormap.replace",
    .text = "tensormap.replace.tile<field><place>.b1024<type> [<address>]<ordinal><given>;",
    .axes = axes,
    .slot = slot};

}  // namespace

constexpr SpellingTable asked_tensormap_replace{"tensormap_replace", &replace, legality,
                                                "PTX ISA, tensormap.replace; ptxas 13.0"};

}  // namespace assay::forms
