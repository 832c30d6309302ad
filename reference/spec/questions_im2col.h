// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about im2col maps and copies; letters as in spec/questions.h.
inline constexpr std::array im2col_questions{
    Question{"TMA-AMB-01",
             "In which order do the examples of im2col write coordinates and sizes?",
             {{{'P', "slowest_first", "N, H, W, C: the first number is the slowest dimension"},
               {'B', "fastest_first", "C, W, H, N: as the instruction's operands"}}},
             always('P'),
             settled_on_sm_90,
             {{{"h200", "M-01"}, {"ptx", "5.5.4.1 bounding box, examples"}}},
             {},
             "cases hold the operands of the instruction; the tuples stand in the document's examples alone"},
    Question{
        "TMA-AMB-02",
        "Where does an im2col walk go on when a step leaves the box?",
        {{{'P', "at_lower_corner", "at the lower corner"},
          {'B', "carries_the_rest", "as far behind the lower corner as the step went behind the upper one"}}},
        always('P'),
        settled_on_sm_90,
        {{{"h200", "M-02"}, {"ptx", "5.5.4.2 traversal stride"}}}},
    Question{"TMA-AMB-03",
             "Does the traversal stride of the images act in im2col mode?",
             {{{'P', "next_image", "no: the next image follows"},
               {'B', "steps_over_images", "yes, images are stepped over"}}},
             always('B'),
             settled_on_sm_90,
             {{{"h200", "M-03, M-04"}, {"ptx", "5.5.4.2 traversal stride"}}},
             "X-18"},
    Question{"TMA-AMB-23",
             "What does an im2col offset do that is larger than its range at rank 5?",
             {{{'P', "carries_high_bits", "its high bits are added to the next axis"},
               {'B', "cut_to_5_bits", "it is cut to 5 bits"}}},
             always('P'),
             settled_on_sm_90,
             {{{"h200", "M-05"}, {"ptxas", "im2col offsets of cp.async.bulk.tensor"}}}},
    Question{"TMA-AMB-30",
             "What does an im2col instruction do that starts outside the pixel box?",
             {{{'A', "faults", "it faults with illegal instruction"},
               {'B', "anything", "anything: the documents leave it open"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "M-06"}, {"ptx", "5.5.4.1 bounding box"}}},
             "X-20"},
    Question{"X-07",
             "In which arithmetic does the encoder look for an empty pixel box?",
             {{{'A', "exactly", "exactly"},
               {'B', "in_32_bits", "in 32 bits: extents of 2^31 and above count as extent - 2^32"}}},
             always('B'),
             settled_on_sm_90,
             {{{"h200", "X-07"}, {"driver", "cuTensorMapEncodeIm2col, globalDim"}}}},
    Question{"X-12",
             "Does cuTensorMapEncodeIm2colWide succeed on compute capability 9.0?",
             {{{'A', "refused", "no"},
               {'B', "writes_plain_map", "yes, it writes a plain im2col map with the corners of W"}}},
             always('B'),
             settled_on_sm_90,
             {{{"h200", "X-12"}, {"driver", "cuTensorMapEncodeIm2colWide"}}}},
    Question{
        "X-13",
        "Which arguments does cuTensorMapEncodeIm2colWide take?",
        {{{'A', "as_written",
           "as written: swizzle 64B, 128B or 128B with 32B atoms, no interleave, corners of 16 bits, any "
           "pixel count in mode W128, any extent of H and D"},
          {'B', "as_plain_im2col", "those of cuTensorMapEncodeIm2col with corners of 0 for H and D"}}},
        {'B', 'A', 'A', 'A'},
        settled_on_sm_90,
        {{{"h200", "X-13"}, {"driver", "cuTensorMapEncodeIm2colWide, swizzle"}}}},
};

}  // namespace assay::spec
