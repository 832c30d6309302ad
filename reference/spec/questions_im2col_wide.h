// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about im2col::w and im2col::w::128; letters as in spec/questions.h.
inline constexpr std::array im2col_wide_questions{
    Question{"TMA-AMB-13",
             "Where do the halo pixels of im2col::w::128 lie in shared memory?",
             {{{'A', "behind_their_pixels", "behind the 32 pixels that they belong to"},
               {'B', "behind_all_pixels", "behind all 128: halo pixel h of group g in row 128 + 4 h + g"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "5.5.5.3 wHalo"}}}},
    Question{"TMA-AMB-14",
             "Where does a walk along W go on behind the upper corner?",
             {{{'P', "in_next_image", "at the lower corner in the next image"},
               {'B', "nowhere", "nowhere: what is left of the column is filled"}}},
             always('P'),
             settled_nowhere,
             {{{"ptx", "5.5.5.4 wOffset, examples"}, {"ptx", "5.5.5.1 bounding box"}}}},
    Question{"TMA-AMB-42",
             "Does the traversal stride of the images act in modes im2col::w and im2col::w::128?",
             {{{'A', "w_alone", "no: W alone is strided, as written"},
               {'B', "images_too", "yes, as in im2col mode on an H200"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "5.5.5.2 traversal stride"}, {"h200", "M-03"}}}},
    Question{
        "TMA-AMB-43",
        "What does an instruction of mode im2col::w do through a map of mode im2col::w::128, and the other "
        "way round?",
        {{{'A', "faults", "it faults with illegal instruction"},
          {'B', "mode_of_instruction", "it runs in the mode of the instruction"}}},
        always('A'),
        settled_nowhere,
        {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}, {"driver", "CUtensorMapIm2ColWideMode"}}}},
};

}  // namespace assay::spec
