// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <functional>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tmem/ld_red_case.h"

namespace assay::suites {

/// Case i depends on (seed, property, index) alone. All shapes, counts and operations in the first 168; cells
/// of any bits, of few values, of NaN, infinities and zeros of both signs.
void make_tmem_ld_red(const gen::CaseId&, TmemLdRedCase&);

rc::Shrinkable<TmemLdRedCase> shrink_tree(const TmemLdRedCase&,
                                          std::function<bool(const TmemLdRedCase&)> keep);

}  // namespace assay::suites
