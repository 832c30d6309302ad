#pragma once

#include <optional>

#include "suites/vectors/tcgen05_dot.h"

namespace assay::vectors {

/// The wgmma or mma.sync that computes a dot product in every element of D, of a sparse A too, with a kind on
/// sm_120 alone; nothing for other families. Throws NoCase for types or depths that they lack.
std::optional<RowCase> warp_dot_as_case(const DotText& dot);

}  // namespace assay::vectors
