// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "generators/random.h"
#include "reference/model/warp_mma/case.h"

/// Places of an operand of wgmma in shared memory: random legal descriptors.
namespace assay::gen {

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
