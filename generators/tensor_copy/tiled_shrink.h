// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/shrinkable.h"
#include "reference/model/tensor_copy/tiled_case.h"

namespace assay::gen {

/// Cases one step simpler than `c`, the boldest first: rank down, box smaller, no swizzle, no interleave,
/// type u8, dense strides, coordinates and offsets to zero, flags off. Each fits the rig where `c` does;
/// whether it is still legal, or still breaks the same rule, is for the caller's predicate.
std::vector<TiledCase> simpler(const TiledCase& c);

using KeepTiled = std::function<bool(const TiledCase&)>;

/// RapidCheck's shrink tree over simpler(), lazily, with only those cases that `keep` lets pass.
rc::Shrinkable<TiledCase> shrink_tree(const TiledCase& c, KeepTiled keep);

}  // namespace assay::gen
