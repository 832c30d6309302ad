// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/forms/tcgen05_sparsity.h"
#include "kernels/params/tcgen05.h"

/// tcgen05.mma and tcgen05.mma.ws, dense and sparse (PTX ISA, tcgen05.mma, tcgen05.mma.sp, tcgen05.mma.ws,
/// tcgen05.mma.ws.sp).
namespace assay::forms {
namespace {

using params::MmaKind;

constexpr uint32_t value(MmaKind kind) {
  return static_cast<uint32_t>(kind);
}

/// sm_103a has no kind::i8 (ptxas).
constexpr Choice kinds[] = {{".kind::f16", value(MmaKind::f16)},
                            {".kind::tf32", value(MmaKind::tf32)},
                            {".kind::f8f6f4", value(MmaKind::f8f6f4)},
                            {".kind::i8", value(MmaKind::i8), with_tcgen05_i8}};
/// A by its descriptor, or in tensor memory.
constexpr Choice places_of_a[] = {{"$a_desc", 0}, {"[$a_tmem]", 1}};
/// In the order of params::Collector.
constexpr Choice collectors[] = {{"", 0},
                                 {".collector::a::fill", 1},
                                 {".collector::a::use", 2},
                                 {".collector::a::lastuse", 3},
                                 {".collector::a::discard", 4}};
constexpr Choice lanes[] = {{"", 0}, {", {$lane0, $lane1, $lane2, $lane3}", 1}};
constexpr Choice lanes_of_pair[] = {
    {"", 0}, {", {$lane0, $lane1, $lane2, $lane3, $lane4, $lane5, $lane6, $lane7}", 1}};
/// A is in tensor memory then.
constexpr Choice a_shifts[] = {{"", 0}, {".ashift", 1}};
/// scale-input-d is the value less one; 0: not written.
constexpr Choice scales[] = {{"", 0},      {", 0", 1},   {", 1", 2},   {", 2", 3},   {", 3", 4},
                             {", 4", 5},   {", 5", 6},   {", 6", 7},   {", 7", 8},   {", 8", 9},
                             {", 9", 10},  {", 10", 11}, {", 11", 12}, {", 12", 13}, {", 13", 14},
                             {", 14", 15}, {", 15", 16}};
/// Buffer * 4 + params::Collector.
constexpr Choice ws_collectors[] = {{"", 0},
                                    {".collector::b0::fill", 1},
                                    {".collector::b0::use", 2},
                                    {".collector::b0::lastuse", 3},
                                    {".collector::b0::discard", 4},
                                    {".collector::b1::fill", 5},
                                    {".collector::b1::use", 6},
                                    {".collector::b1::lastuse", 7},
                                    {".collector::b1::discard", 8},
                                    {".collector::b2::fill", 9},
                                    {".collector::b2::use", 10},
                                    {".collector::b2::lastuse", 11},
                                    {".collector::b2::discard", 12},
                                    {".collector::b3::fill", 13},
                                    {".collector::b3::use", 14},
                                    {".collector::b3::lastuse", 15},
                                    {".collector::b3::discard", 16}};
constexpr Choice masks[] = {{"", 0}, {", $zero_column_mask", 1}};

constexpr Axis axes[] = {{"kind", kinds},           {"a", places_of_a},  {"lanes", lanes},
                         {"collector", collectors}, {"scale", scales},   {"ashift", a_shifts},
                         {"sparsity", sparsities},  {"way", tensor_ways}};
constexpr Axis axes_of_pair[] = {{"kind", kinds},           {"a", places_of_a},  {"lanes", lanes_of_pair},
                                 {"collector", collectors}, {"scale", scales},   {"ashift", a_shifts},
                                 {"sparsity", sparsities},  {"way", tensor_ways}};
constexpr Axis ws_axes[] = {{"kind", kinds},          {"a", places_of_a},
                            {"mask", masks},          {"collector", ws_collectors},
                            {"sparsity", sparsities}, {"way", tensor_ways}};

/// scale-input-d belongs to f16 and tf32; the probes have none with a collector. What fills a collector or
/// uses it does not shift (ptxas); the probes shift where the collector holds nothing, and scale no D then.
/// They spell otherwise what has no collector and does not scale D.
bool exists(Picks picks) {
  if (way_of_product(picks) != TensorWay::plain && (picks[3]->value != 0 || picks[4]->value != 0))
    return false;
  const bool scales_d = picks[4]->value != 0, shifts_a = picks[5]->value != 0;
  const auto collector = static_cast<params::Collector>(picks[3]->value);
  const bool keeps_a = collector != params::Collector::none && collector != params::Collector::discard;
  if (shifts_a && (scales_d || picks[1]->value == 0 || keeps_a)) return false;
  return !scales_d || (picks[0]->value <= value(MmaKind::tf32) && picks[3]->value == 0);
}

bool exists_as_ws(Picks picks) {
  return way_of_product(picks) == TensorWay::plain || picks[3]->value == 0;
}

constexpr std::string_view one =
    "tcgen05.mma<sparsity>.cta_group::1<kind><ashift><collector> [$d_tmem], <place>, $b_desc<metadata>, "
    "$idesc<lanes>, accumulate<scale>";
constexpr std::string_view pair =
    "tcgen05.mma<sparsity>.cta_group::2<kind><ashift><collector> [$d_tmem], <place>, $b_desc<metadata>, "
    "$idesc<lanes>, accumulate<scale>";
constexpr std::string_view ws =
    "tcgen05.mma.ws<sparsity>.cta_group::1<kind><collector> [$d_tmem], <place>, $b_desc<metadata>, $idesc, "
    "accumulate<mask>";

}  // namespace

constexpr Family tcgen05_mma{
    .name = "tcgen05.mma",
    .operands = "d_tmem a_desc:l a_tmem b_desc:l sp_meta idesc enable_input_d lane0 lane1 lane2 lane3",
    .before = before_product,
    .text = "<product>",
    .axes = axes,
    .targets = with_tcgen05,
    .exists = exists,
    .slot = product<one>};
constexpr Family tcgen05_mma_pair{.name = "tcgen05.mma.pair",
                                  .operands =
                                      "d_tmem a_desc:l a_tmem b_desc:l sp_meta idesc enable_input_d lane0 "
                                      "lane1 lane2 lane3 lane4 lane5 lane6 lane7",
                                  .before = before_product,
                                  .text = "<product>",
                                  .axes = axes_of_pair,
                                  .targets = with_tcgen05,
                                  .exists = exists,
                                  .slot = product<pair>};
constexpr Family tcgen05_mma_ws{
    .name = "tcgen05.mma.ws",
    .operands = "d_tmem a_desc:l a_tmem b_desc:l sp_meta idesc enable_input_d zero_column_mask:l",
    .before = before_product,
    .text = "<product>",
    .axes = ws_axes,
    .targets = with_tcgen05,
    .exists = exists_as_ws,
    .slot = product<ws>};

}  // namespace assay::forms
