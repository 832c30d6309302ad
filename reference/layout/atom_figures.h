// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/cite.h"

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

}  // namespace assay::layout
