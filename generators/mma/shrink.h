// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "generators/shrinkable.h"
#include "reference/model/mma/case.h"

namespace assay::gen {

/// Cases one step simpler than `c`, the boldest first: qualifiers off, one step, plain descriptors, fewer
/// columns and rows, smaller windows, plain values. Each fits the rig where `c` does; whether it is still
/// legal, or still breaks the same rule, is for the caller's predicate.
std::vector<Tcgen05MmaCase> simpler(const Tcgen05MmaCase& c);
std::vector<TmemAccessCase> simpler(const TmemAccessCase& c);

rc::Shrinkable<Tcgen05MmaCase> shrink_tree(const Tcgen05MmaCase& c,
                                           std::function<bool(const Tcgen05MmaCase&)> keep);
rc::Shrinkable<TmemAccessCase> shrink_tree(const TmemAccessCase& c,
                                           std::function<bool(const TmemAccessCase&)> keep);

}  // namespace assay::gen
