// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {

/// Rules of tile::gather4 and tile::scatter4, and of .cta_group on loads. What is not said here is as it is
/// for tiled copies (TILE-Rnn).
inline constexpr std::array gather_rules{
    Rule("GATH-R01",
         "a gather4 load copies the elements starting at its first coordinate of four rows, named by its "
         "other four coordinates in any order, repetitions included",
         {{{"ptx", "5.5.3.4 tile::scatter4 and tile::gather4 modes"},
           {"ptx", "cp.async.bulk.tensor, tile::gather4"}}},
         from_sm_100, "TMA-AMB-21"),
    Rule("GATH-R02",
         "the rows lie in shared memory in the order of the coordinates, with the swizzle and pitch of a "
         "tiled box of four rows",
         {{{"ptx", "5.5.3.4 tile::scatter4 and tile::gather4 modes"}, {"h200", "W-02"}}}, from_sm_100,
         "TMA-AMB-04"),
    Rule(
        "GATH-R03",
        "elements of a row outside the tensor are filled, as is a whole row whose index is outside",
        {{{"ptx", "5.5.3.3 out of bound access"}, {"ptx", "5.5.3.4 tile::scatter4 and tile::gather4 modes"}}},
        from_sm_100),
    Rule("GATH-R04", "a gather4 load signals 4 * inner box * element bytes, in bounds or not",
         {{{"cutlass", "TmaTransactionBytes of the collectives"}, {"h200", "L-04"}}}, from_sm_100,
         "TMA-AMB-18"),
    Rule("GATH-R05",
         "the map of a gather4 or scatter4 has rank 2 and a box one row high; another rank faults with "
         "illegal instruction",
         {{{"ptx", "5.5.3.4.1 bounding box"}, {"h200", "section 12, ILL"}}}, from_sm_100, "TMA-AMB-41"),
    Rule("GATH-R06",
         "a scatter4 store writes to each of its four rows what a tiled store of that row would, and no "
         "other byte",
         {{{"ptx", "5.5.3.4 tile::scatter4 and tile::gather4 modes"}, {"h200", "S-01, S-03"}}}, from_sm_100,
         "X-17"),
    Rule("GATH-R07",
         "where several rows of a scatter4 have the same index, each element comes from one of them",
         {{{"ptx", "5.5.3.4 tile::scatter4 and tile::gather4 modes"}}}, from_sm_100),
    Rule("GATH-R08",
         "a scatter4 with a negative coordinate faults with illegal instruction, whichever of the five it is",
         {{{"ptx", "restriction on tensor copy instructions"}, {"h200", "S-04"}}}, from_sm_100, "TMA-AMB-19"),
    Rule("CTAG-R01",
         "with .cta_group::1 a load signals the mbarrier in the CTA of its destination, as without the "
         "qualifier",
         {{{"ptx", "cp.async.bulk.tensor, cta_group"}, {"h200", "K-05"}}}, from_sm_100),
    Rule("CTAG-R02",
         "with .cta_group::2 the signal for a destination goes to its CTA or to that CTA's peer, whichever "
         "has the rank parity of the CTA that owns the mbarrier",
         {{{"ptx", "cp.async.bulk.tensor, cta_group"},
           {"cutlass", "copy_sm100_tma.hpp, peer bit mask of the mbarrier"}}},
         from_sm_100),
};

}  // namespace assay::spec
