// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/field.h"
#include "reference/spec/smem_desc.h"

namespace assay::layout {

/// How one gets from an atom to its neighbour: by an offset of the descriptor, or not at all, since the bytes
/// of a row simply go on.
enum class AtomStep : uint8_t { stride_offset, leading_offset, goes_on };

/// The tile of which a matrix in shared memory is laid: pieces of 16 bytes, `mn` by `k` of them. Along the
/// contiguous dimension a piece is 16 bytes of elements, along the other one a single row or k. The pieces of
/// an atom follow each other in memory, along the contiguous dimension first.
struct AtomFigure {
  std::string_view swizzle;  ///< of spec::smem_swizzles
  bool mn_major;
  uint32_t mn, k;
  AtomStep to_next_mn, to_next_k;
  spec::Cite cite;
};
inline constexpr spec::Cite atom_table{"ptx", "tcgen05, shared memory layout and swizzling, atom layouts"};
inline constexpr spec::Cite stride_texts{"ptx", "tcgen05, matrix descriptor, leading and stride byte offset"};
inline constexpr spec::Cite atom_32B_cite{"cutlass", "mma_traits_sm100.hpp, Layout_MN_SW128_32B_Atom_Bits"};
inline constexpr spec::Cite wide_32B_cite{"h200", "wgmma descriptor, rows longer than 32 bytes"};
inline constexpr std::array atom_figures{
    AtomFigure{"none", false, 8, 1, AtomStep::stride_offset, AtomStep::leading_offset, atom_table},
    AtomFigure{"32B", false, 8, 2, AtomStep::stride_offset, AtomStep::leading_offset, wide_32B_cite},
    AtomFigure{"64B", false, 8, 4, AtomStep::stride_offset, AtomStep::goes_on, atom_table},
    AtomFigure{"128B", false, 8, 8, AtomStep::stride_offset, AtomStep::goes_on, atom_table},
    AtomFigure{"128B_atom32B", false, 8, 8, AtomStep::stride_offset, AtomStep::goes_on, atom_table},
    AtomFigure{"none", true, 1, 8, AtomStep::stride_offset, AtomStep::leading_offset, stride_texts},
    AtomFigure{"32B", true, 2, 8, AtomStep::leading_offset, AtomStep::stride_offset, atom_table},
    AtomFigure{"64B", true, 4, 8, AtomStep::leading_offset, AtomStep::stride_offset, atom_table},
    AtomFigure{"128B", true, 8, 8, AtomStep::leading_offset, AtomStep::stride_offset, atom_table},
    AtomFigure{"128B_atom32B", true, 8, 4, AtomStep::leading_offset, AtomStep::stride_offset, atom_32B_cite},
};
/// Rival figures of open questions.
inline constexpr AtomFigure narrow_32B{"32B",     false, 8, 2, AtomStep::stride_offset, AtomStep::goes_on,
                                       atom_table};
inline constexpr AtomFigure tall_atom_32B{
    "128B_atom32B", true, 8, 8, AtomStep::leading_offset, AtomStep::stride_offset, stride_texts};

/// How elements lie in the bytes that a descriptor addresses.
enum class Packing : uint8_t {
  plain,         ///< whole bytes, or nibbles with the lower index in the low half
  padded_4_bit,  ///< 16 elements in 16 bytes: 8 bytes of nibbles, 8 of padding
  padded_6_bit,  ///< 16 elements in 16 bytes: 12 bytes of 6-bit fields, 4 of padding
};

/// What the documents leave open about descriptors.
struct SmemReadings {
  enum class BaseOffset : uint8_t { subtracted, exclusive_or, added } base_offset = BaseOffset::subtracted;
  /// K-major 32B swizzle: bytes past the first 32 of a row are at the leading offset, as on wgmma.
  bool leading_offset_in_wide_32B = true;
  /// 128B swizzle with 32-byte atoms: k per step of the stride offset.
  uint32_t lines_of_atom_32B = 4;
};

/// The operand that an instruction reads through the descriptor.
struct SmemOperand {
  int element_bits = 16;
  Packing packing = Packing::plain;
  bool mn_major = false;  ///< the transpose bit
};

/// Where an element is: bit 0 is the lowest bit of the byte. A padded 6-bit element may end in the next byte.
struct SmemPlace {
  uint32_t byte;  ///< in the shared window of the CTA, not reduced
  int bit;
};

struct LaidAtom;
struct LaidSwizzle;

/// A matrix laid in shared memory: its atoms side by side as the descriptor says, then every 128-byte line
/// permuted as the picture of the swizzle shows.
class LaidMatrix {
 public:
  LaidMatrix(const spec::SmemMatrix& matrix, const SmemOperand& operand, const SmemReadings& readings = {});

  /// Address of byte 0 of the 16 bytes before the swizzle, of element (mn, k): mn the row of A or column of
  /// B, k inside the instruction; for a sparse A the index of the kept element.
  uint32_t linear_cell(uint32_t mn, uint32_t k) const;
  /// Where the line of that address keeps it.
  uint32_t swizzled(uint32_t linear) const;
  /// Where the instruction reads element (mn, k).
  SmemPlace place(uint32_t mn, uint32_t k) const;

 private:
  uint32_t at(uint32_t start, uint32_t mn, uint32_t k) const;

  spec::SmemMatrix matrix_;
  SmemOperand operand_;
  SmemReadings::BaseOffset base_offset_;
  const LaidAtom& atom_;
  const LaidSwizzle& swizzle_;
  uint32_t per_piece_;  ///< elements of 16 bytes
  uint32_t mn_step_, k_step_;
  uint32_t pieces_left_;  ///< of the row, where its end leads to another buffer
};

/// The same for one element. linear_cell() and swizzled() are the two steps of smem_place().
uint32_t linear_cell(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings = {});
uint32_t swizzled(const spec::SmemMatrix& matrix, uint32_t linear, const SmemReadings& readings = {});
SmemPlace smem_place(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings = {});

}  // namespace assay::layout
