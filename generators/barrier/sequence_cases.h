// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/barrier/machine.h"
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

// How the instructions of programs are spelled. By streams of their own.

/// Of barriers: most steps of one program of two in any way.
void spell_otherwise(Random random, SequenceCase& c);

/// Of tensor memory: most loads and stores of one program of two are of any shape, and products of 64 rows or
/// of the negated A; one step of four says its instruction another way.
void vary_instructions(Random random, SequenceCase& c);

/// Of one program in eight: makes of most arrivals that end a phase in which nobody has arrived yet those of
/// many phases, one behind the other.
void pass_phases(Random&, uint64_t index, const model::BarrierMachine&, SequenceStep&);

/// Of one program in eight: makes of most steps those of two barriers whose phases end with bytes that an
/// instruction writes, half of the time of another CTA.
void let_bytes_arrive(Random&, uint64_t index, const model::BarrierMachine&, SequenceStep&);
/// Of programs of barriers: bulk copies have no generic addresses.
void leave_bulk_copies_plain(SequenceCase& c);

/// Most steps of several lanes, of one program in eight: the lanes name two or four barriers, which are made
/// before where they are not there.
void set_apart(Random&, uint64_t index, const model::BarrierMachine&, SequenceStep&);

/// Half of the programs of clusters have barriers beside those that they name.
void add_bystanders(Random random, SequenceCase& c);

/// Half of the arrivals at the end of copies come where none is under way.
void let_none_be_under_way(Random random, SequenceCase& c);

/// The plain operation in place of an arrival at the end of copies, of one in many phases, or of bytes that
/// an instruction writes; else the step itself.
SequenceStep plainer(const SequenceStep&);

// Random programs, each step drawn until it is allowed in the state that those before it leave; and the
// trees of programs with fewer and plainer steps, every one of them allowed too.

void make_barrier_sequence(const CaseId& id, SequenceCase& c);
/// Programs on 64 bits that no mbarrier.init wrote: each bit of them set alone, and cleared alone, in 256
/// cases. Those of the second kind end as a failed launch, but one of four.
void make_found_barrier(const CaseId& id, SequenceCase& c);
void make_found_barrier_fault(const CaseId& id, SequenceCase& c);
void make_tmem_sequence(const CaseId& id, SequenceCase& c);

/// Programs one step simpler, the boldest first: without half, a quarter, ... one of the steps, then with
/// smaller numbers.
std::vector<SequenceCase> simpler(const SequenceCase& c);

}  // namespace assay::gen
