// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/shrinkable.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::gen {

/// Calls one step simpler than `c`, the boldest first: rank down, plain values in one argument at a time.
std::vector<EncodeTiledCase> simpler(const EncodeTiledCase& c);

using KeepEncode = std::function<bool(const EncodeTiledCase&)>;
rc::Shrinkable<EncodeTiledCase> shrink_tree(const EncodeTiledCase& c, KeepEncode keep);

}  // namespace assay::gen
