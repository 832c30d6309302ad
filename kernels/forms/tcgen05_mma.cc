// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "kernels/forms/families.h"
#include "kernels/forms/mma_types.h"
#include "kernels/forms/ways.h"
#include "kernels/params/tcgen05.h"

/// tcgen05.mma and tcgen05.mma.ws, dense and sparse (PTX ISA, tcgen05.mma, tcgen05.mma.sp, tcgen05.mma.ws,
/// tcgen05.mma.ws.sp).
namespace assay::forms {
namespace {

constexpr Choice sparsities[] = {{"", 0}, {".sp", 1}};

TensorWay way_of_product(Picks picks) {
  return static_cast<TensorWay>(picks.back()->value);
}
bool is_sparse(Picks picks) {
  return picks[picks.size() - 2]->value != 0;
}

/// In front of a product: its predicate, and what the ways need.
constexpr std::string_view before_product =
    ".reg .pred accumulate;\n.reg .b32 r0; .reg .b32 r1; .reg .b32 r2; .reg .b32 r3; .reg .b32 r4; .reg "
    ".pred p1;\n"
    "setp.ne.b32 accumulate, $enable_input_d, 0;";

/// `text`: the product with <place>, where A is, and <metadata>, which stand before the instruction
/// descriptor. The second axis says where A is.
template <const std::string_view& text>
std::string product(std::string_view, Picks picks) {
  std::string whole(text);
  const auto set = [&](std::string_view word, std::string_view value) {
    whole.replace(whole.find(word), word.size(), value);
  };
  set("<place>", picks[1]->text);
  set("<metadata>", is_sparse(picks) ? ", [$sp_meta]" : "");
  return in_tensor_way(way_of_product(picks), whole);
}

constexpr auto& kinds = kind_choices<false>;
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
constexpr auto scales = [] {
  constexpr std::string_view texts[] = {", 0", ", 1", ", 2",  ", 3",  ", 4",  ", 5",  ", 6",  ", 7",
                                        ", 8", ", 9", ", 10", ", 11", ", 12", ", 13", ", 14", ", 15"};
  std::array<Choice, 1 + std::size(texts)> made{Choice{"", 0}};
  for (uint32_t i = 1; i < made.size(); ++i) made[i] = {texts[i - 1], i, with_scale_d};
  return made;
}();
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
  return !scales_d || (spec::mma_kinds[picks[0]->value].scales_d && picks[3]->value == 0);
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

// With .block_scale.

constexpr Axis scaled_axes[] = {{"scaling", scaling_choices},
                                {"a", places_of_a},
                                {"collector", collectors},
                                {"sparsity", sparsities},
                                {"way", tensor_ways}};

constexpr std::string_view scaled_operands =
    "d_tmem a_desc:l a_tmem b_desc:l sp_meta idesc scale_a scale_b enable_input_d";

bool exists_scaled(Picks picks) {
  return way_of_product(picks) == TensorWay::plain || picks[2]->value == 0;
}

constexpr std::string_view scaled_one =
    "tcgen05.mma<sparsity>.cta_group::1<scaling><collector> [$d_tmem], <place>, $b_desc<metadata>, $idesc, "
    "[$scale_a], [$scale_b], accumulate";
constexpr std::string_view scaled_pair =
    "tcgen05.mma<sparsity>.cta_group::2<scaling><collector> [$d_tmem], <place>, $b_desc<metadata>, $idesc, "
    "[$scale_a], [$scale_b], accumulate";

// As pipelines issue it: operands in shared memory, no collector.

/// Those that its types are of (params::gemm_forms): of block scaling what names the number of scales.
constexpr auto pipeline_kinds = [] {
  std::array<Choice, 6> made{Choice{".kind::f16", scaling_of(spec::MmaKind::f16, 0)},
                             Choice{".kind::f8f6f4", scaling_of(spec::MmaKind::f8f6f4, 0)}};
  size_t count = 2;
  for (const Choice& one : scaling_choices)
    if (one.text.find("scale_vec") != one.text.npos) made[count++] = one;
  return made;
}();
constexpr Axis pipeline_axes[] = {{"kind", pipeline_kinds}, {"sparsity", sparsities}};

/// Metadata lie where scales of A do.
std::string pipeline_slot(std::string_view name, Picks picks) {
  if (name == "metadata") return picks.back()->value != 0 ? ", [$a_scales]" : "";
  return picks.front()->value % 64 != 0 ? ", [$a_scales], [$b_scales]" : "";
}
bool exists_in_pipeline(Picks picks) {
  return picks.back()->value == 0 || picks.front()->value == 0;
}

constexpr std::string_view pipeline_operands = "d a:l b:l idesc a_scales b_scales accumulates";
constexpr std::string_view pipeline_predicate =
    ".reg .pred accumulate;\nsetp.ne.b32 accumulate, $accumulates, 0;";

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

constexpr Family tcgen05_mma_scaled{.name = "tcgen05.mma.block_scale",
                                    .operands = scaled_operands,
                                    .before = before_product,
                                    .text = "<product>",
                                    .axes = scaled_axes,
                                    .targets = with_tcgen05,
                                    .exists = exists_scaled,
                                    .slot = product<scaled_one>};
constexpr Family tcgen05_mma_scaled_pair{.name = "tcgen05.mma.block_scale.pair",
                                         .operands = scaled_operands,
                                         .before = before_product,
                                         .text = "<product>",
                                         .axes = scaled_axes,
                                         .targets = with_tcgen05,
                                         .exists = exists_scaled,
                                         .slot = product<scaled_pair>};

constexpr Family pipeline_mma{
    .name = "pipeline.mma",
    .operands = pipeline_operands,
    .before = pipeline_predicate,
    .text = "tcgen05.mma<sparsity>.cta_group::1<kind> [$d], $a, $b<metadata>, $idesc<scales>, accumulate;",
    .axes = pipeline_axes,
    .targets = with_tcgen05,
    .exists = exists_in_pipeline,
    .slot = pipeline_slot};
constexpr Family pipeline_mma_pair{
    .name = "pipeline.mma.pair",
    .operands = pipeline_operands,
    .before = pipeline_predicate,
    .text = "tcgen05.mma<sparsity>.cta_group::2<kind> [$d], $a, $b<metadata>, $idesc<scales>, accumulate;",
    .axes = pipeline_axes,
    .targets = with_tcgen05,
    .exists = exists_in_pipeline,
    .slot = pipeline_slot};

}  // namespace assay::forms
