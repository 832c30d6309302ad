// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about tile::gather4 and tile::scatter4; letters as in spec/questions.h.
inline constexpr std::array gather_questions{
    Question{"TMA-AMB-21",
             "Which of the five coordinates of gather4 and scatter4 are rows?",
             {{{'P', "last_four", "the last four; the first is the column of all of them"},
               {'B', "last_one", "the last one alone: the first four are columns in it"}}},
             always('P'),
             settled_nowhere,
             {{{"ptx", "cp.async.bulk.tensor, tile::gather4"},
               {"ptx", "release notes of PTX 8.7; 5.5.3.4 tile::scatter4 and tile::gather4 modes"}}},
             {},
             {},
             "the last four: NVIDIA's release note of PTX 8.7 corrects the sentence to one column and four "
             "rows; a measurement has not been published"},
    Question{"TMA-AMB-41",
             "What does a gather4 or scatter4 do through a map whose box is more than one row high?",
             {{{'A', "faults", "it faults with illegal instruction"},
               {'B', "height_ignored", "it takes one row of each: the height is not looked at"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "5.5.3.4.1 bounding box"}}}},
};

}  // namespace assay::spec
