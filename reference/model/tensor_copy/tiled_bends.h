// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/bend.h"

namespace assay::model {

/// The parts of tiled_bends(): which elements move, where they lie in shared memory, what becomes of their
/// bytes, and how copies end and signal.
std::span<const Bend> tiled_place_bends();
std::span<const Bend> tiled_layout_bends();
std::span<const Bend> tiled_value_bends();
std::span<const Bend> tiled_end_bends();

}  // namespace assay::model
