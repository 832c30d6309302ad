// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "generators/shrinkable.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/barrier/sequence_case.h"

/// Random programs, each step drawn until it is allowed in the state that those before it leave; and the
/// trees of programs with fewer and plainer steps, every one of them allowed too.
namespace assay::gen {

void make_barrier_sequence(const CaseId& id, SequenceCase& c);
/// Programs on 64 bits that no mbarrier.init wrote: each bit of them set alone, and cleared alone, in 256
/// cases. Those of the second kind end as a failed launch, but one of four.
void make_found_barrier(const CaseId& id, SequenceCase& c);
void make_found_barrier_fault(const CaseId& id, SequenceCase& c);
void make_tmem_sequence(const CaseId& id, SequenceCase& c);

/// Programs one step simpler, the boldest first: without half, a quarter, ... one of the steps, then with
/// smaller numbers.
std::vector<SequenceCase> simpler(const SequenceCase& c);
rc::Shrinkable<SequenceCase> shrink_tree(const SequenceCase& c,
                                         std::function<bool(const SequenceCase&)> keep);

}  // namespace assay::gen
