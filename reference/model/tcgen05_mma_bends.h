#pragma once

#include "reference/model/bend.h"

namespace assay::model {

/// The parts of the bends of matrix instructions: the adder, operands in shared memory, masks, and tensor
/// memory.
std::span<const Bend> adder_bends();
std::span<const Bend> smem_bends();
std::span<const Bend> mask_bends();
std::span<const Bend> tmem_layout_bends();
std::span<const Bend> scale_bends();
std::span<const Bend> sparse_bends();

}  // namespace assay::model
