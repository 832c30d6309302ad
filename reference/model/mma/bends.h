// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/bend.h"

namespace assay::model {

/// The parts of the bends of matrix instructions: the adder, operands in shared memory, masks, tensor memory,
/// and of a sparse A what a code names, and where it lies in tensor memory or in registers.
std::span<const Bend> adder_bends();
std::span<const Bend> smem_bends();
std::span<const Bend> mask_bends();
std::span<const Bend> tmem_layout_bends();
std::span<const Bend> scale_bends();
std::span<const Bend> sparse_code_bends();
std::span<const Bend> sparse_place_bends();
std::span<const Bend> sparse_register_bends();
std::span<const Bend> register_scale_bends();

}  // namespace assay::model
