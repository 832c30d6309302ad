// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/random.h"
#include "reference/model/barrier/sequence_case.h"

/// Beginnings of programs of tensor memory that chance would not bring about; the rest of such a program is
/// like that of any other.
namespace assay::gen {

/// With copies that only the order of the tensor core brings about: products that add to columns which copies
/// of 4x256b have changed in some lanes, or a copy behind products elsewhere, which the commit has to wait
/// for too.
std::vector<SequenceStep> copying_steps(Random&);

/// All columns are taken, in pieces: wherever a device puts them, the last ones are among them, and what is
/// written into one piece shows in no other.
std::vector<SequenceStep> filling_steps(Random&);

/// With two commits under way, to two barriers: each tracks all that was issued before it, and either is
/// waited for first.
std::vector<SequenceStep> overlapping_steps(Random&);

/// With a wait for stores while loads are under way; some let the tensor core add to what was stored.
std::vector<SequenceStep> waiting_steps(Random&);

/// With shifts right behind products that still write their columns, and often products behind these.
std::vector<SequenceStep> shifting_steps(Random&);

}  // namespace assay::gen
