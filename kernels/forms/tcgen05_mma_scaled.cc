// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/forms/tcgen05_sparsity.h"

/// tcgen05.mma with .block_scale, dense and sparse (PTX ISA, tcgen05.mma, block scaling).
namespace assay::forms {
namespace {

/// Kind and vector of scales, which go together: params::MmaKind * 64 + the number of the qualifier.
constexpr Choice scalings[] = {{".kind::mxf8f6f4.block_scale", 4 * 64 + 0},
                               {".kind::mxf8f6f4.block_scale.scale_vec::1X", 4 * 64 + 1},
                               {".kind::mxf8f6f4.block_scale.block32", 4 * 64 + 32},
                               {".kind::mxf4.block_scale", 5 * 64 + 0},
                               {".kind::mxf4.block_scale.scale_vec::2X", 5 * 64 + 2},
                               {".kind::mxf4.block_scale.block32", 5 * 64 + 32},
                               {".kind::mxf4nvf4.block_scale.scale_vec::2X", 6 * 64 + 2},
                               {".kind::mxf4nvf4.block_scale.block32", 6 * 64 + 32},
                               {".kind::mxf4nvf4.block_scale.scale_vec::4X", 6 * 64 + 4},
                               {".kind::mxf4nvf4.block_scale.block16", 6 * 64 + 16}};
constexpr Choice places_of_a[] = {{"$a_desc", 0}, {"[$a_tmem]", 1}};
/// In the order of params::Collector.
constexpr Choice collectors[] = {{"", 0},
                                 {".collector::a::fill", 1},
                                 {".collector::a::use", 2},
                                 {".collector::a::lastuse", 3},
                                 {".collector::a::discard", 4}};
constexpr Axis axes[] = {{"scaling", scalings},
                         {"a", places_of_a},
                         {"collector", collectors},
                         {"sparsity", sparsities},
                         {"way", tensor_ways}};

constexpr std::string_view operands =
    "d_tmem a_desc:l a_tmem b_desc:l sp_meta idesc scale_a scale_b enable_input_d";

bool exists(Picks picks) {
  return way_of_product(picks) == TensorWay::plain || picks[2]->value == 0;
}

constexpr std::string_view one =
    "tcgen05.mma<sparsity>.cta_group::1<scaling><collector> [$d_tmem], <place>, $b_desc<metadata>, $idesc, "
    "[$scale_a], [$scale_b], accumulate";
constexpr std::string_view pair =
    "tcgen05.mma<sparsity>.cta_group::2<scaling><collector> [$d_tmem], <place>, $b_desc<metadata>, $idesc, "
    "[$scale_a], [$scale_b], accumulate";

}  // namespace

constexpr Family tcgen05_mma_scaled{.name = "tcgen05.mma.block_scale",
                                    .operands = operands,
                                    .before = before_product,
                                    .text = "<product>",
                                    .axes = axes,
                                    .targets = with_tcgen05,
                                    .exists = exists,
                                    .slot = product<one>};
constexpr Family tcgen05_mma_scaled_pair{.name = "tcgen05.mma.block_scale.pair",
                                         .operands = operands,
                                         .before = before_product,
                                         .text = "<product>",
                                         .axes = axes,
                                         .targets = with_tcgen05,
                                         .exists = exists,
                                         .slot = product<pair>};

}  // namespace assay::forms
