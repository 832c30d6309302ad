#pragma once

#include <optional>

#include "suites/vectors/tcgen05_dot.h"

namespace assay::vectors {

/// The wgmma or mma.sync that computes a dot product in every element of D; nothing for other families and
/// for types or depths that they lack.
std::optional<RowCase> warp_dot_as_case(const DotText& dot);

}  // namespace assay::vectors
