// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/sequence_case.h"

/// How the instructions of programs are spelled. By streams of their own.
namespace assay::gen {

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

}  // namespace assay::gen
