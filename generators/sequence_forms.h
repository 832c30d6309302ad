#pragma once

#include "generators/random.h"
#include "reference/model/sequence_case.h"

/// How the instructions of programs on tensor memory are spelled.
namespace assay::gen {

/// Most loads and stores of one program of two are of any shape, and products of 64 rows or of the negated A;
/// one step of four says its instruction another way. By a stream of its own.
void vary_instructions(Random random, SequenceCase& c);

}  // namespace assay::gen
