// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about bulk copies that are not of tensors: A is what an H200 does, B what a reader of PTX
/// would expect.
inline constexpr std::array bulk_copy_questions{
    Question{"BULK-AMB-01",
             "What does a bulk copy do if its size is not a multiple of 16?",
             {{{'A', "moves_whole_16_bytes", "it moves the size rounded down to a multiple of 16"},
               {'B', "faults", "faults with illegal instruction"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}}},
    Question{"BULK-AMB-02",
             "Does cp.reduce.async.bulk.add.f32 flush subnormal operands and results to zero?",
             {{{'A', "keeps_subnormals", "no"}, {'B', "flushes", "yes, to zero of the same sign"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}}},
    Question{"BULK-AMB-03",
             "What do a bulk copy or reduction from shared memory to shared memory, st.async and red.async "
             "do in a launch without clusters?",
             {{{'A', "faults", "they fault with illegal instruction, whatever their size"},
               {'B', "moves_bytes", "they move the bytes: the CTA is its own peer"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "bulk.copy.shared_to_shared, seed 1001; programs of 27 November 2026"},
               {"ptx", "cp.async.bulk: .shared::cluster"}}}},
};

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
             "What does a gather4 or scatter4 do with a map whose box is more than one row high?",
             {{{'A', "faults", "it faults with illegal instruction"},
               {'B', "height_ignored", "it takes one row of each: the height is ignored"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "5.5.3.4.1 bounding box"}}}},
};

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
        "Where does an im2col walk continue when a step leaves the box?",
        {{{'P', "at_lower_corner", "at the lower corner"},
          {'B', "carries_the_rest", "as far past the lower corner as the step went past the upper one"}}},
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
             "What does an im2col offset do if it is larger than its range at rank 5?",
             {{{'P', "carries_high_bits", "its high bits are added to the next axis"},
               {'B', "cut_to_5_bits", "it is cut to 5 bits"}}},
             always('P'),
             settled_on_sm_90,
             {{{"h200", "M-05"}, {"ptxas", "im2col offsets of cp.async.bulk.tensor"}}}},
    Question{"TMA-AMB-30",
             "What does an im2col instruction do if it starts outside the pixel box?",
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
        measured_or('B', 'A'),
        settled_on_sm_90,
        {{{"h200", "X-13"}, {"driver", "cuTensorMapEncodeIm2colWide, swizzle"}}}},
};

/// Open questions about im2col::w and im2col::w::128; letters as in spec/questions.h.
inline constexpr std::array im2col_wide_questions{
    Question{"TMA-AMB-13",
             "Where do the halo pixels of im2col::w::128 lie in shared memory?",
             {{{'A', "behind_their_pixels", "after the 32 pixels that they belong to"},
               {'B', "behind_all_pixels", "after all 128: halo pixel h of group g in row 128 + 4 h + g"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "5.5.5.3 wHalo"}}}},
    Question{"TMA-AMB-14",
             "Where does a walk along W continue past the upper corner?",
             {{{'P', "in_next_image", "at the lower corner in the next image"},
               {'B', "nowhere", "nowhere: the rest of the column is filled"}}},
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
        "What does an im2col::w instruction do with a map of mode im2col::w::128, and vice versa?",
        {{{'A', "faults", "it faults with illegal instruction"},
          {'B', "mode_of_instruction", "it runs in the mode of the instruction"}}},
        always('A'),
        settled_nowhere,
        {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}, {"driver", "CUtensorMapIm2ColWideMode"}}}},
};

/// Open questions about maps that kernels rewrite. The first letter of each is what an H200 does.
inline constexpr std::array map_replace_questions{
    Question{"TMA-AMB-27",
             "What happens to the tf32 flag when tensormap.replace.elemtype changes the type of a map?",
             {{{'P', "flag_stays", "it stays set: an f32 map still converts, any other type faults"},
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
    Question{"REPL-AMB-02",
             "What does tensormap.replace.global_stride with ordinal 4 write, which no rank has?",
             {{{'A', "over_high_parts", "it overwrites the high parts of the four strides"},
               {'B', "nothing", "nothing"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "RP-03"}, {"ptx", "tensormap.replace: .global_stride"}}}},
};

}  // namespace assay::spec
