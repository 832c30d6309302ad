// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::scale_rules {

inline constexpr Cite scaling{"ptx", "tcgen05, block scaling"};
inline constexpr Cite scale_layouts{"ptx", "tcgen05, layouts of scale factors in tensor memory"};
inline constexpr Cite ids{"ptx", "tcgen05, scale factor data ids"};
inline constexpr Cite fragments{"cutlass", "mma_traits_sm100_frag.hpp, tmem_sf_frg"};
inline constexpr Cite k96_loop{"cutlass", "sm103_blockscaled_mma_warpspecialized.hpp"};

/// SCALE-Rnn: where the scale factors of block-scaled tcgen05.mma lie in tensor memory and what they scale.
inline constexpr std::array rows{
    Rule{"SCALE-R01",
         "a scale belongs to 32 consecutive elements of a row of A or a column of B, with scale_vec::4X and "
         "block16 to 16",
         {{scaling}},
         from_sm_100,
         ""},
    Rule{"SCALE-R02",
         "a cell holds four consecutive scales of one row or column, the first in its lowest byte",
         {{scale_layouts, fragments}},
         from_sm_100,
         ""},
    Rule{
        "SCALE-R03",
        "32 rows or columns lie in the 32 lanes of every partition, the next 32 in the next column of tensor "
        "memory",
        {{scale_layouts, fragments}},
        from_sm_100,
        "AMB-51"},
    Rule{
        "SCALE-R04",
        "the first scale of an instruction is the byte of its scale id, that of A and that of B each its own",
        {{ids}},
        from_sm_100,
        "AMB-12"},
    Rule{"SCALE-R05",
         "with K of 96 the scales after byte 3 go on in byte 0 of the cell a group further: 4 columns, for B "
         "with N above 128 8",
         {{k96_loop, scale_layouts}},
         only_sm_103,
         ""},
    Rule{"SCALE-R06",
         "on a pair with M of 128 the lower and the upper 64 lanes hold the scales of their halves of N",
         {{fragments, scale_layouts}},
         from_sm_100,
         "AMB-09"},
    Rule{"SCALE-R07",
         "on a pair each CTA holds the scales of its rows of A and of all columns of B",
         {{fragments}},
         from_sm_100,
         ""},
    Rule{"SCALE-R08",
         "a scale of ue8m0 is 2^(code - 127), one of ue4m3 as e4m3 without sign, bit 7 unseen",
         {{{"ptx", "alternate floating-point data formats"}, {"mma-sim", "sections on Blackwell"}}},
         from_sm_100,
         "NUM-AMB-11"},
};

}  // namespace assay::spec::scale_rules
