// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/forms/tensor_ways.h"

/// What the families of tcgen05.mma have in common: the last two axes, and how a product is put together.
namespace assay::forms {

inline constexpr Choice sparsities[] = {{"", 0}, {".sp", 1}};

inline TensorWay way_of_product(Picks picks) {
  return static_cast<TensorWay>(picks.back()->value);
}
inline bool is_sparse(Picks picks) {
  return picks[picks.size() - 2]->value != 0;
}

/// In front of a product: its predicate, and what the ways need.
inline constexpr std::string_view before_product =
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

}  // namespace assay::forms
