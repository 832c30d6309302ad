// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec::mask_rules {

inline constexpr Cite table{"ptx", "tcgen05, zero-column mask descriptor, table of bits"};
inline constexpr Cite examples{"ptx", "tcgen05, zero-column mask descriptor, examples 1 to 4"};
inline constexpr Cite masks_of_convolutions{"cutlass", "mma_sm100_desc.hpp, make_column_zero_mask"};

/// Rules on the zero-column mask; the checks are in zero_column_mask.cc.
inline constexpr std::array rows{
    Rule{"ZCM-R01", "bits 36 to 38, 62 and 63 are 0", {{table}}, from_sm_100, ""},
    Rule{
        "ZCM-R02", "the column shift is at most 16 for M of 32, else at most 32", {{table}}, from_sm_100, ""},
    Rule{"ZCM-R03",
         "a start count is below the length of the first span",
         {{examples, masks_of_convolutions}},
         from_sm_100,
         "AMB-03"},
    Rule{"ZCM-R04",
         "the column shift is at most the maximum shift of the instruction descriptor",
         {{table}},
         from_sm_100,
         "AMB-04"},
    Rule{"ZCM-R05", "with bit 39 clear every column is used", {{table, examples}}, from_sm_100, "AMB-02"},
    Rule{"ZCM-R06",
         "skip_span columns are zeroed and use_span columns used, in turn, each field one less than the "
         "length",
         {{examples, masks_of_convolutions}},
         from_sm_100,
         "AMB-01"},
    Rule{"ZCM-R07",
         "sub-mask i of s covers columns i * N / s to (i + 1) * N / s - 1; M of 128, 64, 32 has 1, 2, 4",
         {{table}},
         from_sm_100,
         ""},
    Rule{"ZCM-R08",
         "column j of the mask and of D pairs with column j + shift of B",
         {{examples}},
         from_sm_100,
         ""},
    Rule{"ZCM-R09",
         "a masked column of B acts as a column of zeros whatever it holds",
         {{table}},
         from_sm_100,
         "NUM-AMB-16"},
};

}  // namespace assay::spec::mask_rules
