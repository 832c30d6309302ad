#pragma once

#include <string>

#include "kernels/forms/form.h"

/// How tcgen05.mma spells a sparse A: the last axis of its families.
namespace assay::forms {

inline constexpr Choice sparsities[] = {{"", 0}, {".sp", 1}};

/// For <metadata>, which stand before the instruction descriptor.
inline std::string metadata_operand(std::string_view, Picks picks) {
  return picks.back()->value != 0 ? ", [$sp_meta]" : "";
}

}  // namespace assay::forms
