// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/layout/canonical.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

/// The words that a case gives the instruction, flips included. Addresses count from the window.
uint32_t idesc_word(const Tcgen05MmaCase&);
uint64_t a_word(const Tcgen05MmaCase&);
uint64_t b_word(const Tcgen05MmaCase&);
uint64_t mask_word(const Tcgen05MmaCase&);

/// The bits of its instruction descriptor that say what shape D has, and those of which nothing is known.
uint32_t shape_bits(const Tcgen05MmaCase&);

/// Formats of the case's type codes; null for a code without a meaning.
struct MmaFormats {
  const spec::Format *a, *b, *d;
};
MmaFormats formats_of(const Tcgen05MmaCase&);

/// Below which exponent terms of floating-point sums are cut, and with which one small operands align.
void choose_exponents(const MmaFormats&, const spec::Readings&, numerics::Arithmetic&);
/// Which zeros are -0.
void choose_zero_sign(const spec::Readings&, numerics::Arithmetic&);

/// Products of one instruction: of a sparse A, the elements that it holds of a row.
int k_of(const Tcgen05MmaCase&);
/// Elements of K that lie in memory: of B, where A is sparse, twice as many.
int stored_k(const Tcgen05MmaCase&, bool is_a);
/// The layout of D; null for a form that does not exist.
const layout::DLayoutRow* d_layout_of(const Tcgen05MmaCase&);
/// How A or B lies in shared memory.
layout::SmemOperand shared_operand(const Tcgen05MmaCase&, bool is_a);
/// Bits in which an element lies there: 8 for the padded 4- and 6-bit ones.
int stored_bits(const Tcgen05MmaCase&, bool is_a);
/// How A lies in tensor memory, and the columns that an instruction reads of it.
layout::TmemPacking packing_of_a(const Tcgen05MmaCase&);
uint32_t a_columns(const Tcgen05MmaCase&);
/// Formats, K and scales of one instruction.
numerics::Types types_of(const Tcgen05MmaCase&);

spec::SmemMatrix matrix_of(const MatrixInShared&);
spec::ZeroColumnMask mask_of(const ColumnMask&);

/// Rules that the case breaks under these readings: of the words, of the lane of D, of the collector. None:
/// the instruction is defined.
spec::RuleSet broken_mma_rules(const Tcgen05MmaCase&, const spec::Readings&);

/// Of a case that breaks rules: whether all of them are such that the readings chosen say the instruction is
/// refused, instead of leaving open what it does.
bool is_refused(const Tcgen05MmaCase&, const spec::RuleSet& broken, const spec::Readings&);

/// Rules that say what the instruction does, of those that a legal case exercises; those of the adder follow
/// from the operands (adder_evidence.h).
spec::RuleSet exercised_mma_rules(const Tcgen05MmaCase&, spec::Arch);

}  // namespace assay::model
