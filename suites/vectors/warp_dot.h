// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suites/vectors/tcgen05_dot.h"

namespace assay::vectors {

/// The wgmma or mma.sync that computes a dot product in every element of D, of a sparse A too, with a kind on
/// sm_120 alone; nothing for other families. Throws NoCase for types or depths that they lack.
std::optional<RowCase> warp_dot_as_case(const DotText& dot);

/// All registers of a warp before and after mma.sp, lane by lane as rows of files have them.
struct FragmentText {
  std::string a_type, b_type, d_type;
  bool saturates = false;
  uint32_t k = 0;  ///< of the instruction
  uint32_t selector = 0;
  bool is_ordered = false;
  std::vector<uint32_t> a, b, c, d, metadata;  ///< as many a lane as the instruction takes
};
/// The mma.sp that has these registers. Throws NoCase for types or depths that it lacks.
RowCase warp_fragment_as_case(const FragmentText& fragment);

}  // namespace assay::vectors
