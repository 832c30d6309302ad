// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/mma/cases.h"
#include "generators/mma/fills.h"
#include "generators/random.h"
#include "reference/model/mma/case.h"
#include "reference/spec/descriptor.h"

namespace assay::gen {

/// How freely operands are placed in shared memory.
enum class Placing {
  dense,   ///< as a tile is usually laid out: aligned, no gaps, base offset 0
  random,  ///< any start, gaps between blocks, base offsets, steps
};

/// Gives A and B their descriptors, steps and windows. The form, N, steps and the mask's shift stand already.
/// Everything lies in the window afterwards. Every fourth window comes by TMA; A and B then share a swizzle
/// where they can.
void place_operands(Random& random, Placing placing, Tcgen05MmaCase& c);

/// Gives D (and A, and scales) their columns and lanes, and the allocation its size.
void place_in_tensor_memory(Random& random, Tcgen05MmaCase& c);

}  // namespace assay::gen

/// Steps that the generators of all cases of tcgen05.mma share.
namespace assay::gen {

/// A member of a list: the first indexes walk it in a scattered order.
template <typename Member>
const Member& pick(const std::vector<Member>& list, uint64_t index, Random& random) {
  if (index >= list.size()) return list[random.below(static_cast<uint32_t>(list.size()))];
  // 7919 is a prime that no list's size is a multiple of.
  return list[index * 7919 % list.size()];
}

/// A form of a list for a case. Of the kinds with 25 pairs of types a list may hold a few alone, which its
/// first indexes walk; past them every second case of such a kind has any pair, and f8f6f4 any D.
MmaForm pick_form(const std::vector<MmaForm>& list, const CaseId&, Random& random);

/// Everything that decides which words a case has, but the mask, scale ids and the values.
void take_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c);

/// The same of a block-scaled kind, with qualifier and scale ids (mma/scaled_cases.cc).
void take_scaled_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c);

/// The same of a dense form of any kind.
void take_dense_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c);

/// The same of a sparse form of any kind, with metadata and selector (mma/sparse_cases.cc).
void take_sparse_form(Random& random, const MmaForm& form, bool may_transpose, Tcgen05MmaCase& c);

/// Whether the scales come by tcgen05.cp: of every second case, whatever else is drawn.
void take_way_of_scales(const CaseId&, Tcgen05MmaCase& c);

/// A zero-column mask, with a shift of columns if asked for (.ws).
void take_mask(Random& random, bool shifted, Tcgen05MmaCase& c);

/// D at the front of all columns, A, scales and metadata behind the widest one: whatever N a word says, D
/// stays in the allocation and away from all else.
void keep_d_apart(Tcgen05MmaCase& c);
/// Any other value in one field of a word: 0 the instruction descriptor, 1 that of A, or of B where A is in
/// tensor memory, 2 that of B.
void flip_field_of(Random& random, uint64_t word, Tcgen05MmaCase& c);

/// Places and values of the operands.
void finish(Random& random, Placing placing, FillMix mix, Tcgen05MmaCase& c);

/// The bits that make one field of a legal word wrong.
template <typename Descriptor>
uint64_t flip_one_field(Random& random, const Descriptor& descriptor, uint64_t legal) {
  const std::vector<spec::OneFieldWrong> wrong = spec::one_field_wrong(descriptor, legal);
  return wrong[random.below(static_cast<uint32_t>(wrong.size()))].word ^ legal;
}

}  // namespace assay::gen
