// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

/// Rules on mma.sync and mma.sp with a kind, which sm_120 has. What its sums are like stands in the ADD
/// rules.
namespace assay::spec {

namespace mma_kind_cites {
inline constexpr OnArch on_sm_120{false, false, false, true};
inline constexpr Cite fragments{"ptx", "mma, matrix fragments of m16n8k32 and m16n8k64"};
inline constexpr Cite scaling{"ptx", "Warp-level matrix instructions, block scaling for mma.sync"};
inline constexpr Cite traits{"cutlass", "mma_traits_sm120.hpp"};
inline constexpr Cite measured{"h200", "sm_90, shared mechanism: sparse operands of wgmma and mma.sync"};
inline constexpr Cite sparse{"cutlass", "mma_traits_sm120_sparse.hpp, mma_sm120_sparse.hpp"};
}  // namespace mma_kind_cites

inline constexpr std::array mma_kind_rules{
    Rule{"KIND-R01",
         "with K of 32 each element has a byte: 8 bits, the low 6, or 4 in bits 5:2",
         {{mma_kind_cites::fragments, mma_kind_cites::traits}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R02",
         "with K of 64 two elements of 4 bits share a byte, even k in its low half",
         {{mma_kind_cites::fragments, mma_kind_cites::traits}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{
        "KIND-R03",
        "the scales of rows g and g + 8 of A are in the first and second lane of a pair in quad g, the lower "
        "pair where thread-id-a is 0, the upper where it is 1",
        {{mma_kind_cites::scaling, mma_kind_cites::traits}},
        mma_kind_cites::on_sm_120,
        ""},
    Rule{"KIND-R04",
         "the scales of column g of B are in the lane of quad g that thread-id-b says",
         {{mma_kind_cites::scaling, mma_kind_cites::traits}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R05",
         "the first scale of a line is the byte of its word that byte-id says: any with one scale, 0 or 2 "
         "with two, 0 with four",
         {{mma_kind_cites::scaling}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R06",
         "a scale belongs to 32 consecutive elements of a row of A or a column of B, with scale_vec::4X to "
         "16, "
         "in order",
         {{mma_kind_cites::scaling}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R07",
         "a row of a sparse A has as many scales as a dense one, so that each counts for twice as many "
         "elements "
         "of K: 64, with scale_vec::4X 32",
         {{{"ptx", "mma.sp, block scaling"}, mma_kind_cites::sparse}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R08",
         "of a sparse A two of every four elements are kept where each has a byte, whatever bits it has; of "
         "packed ones two of every four pairs",
         {{{"ptx", "mma.sp, sparse matrix A, granularity by kind"}, mma_kind_cites::sparse}},
         mma_kind_cites::on_sm_120,
         ""},
    Rule{"KIND-R09",
         "the kept products of a row of mma.sp with a kind are one sum with C, as those of a dense row",
         {{{"ptx", "mma.sp, semantics"}, mma_kind_cites::measured}},
         mma_kind_cites::on_sm_120,
         "NUM-AMB-21"},
};

}  // namespace assay::spec
