// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>
#include <functional>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tmem/commit_case.h"
#include "reference/model/tmem/ld_red.h"

namespace assay::suites {

/// Case i depends on (seed, property, index) alone. Sizes of clusters in turns long enough for a
/// batch; all masks of up to four CTAs, and of eight any, or one that has or lacks a single CTA; some go to
/// one CTA without a mask, some to mbarriers that still expect bytes.
void make_commit(const gen::CaseId&, CommitCase&);
/// The same in clusters of 16.
void make_commit_non_portable(const gen::CaseId&, CommitCase&);

rc::Shrinkable<CommitCase> shrink_tree(const CommitCase&, std::function<bool(const CommitCase&)> keep);

/// Case i depends on (seed, property, index) alone. All shapes, counts and operations in the first 168; cells
/// of any bits, of few values, of NaN, infinities and zeros of both signs.
void make_tmem_ld_red(const gen::CaseId&, TmemLdRedCase&);

rc::Shrinkable<TmemLdRedCase> shrink_tree(const TmemLdRedCase&,
                                          std::function<bool(const TmemLdRedCase&)> keep);

}  // namespace assay::suites
