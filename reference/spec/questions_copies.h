// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about bulk copies that are not of tensors: A is what an H200 does, B what a reader of PTX
/// would expect.
inline constexpr std::array bulk_copy_questions{
    measured("BULK-AMB-01", "What does a bulk copy do if its size is not a multiple of 16?",
             {{{'A', "moves_whole_16_bytes", "it moves the size rounded down to a multiple of 16"},
               {'B', "faults", "faults with illegal instruction"}}},
             {{{"h200", "BC-01"}, {"ptx", "cp.async.bulk: size"}}}),
    measured("BULK-AMB-02", "Does cp.reduce.async.bulk.add.f32 flush subnormal operands and results to zero?",
             {{{'A', "keeps_subnormals", "no"}, {'B', "flushes", "yes, to zero of the same sign"}}},
             {{{"h200", "BR-03"}, {"ptx", "cp.reduce.async.bulk: .add.f32"}}}),
    measured("BULK-AMB-03",
             "What do a bulk copy or reduction from shared memory to shared memory, st.async and red.async "
             "do in a launch without clusters?",
             {{{'A', "faults", "they fault with illegal instruction, whatever their size"},
               {'B', "moves_bytes", "they move the bytes: the CTA is its own peer"}}},
             {{{"h200", "bulk.copy.shared_to_shared, seed 1001; programs of 27 November 2026"},
               {"ptx", "cp.async.bulk: .shared::cluster"}}}),
};

/// Open questions about tile::gather4 and tile::scatter4; letters as in spec/questions.h.
inline constexpr std::array gather_questions{
    unsettled(
        "TMA-AMB-21", "Which of the five coordinates of gather4 and scatter4 are rows?",
        {{{'P', "last_four", "the last four; the first is the column of all of them"},
          {'B', "last_one", "the last one alone: the first four are columns in it"}}},
        {{{"ptx", "cp.async.bulk.tensor, tile::gather4"},
          {"ptx", "release notes of PTX 8.7; 5.5.3.4 tile::scatter4 and tile::gather4 modes"}}},
        'P', {},
        "the last four: NVIDIA's release note of PTX 8.7 corrects the sentence to one column and four rows; "
        "a measurement has not been published"),
    unsettled("TMA-AMB-41",
              "What does a gather4 or scatter4 do with a map whose box is more than one row high?",
              {{{'A', "faults", "it faults with illegal instruction"},
                {'B', "height_ignored", "it takes one row of each: the height is ignored"}}},
              {{{"ptx", "5.5.3.4.1 bounding box"}}}),
};

/// Open questions about im2col maps and copies; letters as in spec/questions.h.
inline constexpr std::array im2col_questions{
    measured("TMA-AMB-01", "In which order do the examples of im2col write coordinates and sizes?",
             {{{'P', "slowest_first", "N, H, W, C: the first number is the slowest dimension"},
               {'B', "fastest_first", "C, W, H, N: as the instruction's operands"}}},
             {{{"h200", "M-01"}, {"ptx", "5.5.4.1 bounding box, examples"}}}, 'P',
             "cases hold the operands of the instruction; the tuples stand in the document's examples alone"),
    measured(
        "TMA-AMB-02", "Where does an im2col walk continue when a step leaves the box?",
        {{{'P', "at_lower_corner", "at the lower corner"},
          {'B', "carries_the_rest", "as far past the lower corner as the step went past the upper one"}}},
        {{{"h200", "M-02"}, {"ptx", "5.5.4.2 traversal stride"}}}, 'P'),
    measured("TMA-AMB-03", "Does the traversal stride of the images act in im2col mode?",
             {{{'P', "next_image", "no: the next image follows"},
               {'B', "steps_over_images", "yes, images are stepped over"}}},
             {{{"h200", "M-03, M-04"}, {"ptx", "5.5.4.2 traversal stride"}}}, 'B', {}, {}, "X-18"),
    measured("TMA-AMB-23", "What does an im2col offset do if it is larger than its range at rank 5?",
             {{{'P', "carries_high_bits", "its high bits are added to the next axis"},
               {'B', "cut_to_5_bits", "it is cut to 5 bits"}}},
             {{{"h200", "M-05"}, {"ptxas", "im2col offsets of cp.async.bulk.tensor"}}}, 'P'),
    measured("TMA-AMB-30", "What does an im2col instruction do if it starts outside the pixel box?",
             {{{'A', "faults", "it faults with illegal instruction"},
               {'B', "anything", "anything: the documents leave it open"}}},
             {{{"h200", "M-06"}, {"ptx", "5.5.4.1 bounding box"}}}, 'A', {}, {}, "X-20"),
    measured("X-07", "In which arithmetic does the encoder look for an empty pixel box?",
             {{{'A', "exactly", "exactly"},
               {'B', "in_32_bits", "in 32 bits: extents of 2^31 and above count as extent - 2^32"}}},
             {{{"h200", "X-07"}, {"driver", "cuTensorMapEncodeIm2col, globalDim"}}}, 'B'),
    measured("X-12", "Does cuTensorMapEncodeIm2colWide succeed on compute capability 9.0?",
             {{{'A', "refused", "no"},
               {'B', "writes_plain_map", "yes, it writes a plain im2col map with the corners of W"}}},
             {{{"h200", "X-12"}, {"driver", "cuTensorMapEncodeIm2colWide"}}}, 'B'),
    Question{"X-13",
             "Which arguments does cuTensorMapEncodeIm2colWide take?",
             {{{'A', "as_written",
                "as written: swizzle 64B, 128B or 128B with 32B atoms, no interleave, corners of 16 bits, "
                "any pixel count in mode W128, any extent of H and D"},
               {'B', "as_plain_im2col", "those of cuTensorMapEncodeIm2col with corners of 0 for H and D"}}},
             measured_or('B', 'A'),
             settled_on_sm_90,
             {{{"h200", "X-13"}, {"driver", "cuTensorMapEncodeIm2colWide, swizzle"}}}},
};

