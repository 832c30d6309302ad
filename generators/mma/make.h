// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "generators/mma/cases.h"
#include "generators/random.h"
#include "reference/model/mma/case.h"
#include "reference/model/warp_mma/case.h"
#include "reference/spec/descriptor.h"
#include "reference/spec/formats.h"

namespace assay::gen {

/// Mixes of operand values; each stresses one thing.
enum class FillMix : uint32_t {
  exact,       ///< small numbers whose sums of products are exact
  bits,        ///< any bits
  narrow,      ///< few exponents
  wide,        ///< random exponents, no specials
  cancelling,  ///< neighbours cancel
  tiny,        ///< subnormals and small normals
  specials,    ///< infinities, NaN, zeros and largest numbers strewn in
  underflow,   ///< results around the smallest number of D
  zeros,       ///< nothing but zeros in A, mostly minus zeros
};
inline constexpr uint32_t fill_mix_count = 9;

/// f16 into f16: sums half way between the two smallest numbers of D, but for terms around the lowest bits
/// that any reading of the adder's floor keeps.
void fill_ties(Random& random, Tcgen05MmaCase& c);
/// 4-bit subnormals whose products are the largest terms of their sums, beside accumulators of many bits.
void fill_narrow_subnormals(Random& random, Tcgen05MmaCase& c);

/// A pattern of elements of this format, `stored` bits apart (8 for padded containers in tensor memory; 0: as
/// the format is stored).
OperandPattern fill_of(Random& random, const spec::Format& format, FillMix mix, bool in_byte = false);
/// Accumulators: f16 in the low half of its cell, anything above.
OperandPattern accumulator_fill(Random& random, const spec::Format& format, FillMix mix);

/// Scale factors of either format beside operands of that mix.
OperandPattern scale_fill(Random& random, bool is_ue8m0, FillMix mix);
/// Of a case, beside operands of that mix: near one, or from end to end of their format with NaN among
/// them and, of ue4m3, with bit 7.
void fill_scales(Random& random, FillMix mix, Tcgen05MmaCase& c);
/// mxf4, mxf4nvf4: groups of products that cancel under the largest scales, beside some that do not under the
/// smallest: what is cut shows.
void fill_cancelling_groups(Random& random, Tcgen05MmaCase& c);

/// Patterns of all operands of a case whose form stands.
void fill_operands(Random& random, FillMix mix, Tcgen05MmaCase& c);

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

// Steps that the generators of all cases of tcgen05.mma share.

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

// Places of an operand of wgmma in shared memory: random legal descriptors.

/// What the instruction reads through a descriptor.
struct SmemReads {
  uint32_t lines;          ///< rows of A or columns of B, a multiple of 8
  uint32_t element_bytes;  ///< k is row_bytes / element_bytes
  bool mn_major;
  uint32_t row_bytes = 32;  ///< 64 of B with a sparse A
};

/// First byte after the last one that is read, before the swizzle; start and strides not reduced. No
/// exclusive or leaves its 1024 bytes.
uint32_t linear_end(const MatrixInShared& matrix, const SmemReads& reads);

/// Blocks of the two strides that are read: 1 where the stride is dead.
struct StrideCounts {
  uint32_t leading, stride;
};
StrideCounts stride_counts(uint32_t swizzle, const SmemReads& reads);

/// The strides that pack the matrix densely; dead ones 0.
void make_canonical(MatrixInShared& matrix, const SmemReads& reads);
/// linear_end of the canonical form with start 0.
uint32_t canonical_bytes(uint32_t swizzle, const SmemReads& reads);

/// Anything legal inside [first, end), both multiples of 1024: start any multiple of 16, independent strides
/// from 0 on, dead ones any 14 bits, any base offset. Requires 1024 bytes. The swizzle is kept.
void place_anywhere(MatrixInShared& matrix, const SmemReads& reads, uint32_t first, uint32_t end,
                    Random& random);

/// Blocks that do not overlap, from near `first` on: canonical strides or somewhat longer ones. Returns the
/// next multiple of 1024.
uint32_t place_apart(MatrixInShared& matrix, const SmemReads& reads, uint32_t first, Random& random);

/// Random values of the bits that a descriptor of wgmma does not use.
uint64_t ignored_bits(Random& random);

}  // namespace assay::gen
