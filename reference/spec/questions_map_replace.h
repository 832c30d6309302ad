// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about maps that kernels rewrite. The first letter of each is what an H200 does.
inline constexpr std::array map_replace_questions{
    Question{"TMA-AMB-27",
             "What becomes of the tf32 flag when tensormap.replace.elemtype makes a map one of another type?",
             {{{'P', "flag_stays", "it stays: an f32 map goes on converting, any other type faults"},
               {'B', "flag_cleared", "it is cleared: the map is what the driver would have written"}}},
             always('P'),
             settled_on_sm_90,
             {{{"h200", "section 9, TMA-AMB-27"}, {"ptx", "tensormap.replace: .elemtype"}}}},
    Question{"REPL-AMB-01",
             "Does tensormap.replace.swizzle_mode 0 to 3 clear the bit of the 96B swizzle on targets that do "
             "not have that?",
             {{{'A', "clears_bit", "yes"}, {'B', "keeps_bit", "no: the bit lies outside the field"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "RP-02"}, {"ptx", "tensormap.replace: .swizzle_mode"}}}},
    Question{
        "REPL-AMB-02",
        "What does tensormap.replace.global_stride with ordinal 4 write, which no rank has?",
        {{{'A', "over_high_parts", "over the high parts of the four strides"}, {'B', "nothing", "nothing"}}},
        always('A'),
        settled_on_sm_90,
        {{{"h200", "RP-03"}, {"ptx", "tensormap.replace: .global_stride"}}}},
};

}  // namespace assay::spec