/// Open questions about im2col::w and im2col::w::128; letters as in spec/questions.h.
inline constexpr std::array im2col_wide_questions{
    unsettled("TMA-AMB-13", "Where do the halo pixels of im2col::w::128 lie in shared memory?",
              {{{'A', "behind_their_pixels", "after the 32 pixels that they belong to"},
                {'B', "behind_all_pixels", "after all 128: halo pixel h of group g in row 128 + 4 h + g"}}},
              {{{"ptx", "5.5.5.3 wHalo"}}}),
    unsettled("TMA-AMB-14", "Where does a walk along W continue past the upper corner?",
              {{{'P', "in_next_image", "at the lower corner in the next image"},
                {'B', "nowhere", "nowhere: the rest of the column is filled"}}},
              {{{"ptx", "5.5.5.4 wOffset, examples"}, {"ptx", "5.5.5.1 bounding box"}}}, 'P'),
    unsettled("TMA-AMB-42",
              "Does the traversal stride of the images act in modes im2col::w and im2col::w::128?",
              {{{'A', "w_alone", "no: W alone is strided, as written"},
                {'B', "images_too", "yes, as in im2col mode on an H200"}}},
              {{{"ptx", "5.5.5.2 traversal stride"}, {"h200", "M-03"}}}),
    unsettled(
        "TMA-AMB-43",
        "What does an im2col::w instruction do with a map of mode im2col::w::128, and vice versa?",
        {{{'A', "faults", "it faults with illegal instruction"},
          {'B', "mode_of_instruction", "it runs in the mode of the instruction"}}},
        {{{"ptx", "5.5.5 im2col::w and im2col::w::128 modes"}, {"driver", "CUtensorMapIm2ColWideMode"}}}),
};

/// Open questions about maps that kernels rewrite. The first letter of each is what an H200 does.
inline constexpr std::array map_replace_questions{
    measured("TMA-AMB-27",
             "What happens to the tf32 flag when tensormap.replace.elemtype changes the type of a map?",
             {{{'P', "flag_stays", "it stays set: an f32 map still converts, any other type faults"},
               {'B', "flag_cleared", "it is cleared: the map is what the driver would have written"}}},
             {{{"h200", "section 9, TMA-AMB-27"}, {"ptx", "tensormap.replace: .elemtype"}}}, 'P'),
    measured("REPL-AMB-01",
             "Does tensormap.replace.swizzle_mode 0 to 3 clear the bit of the 96B swizzle on targets that do "
             "not have that?",
             {{{'A', "clears_bit", "yes"}, {'B', "keeps_bit", "no: the bit lies outside the field"}}},
             {{{"h200", "RP-02"}, {"ptx", "tensormap.replace: .swizzle_mode"}}}),
    measured("REPL-AMB-02",
             "What does tensormap.replace.global_stride with ordinal 4 write, which no rank has?",
             {{{'A', "over_high_parts", "it overwrites the high parts of the four strides"},
               {'B', "nothing", "nothing"}}},
             {{{"h200", "RP-03"}, {"ptx", "tensormap.replace: .global_stride"}}}),
};

/// Open questions about mbarrier objects.
inline constexpr std::array mbarrier_questions{
    measured("MBAR-AMB-01",
             "What does an mbarrier operation do to 64 bits of shared memory that no mbarrier.init wrote?",
             {{{'A', "taken_as_state", "it takes them for the state of a barrier"},
               {'B', "faults", "the launch fails, whatever they are"}}},
             {{{"h200", "MB-11, MB-15"}, {"ptx", "mbarrier: the object is initialised first"}}}),
};

