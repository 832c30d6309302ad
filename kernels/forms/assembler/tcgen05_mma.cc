// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/mma_types.h"

/// tcgen05.mma: which qualifiers go together (PTX ISA, tcgen05.mma, tcgen05.mma.sp, tcgen05.mma.ws). All
/// 32,928 combinations of both tables were once assembled with ptxas 13.0; 880 of them are legal on sm_100a.
namespace assay::forms {
namespace {

constexpr auto& kinds = kind_choices<true>;
constexpr Choice dense_variants[] = {{"", 0}, {".ws", 1}};
constexpr Choice sparse_variants[] = {{".sp", 0}, {".ws.sp", 1}};
constexpr Choice groups[] = {{".cta_group::1", 1}, {".cta_group::2", 2}};
/// 0: not scaled; else the number of a qualifier, and one more where it is.
constexpr auto scaling_qualifier_texts = [] {
  std::array<JoinedText, std::size(spec::scale_qualifiers)> made{};
  for (size_t i = 0; i < made.size(); ++i) (made[i] += ".block_scale") += spec::scale_qualifiers[i].text;
  return made;
}();
constexpr auto scalings = [] {
  std::array<Choice, 1 + std::size(spec::scale_qualifiers)> made{};
  for (size_t i = 0; i < std::size(spec::scale_qualifiers); ++i)
    made[i + 1] = {scaling_qualifier_texts[i], 1u + spec::scale_qualifiers[i].number};
  return made;
}();
/// Buffer a first, b0 to b3 behind; of each fill, use, lastuse, discard.
enum Collector : uint32_t { no_collector, a_fill, a_use, a_lastuse, a_discard, first_of_b };
constexpr Choice collectors[] = {{"", no_collector},
                                 {".collector::a::fill", a_fill},
                                 {".collector::a::use", a_use},
                                 {".collector::a::lastuse", a_lastuse},
                                 {".collector::a::discard", a_discard},
                                 {".collector::b0::fill", first_of_b},
                                 {".collector::b0::use", 6},
                                 {".collector::b0::lastuse", 7},
                                 {".collector::b0::discard", 8},
                                 {".collector::b1::fill", 9},
                                 {".collector::b1::use", 10},
                                 {".collector::b1::lastuse", 11},
                                 {".collector::b1::discard", 12},
                                 {".collector::b2::fill", 13},
                                 {".collector::b2::use", 14},
                                 {".collector::b2::lastuse", 15},
                                 {".collector::b2::discard", 16},
                                 {".collector::b3::fill", 17},
                                 {".collector::b3::use", 18},
                                 {".collector::b3::lastuse", 19},
                                 {".collector::b3::discard", 20}};
constexpr Choice shifts[] = {{"", 0}, {".ashift", 1}};
constexpr Choice places_of_a[] = {{"l0", 0}, {"[r1]", 1}};

constexpr Axis dense_axes[] = {{"variant", dense_variants}, {"group", groups},         {"kind", kinds},
                               {"scaling", scalings},       {"collector", collectors}, {"ashift", shifts},
                               {"a", places_of_a}};
constexpr Axis sparse_axes[] = {
    {"variant", sparse_variants}, {"group", groups},  {"kind", kinds},   {"scaling", scalings},
    {"collector", collectors},    {"ashift", shifts}, {"a", places_of_a}};

Legality legality(Picks picks, Targets target) {
  const bool is_ws = picks[0]->value != 0, is_pair = picks[1]->value == 2, shifts_a = picks[5]->value != 0;
  const bool a_in_tmem = picks[6]->value != 0;
  const spec::MmaKindRow& kind = spec::mma_kinds[picks[2]->value];
  const uint32_t scaling = picks[3]->value, collector = picks[4]->value;
  if ((target & targets_of(kind)) == 0) return Legality::illegal;
  if (kind.is_mx != (scaling != 0) || (kind.is_mx && !kind.takes(scaling - 1))) return Legality::illegal;
  if (is_ws)
    return legal_if(!kind.is_mx && !is_pair && !shifts_a &&
                    (collector == no_collector || collector >= first_of_b));
  if (collector > a_discard) return Legality::illegal;
  // Neither what fills the collector nor what uses it shifts.
  if (shifts_a) return legal_if(!kind.is_mx && a_in_tmem && collector != a_fill && collector != a_use);
  return Legality::legal;
}

std::string scale_operands(std::string_view, Picks picks) {
  return picks[3]->value == 0 ? "" : ", [r4], [r5]";
}

constexpr Family dense{.name = "asked.tcgen05.mma",
                       .text =
                           "tcgen05.mma<variant><group><kind><scaling><ashift><collector> [r0], <a>, l1, "
                           "r2<scales>, p0;",
                       .axes = dense_axes,
                       .slot = scale_operands};
constexpr Family sparse{.name = "asked.tcgen05.mma.sp",
                        .text =
                            "tcgen05.mma<variant><group><kind><scaling><ashift><collector> [r0], <a>, l1, "
                            "[r3], r2<scales>, p0;",
                        .axes = sparse_axes,
                        .slot = scale_operands};

}  // namespace

constexpr SpellingTable asked_tcgen05_mma{"tcgen05_mma", &dense, legality,
                                          "PTX ISA, tcgen05.mma; ptxas 13.0: half of 880 forms on sm_100a"};
constexpr SpellingTable asked_tcgen05_mma_sparse{
    "tcgen05_mma_sp", &sparse, legality, "PTX ISA, tcgen05.mma.sp; ptxas 13.0: half of 880 forms on sm_100a"};

}  // namespace assay::forms
