// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about mbarrier objects.
inline constexpr std::array mbarrier_questions{
    Question{"MBAR-AMB-01",
             "What does an mbarrier operation do to 64 bits of shared memory that no mbarrier.init wrote?",
             {{{'A', "taken_as_state", "it takes them for the state of a barrier"},
               {'B', "faults", "the launch fails, whatever they are"}}},
             always('A'),
             settled_on_sm_90,
             {{{"h200", "MB-11, MB-15"}, {"ptx", "mbarrier: the object is initialised first"}}}},
};

/// Open questions about scalar instructions, which no property is about: the scalar oracle runs them.
inline constexpr std::array scalar_questions{
    Question{
        "CVT-AMB-01",
        "Which 8 of the 32 random bits of cvt.rs.satfinite.e2m1x4.f32 does each of its values take, and how?",
        {{{'A', "upper_bytes_first",
           "a and b the upper byte of each half, e and f the lower one, added to what is dropped"},
          {'B', "bytes_in_order",
           "a the lowest byte, f the highest, added with half of their last place to what is dropped"}}},
        always('A'),
        settled_nowhere,
        {{{"ptx", "cvt: rbits of .e2m1x4"}, {"fp4-sm120a", "emulation of cvt.rs for e2m1x4"}}},
        {},
        "no property has a conversion; assay scalar-oracle compares the instruction on two drivers",
        "bytes_in_order: the authors of an emulation of the instruction say that it is bit-exact on a B300"},
};

}  // namespace assay::spec

/// Open questions about copies into tensor memory, shifts within it and loads that reduce.
namespace assay::spec {

inline constexpr std::array tmem_copy_questions{
    // The documents let warp w access the lanes from 32 * w on alone; programs that others ran on a B200 give
    // the lanes of warp 0 in all warps, and builds of them with debug checks trap.
    Question{"TMEM-AMB-01",
             "What do tcgen05.ld and st do in a warp whose address has the lane field of another warp?",
             {{{'A', "own_lanes", "the hardware puts the warp's own 32 lanes in place of the multiple of 32"},
               {'B', "illegal_address", "it faults with illegal address"},
               {'C', "illegal_instruction", "it faults with illegal instruction"}}},
             always('A'),
             settled_nowhere,
             {{{"sf-tensor", "hardware_validation/src, lane field 0 in all warps on a B200"},
               {"ptx", "tcgen05.ld, tcgen05.st, access restrictions"}}}},
    Question{"AMB-06",
             "Which lanes does tcgen05.shift shift?",
             {{{'A', "all_lanes", "all 128, each 32 of them for themselves, whatever lane the address names"},
               {'B', "addressed_lanes", "the 32 from the lane of the address on"}}},
             always('A'),
             settled_nowhere,
             {{{"b200", "UTCSHIFT, read back by four warps of a B200"}, {"ptx", "tcgen05.shift"}}}},
    Question{
        "AMB-25",
        "Which warps receive which half of the 64 rows of tcgen05.cp.64x128b?",
        {{{'A', "half_for_a_pair", "each pair of warps of the qualifier one half, both warps the same rows"},
          {'B', "half_for_a_warp", "each warp of a pair its half, both pairs the same rows"}}},
        always('A'),
        settled_nowhere,
        {{{"tvm", "tcgen05.cp, bit-exact round-trips on a B200"},
          {"ptx", "tcgen05.cp, .warpx2: each warp receives half of the data"}}}},
    Question{"AMB-27",
             "Whose shared memory does tcgen05.cp with .cta_group::2 read?",
             {{{'A', "own_memory", "each CTA of the pair copies from its own"},
               {'B', "memory_of_issuer", "both receive what the issuing CTA has"}}},
             always('A'),
             settled_nowhere,
             {{{"cutlass", "sm100_blockscaled_mma_warpspecialized.hpp, scale factors of A"},
               {"ptx", "tcgen05.cp, .cta_group"}}}},
    // What the documents say is A; a device that does one of the others in all cases is worth knowing.
    Question{"AMB-38",
             "In which order are copies and shifts of a thread done that are no pipelined pair?",
             {{{'B', "in_order_of_issue", "in that of issue"},
               {'C', "last_first", "the last one first"},
               {'A', "anything", "anything: the documents list no such pair"}}},
             always('B'),
             settled_nowhere,
             {{{"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"},
               {"b200", "UTCSHIFT, shifts back to back on a B200"}}}},
    // Block-scaled main loops copy the scale factors of the next stage behind the products of this one, with
    // no wait between.
    Question{"AMB-52",
             "Is a tcgen05.cp done after a tcgen05.mma that its thread issued before it?",
             {{{'A', "in_order_of_issue", "yes: what the product reads is copied over afterwards"},
               {'B', "copy_overtakes", "no, it is done before products that wait to begin"},
               {'C', "anything", "anything: the documents list no such pair"}}},
             always('A'),
             settled_nowhere,
             {{{"cutlass", "sm100_blockscaled_mma_warpspecialized.hpp, mma: copies of SFA and SFB"},
               {"ptx", "tcgen05, Memory Consistency Model: pipelined instructions"}}}},
    Question{"AMB-47",
             "Where in its byte does a 4-bit element lie that tcgen05.cp has decompressed?",
             {{{'A', "bits_5_to_2", "bits 5 to 2, as tcgen05.mma reads it"},
               {'B', "bits_3_to_0", "bits 3 to 0, as ldmatrix leaves it"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "mma, packing of 4-bit elements"}, {"cutlass", "copy_sm100.hpp, ldmatrix"}}}},
    Question{
        "AMB-48",
        "What do the bits of a byte hold that a decompressed element of tcgen05.cp leaves over?",
        {{{'A', "zero", "zero"}, {'B', "anything", "anything: the documents show it in a figure alone"}}},
        always('A'),
        settled_nowhere,
        {{{"ptx", "tcgen05.cp, decompression"}}}},
    Question{"AMB-49",
             "What does a NaN among the registers do to tcgen05.ld.red of f32 without .NaN?",
             {{{'A', "passed_over", "it is passed over, as min and max do"},
               {'B', "gives_nan", "the result is NaN"}}},
             always('A'),
             settled_nowhere,
             {{{"ptx", "min, max of f32"}, {"ptx", "tcgen05.ld, .red"}}}},
};

}  // namespace assay::spec
