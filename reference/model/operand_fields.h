#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_fields.h"
#include "reference/model/tcgen05_mma_case.h"

/// The members of what all cases of matrix instructions have, for case_fields.h.
namespace assay {

// Beside the types, where the templates of case_fields.h find them.
template <typename Pattern, typename Visit>
requires std::same_as<std::remove_const_t<Pattern>, OperandPattern>
void visit_fields(Pattern& p, const Visit& visit) {
  visit("keep", p.keep);
  visit("mirror_bits", p.mirror_bits);
  visit("mirror_flip", p.mirror_flip);
  visit("seed", p.seed);
  visit("set", p.set);
  visit("special", p.special);
  visit("special_bits", p.special_bits);
  visit("special_rate", p.special_rate);
}

template <typename Known, typename Visit>
requires std::same_as<std::remove_const_t<Known>, KnownOperands>
void visit_fields(Known& k, const Visit& visit) {
  visit("a_row", k.a_row);
  visit("b_column", k.b_column);
  visit("b_rest", k.b_rest);
  visit("c", k.c);
  visit("present", k.present);
}

/// Fills are made of whole elements.
inline void check_fields(const std::string& path, const OperandPattern& p) {
  const auto check = [&](const char* name, uint32_t bits) {
    if (bits != 0 && bits != 8 && bits != 16 && bits != 32)
      model::fields::refuse(path + name, "is " + std::to_string(bits) + ", not 0, 8, 16 or 32");
  };
  check("mirror_bits", p.mirror_bits);
  check("special_bits", p.special_bits);
}

template <typename Matrix, typename Visit>
requires std::same_as<std::remove_const_t<Matrix>, MatrixInShared>
void visit_fields(Matrix& m, const Visit& visit) {
  visit("base_offset", m.base_offset);
  visit("leading_is_absolute", m.leading_is_absolute);
  visit("leading_offset", m.leading_offset);
  visit("start", m.start);
  visit("stride_offset", m.stride_offset);
  visit("swizzle", m.swizzle);
}

}  // namespace assay