/// Open questions about scalar instructions, which no property is about: the scalar oracle runs them.
inline constexpr std::array scalar_questions{
    unsettled(
        "CVT-AMB-01",
        "Which 8 of the 32 random bits of cvt.rs.satfinite.e2m1x4.f32 does each of its values take, and how?",
        {{{'A', "upper_bytes_first",
           "a and b the upper byte of each half, e and f the lower one, added to what is dropped"},
          {'B', "bytes_in_order",
           "a the lowest byte, f the highest, added with half of their last place to what is dropped"}}},
        {{{"ptx", "cvt: rbits of .e2m1x4"}, {"fp4-sm120a", "emulation of cvt.rs for e2m1x4"}}}, 'A',
        "no property has a conversion; assay scalar-oracle compares the instruction on two drivers",
        "bytes_in_order: the authors of an emulation of the instruction say that it is bit-exact on a B300"),
};

// Open questions about copies into tensor memory, shifts within it and loads that reduce.

inline constexpr std::array tmem_copy_questions{
    // The documents let warp w access the lanes from 32 * w on alone; programs that others ran on a B200 give
    // the lanes of warp 0 in all warps, and builds of them with debug checks trap.
    unsettled(
        "TMEM-AMB-01",
        "What do tcgen05.ld and st do in a warp whose address has the lane field of another warp?",
        {{{'A', "own_lanes", "the hardware puts the warp's own 32 lanes in place of the multiple of 32"},
          {'B', "illegal_address", "it faults with illegal address"},
          {'C', "illegal_instruction", "it faults with illegal instruction"}}},
        {{{"sf-tensor", "hardware_validation/src, lane field 0 in all warps on a B200"},
          {"ptx", "tcgen05.ld, tcgen05.st, access restrictions"}}}),
    unsettled(
        "AMB-06", "Which lanes does tcgen05.shift shift?",
        {{{'A', "all_lanes", "all 128, each 32 of them for themselves, whatever lane the address names"},
          {'B', "addressed_lanes", "the 32 from the lane of the address on"}}},
        {{{"b200", "UTCSHIFT, read back by four warps of a B200"}, {"ptx", "tcgen05.shift"}}}),
    unsettled(
        "AMB-25", "Which warps receive which half of the 64 rows of tcgen05.cp.64x128b?",
        {{{'A', "half_for_a_pair", "each pair of warps of the qualifier one half, both warps the same rows"},
          {'B', "half_for_a_warp", "each warp of a pair its half, both pairs the same rows"}}},
        {{{"tvm", "tcgen05.cp, bit-exact round-trips on a B200"},
          {"ptx", "tcgen05.cp, .warpx2: each warp receives half of the data"}}}),
    unsettled("AMB-27", "Whose shared memory does tcgen05.cp with .cta_group::2 read?",
              {{{'A', "own_memory", "each CTA of the pair copies from its own"},
                {'B', "memory_of_issuer", "both receive what the issuing CTA has"}}},
              {{{"cutlass", "sm100_blockscaled_mma_warpspecialized.hpp, scale factors of A"},
                {"ptx", "tcgen05.cp, .cta_group"}}}),
    // What the documents say is A; a device that does one of the others in all cases is worth knowing.
    unsettled("AMB-38", "In which order are copies and shifts of a thread done that are no pipelined pair?",
              {{{'B', "in_order_of_issue", "in that of issue"},
                {'C', "last_first", "the last one first"},
                {'A', "anything", "anything: the documents list no such pair"}}},
              {{{"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"},
                {"b200", "UTCSHIFT, shifts back to back on a B200"}}},
              'B'),
    // Block-scaled main loops copy the scale factors of the next stage behind the products of this one, with
    // no wait between.
    unsettled("AMB-52", "Is a tcgen05.cp done after a tcgen05.mma that its thread issued before it?",
              {{{'A', "in_order_of_issue", "yes: what the product reads is copied over afterwards"},
                {'B', "copy_overtakes", "no, it is done before products that wait to begin"},
                {'C', "anything", "anything: the documents list no such pair"}}},
              {{{"cutlass", "sm100_blockscaled_mma_warpspecialized.hpp, mma: copies of SFA and SFB"},
                {"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"}}}),
    unsettled("AMB-47", "Where in its byte does a 4-bit element lie that tcgen05.cp has decompressed?",
              {{{'A', "bits_5_to_2", "bits 5 to 2, as tcgen05.mma reads it"},
                {'B', "bits_3_to_0", "bits 3 to 0, as ldmatrix leaves it"}}},
              {{{"ptx", "mma, packing of 4-bit elements"}, {"cutlass", "copy_sm100.hpp, ldmatrix"}}}),
    unsettled(
        "AMB-48", "What do the bits of a byte hold that a decompressed element of tcgen05.cp leaves over?",
        {{{'A', "zero", "zero"}, {'B', "anything", "anything: the documents show it in a figure alone"}}},
        {{{"ptx", "tcgen05.cp, decompression"}}}),
    unsettled("AMB-49", "What does a NaN among the registers do to tcgen05.ld.red of f32 without .NaN?",
              {{{'A', "passed_over", "it is passed over, as min and max do"},
                {'B', "gives_nan", "the result is NaN"}}},
              {{{"ptx", "min, max of f32"}, {"ptx", "tcgen05.ld, .red"}}}),
};

}  // namespace assay::spec
