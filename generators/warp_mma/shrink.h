// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/shrinkable.h"
#include "reference/model/warp_mma/case.h"

namespace assay::gen {

/// Cases one step simpler than `c` that fit the rig, the boldest first: fewer columns, no signs and
/// transposes, canonical descriptors without swizzle, operands of fewer bits down to one number, no C.
std::vector<WgmmaCase> simpler(const WgmmaCase& c);
std::vector<MmaSyncCase> simpler(const MmaSyncCase& c);

using KeepWgmma = std::function<bool(const WgmmaCase&)>;
using KeepMmaSync = std::function<bool(const MmaSyncCase&)>;

/// RapidCheck's shrink tree over simpler(), lazily, with only those cases that `keep` lets pass.
rc::Shrinkable<WgmmaCase> shrink_tree(const WgmmaCase& c, KeepWgmma keep);
rc::Shrinkable<MmaSyncCase> shrink_tree(const MmaSyncCase& c, KeepMmaSync keep);

}  // namespace assay::gen
