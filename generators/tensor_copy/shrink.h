// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/shrink_tree.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::gen {

/// Cases one step simpler than `c`, the boldest first: rank down, one CTA, one lane, flags off, box
/// smaller, no swizzle, no interleave, type u8, dense strides, coordinates and offsets to zero. Each fits the
/// rig where `c` does; whether it is still legal, or still breaks the same rule, is for the caller's
/// predicate.
std::vector<TensorCopyCase> simpler(const TensorCopyCase& c);

using KeepCopy = std::function<bool(const TensorCopyCase&)>;

/// RapidCheck's shrink tree over simpler(), lazily, with only those cases that `keep` lets pass.
rc::Shrinkable<TensorCopyCase> shrink_tree(const TensorCopyCase& c, KeepCopy keep);

}  // namespace assay::gen
