// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tmem/access.h"
#include "reference/model/tmem/copy_case.h"

/// Case i of each property of copies into tensor memory and shifts within it. A case depends on (seed,
/// property, index, architecture) alone; the CTA group is the same for a block of 32 indexes, since it is
/// that of a batch.
namespace assay::suites {

/// All forms in the first 64 indexes, from random descriptors to random columns.
void make_tmem_cp(const gen::CaseId&, TmemCopyCase&);
/// The two that decompress, codes of all values.
void make_tmem_cp_decompress(const gen::CaseId&, TmemCopyCase&);
/// One field of the descriptor wrong, or one that may be none.
void make_tmem_cp_broken(const gen::CaseId&, TmemCopyCase&);
/// Up to 40 shifts, each waited for, from each of the four lanes that one may name.
void make_tmem_shift(const gen::CaseId&, TmemCopyCase&);
/// A shift, and behind it with no wait a copy of 4x256b into the last lanes that it left as they were.
void make_tmem_shift_refill(const gen::CaseId&, TmemCopyCase&);
/// Copies and shifts of the same cells with no wait between them, of which no document says in which order
/// they are done.
void make_tmem_cp_order(const gen::CaseId&, TmemCopyCase&);

std::vector<TmemCopyCase> simpler(const TmemCopyCase&);

/// Gives the copy of a move a matrix in shared memory: any swizzle, start and base offset, strides from 0 on
/// as far as there is room, dead strides any 14 bits. Shape, count and step stand already.
void place_source(gen::Random&, TmemMove&);

/// Whether the leading and the stride offset of a copy are looked at.
struct LiveStrides {
  bool leading, stride;
};
LiveStrides live_strides(const TmemMove&);

/// Case i depends on (seed, property, index) alone. Sizes of clusters in turns long enough for a
/// batch; all masks of up to four CTAs, and of eight any, or one that has or lacks a single CTA; some go to
/// one CTA without a mask, some to mbarriers that still expect bytes.
void make_commit(const gen::CaseId&, CommitCase&);
/// The same in clusters of 16.
void make_commit_non_portable(const gen::CaseId&, CommitCase&);

std::vector<CommitCase> simpler(const CommitCase&);

/// Case i depends on (seed, property, index) alone. All shapes, counts and operations in the first 168; cells
/// of any bits, of few values, of NaN, infinities and zeros of both signs.
void make_tmem_ld_red(const gen::CaseId&, TmemLdRedCase&);

std::vector<TmemLdRedCase> simpler(const TmemLdRedCase&);

}  // namespace assay::suites
