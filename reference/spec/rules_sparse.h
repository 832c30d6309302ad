// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"

namespace assay::spec::sparse_rules {

inline constexpr Cite matrices{"ptx", "tcgen05, sparse matrices"};
inline constexpr Cite layouts{"ptx", "tcgen05, sparsity metadata in tensor memory"};
inline constexpr Cite fragments{"cutlass", "mma_traits_sm100_frag.hpp, tmem_e_frg"};
inline constexpr Cite measured{"h200", "sm_90, shared mechanism: sparse operands of wgmma and mma.sync"};
inline constexpr Cite registers{"ptx", "mma.sp, sparsity selector and layout of the metadata"};
inline constexpr Cite selector{"cutlass", "mma_traits_sm100.hpp, sparse atoms"};

/// SPARSE-Rnn: what the metadata of a sparse A say, and where they lie in tensor memory and in registers.
inline constexpr std::array rows{
    Rule{"SPARSE-R01",
         "the kept elements of a row of A are multiplied by the elements of B that the metadata name, in one "
         "sum as long as the dense one; whatever else B holds has no effect",
         {{matrices, measured}},
         everywhere,
         ""},
    Rule{"SPARSE-R02",
         "2:4: a code of 4 bits for every four elements of B, bits 1:0 the place of the first kept element, "
         "bits 3:2 that of the second",
         {{matrices, measured}},
         everywhere,
         "AMB-19"},
    Rule{"SPARSE-R03",
         "1:2, tf32: a code of 4 bits for every two elements of B, 0100 for the first, 1110 for the second",
         {{matrices, measured}},
         everywhere,
         ""},
    Rule{"SPARSE-R04",
         "4:8, the kinds of packed 4-bit elements: a code of 4 bits for every eight elements of B, which are "
         "four pairs; each 2 bits name the pair that two neighbouring kept elements meet",
         {{matrices, {"h200", "SP-02"}}},
         everywhere,
         "AMB-19"},
    Rule{"SPARSE-R05",
         "kinds f16 and tf32: rows r and r + 8 of every 16 share cells, r in the low halves; lane r of those "
         "16 has the first four codes, lane r + 8 the others",
         {{layouts, fragments}},
         from_sm_100,
         ""},
    Rule{"SPARSE-R06",
         "the other kinds: 16 codes of a row lie in its lane, eight in each of two columns, the first in the "
         "lowest bits",
         {{layouts, fragments}},
         from_sm_100,
         ""},
    Rule{"SPARSE-R07",
         "kinds f16 and tf32: the selector names the column of the two",
         {{selector}},
         from_sm_100,
         "AMB-20"},
    Rule{"SPARSE-R08",
         "where D lies in 16 of every 32 lanes its metadata lie in the same ones",
         {{layouts, {"ptx", "tcgen05, data path layout organization"}}},
         from_sm_100,
         ""},
    Rule{"SPARSE-R09",
         "with .ws and M of 64 or 32 each group of lanes has the metadata of all rows",
         {{layouts, {"cutlass", "mma_traits_sm100_frag.hpp, tmem_e_frg_ws"}}},
         from_sm_100,
         "AMB-45"},
    Rule{"SPARSE-R10",
         "a code without a meaning leaves its row of D open, and nothing else",
         {{matrices, registers}},
         everywhere,
         ""},
    Rule{"SPARSE-R11",
         "a scale of a sparse product counts for twice as many elements of K as of a dense one",
         {{{"ptx", "tcgen05.mma, block scaling"}, {"cutlass", "sm100_blockscaled_layout.hpp"}}},
         from_sm_100,
         "AMB-10"},
    Rule{"SPARSE-R12",
         "mma.sp and wgmma.sp of 16 and 32 bits: a lane of the four that have row r has four codes of it in "
         "the low half of its metadata, of row r + 8 in the upper; the selector names the lane that counts, "
         "and where a row has eight codes lanes 0 and 1 or 2 and 3, the first with the first four",
         {{registers, measured}},
         everywhere,
         ""},
    Rule{
        "SPARSE-R13",
        "mma.sp and wgmma.sp of 8 and 4 bits: a lane has eight codes of one row, of the four that have row r "
        "the even ones those of r, the odd ones those of r + 8; lanes 2 and 3 have the last eight of "
        "sixteen, and where a row has eight the selector names lanes 0 and 1 or 2 and 3",
        {{registers, measured}},
        everywhere,
        ""},
    Rule{"TMEM-R18",
         "sparsity metadata begin at an even column",
         {{{"triton-sparse", "misaligned address at an odd column, sm_110"}, layouts}},
         from_sm_100,
         ""},
};

}  // namespace assay::spec::sparse_rules
