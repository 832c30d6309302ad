#pragma once

#include <array>
#include <string_view>

#include "reference/spec/question.h"

/// Open questions about tcgen05.mma: its descriptors, layouts and arithmetic.
namespace assay::spec::mma_questions {

/// Cases of tcgen05.mma tell its readings apart.
inline constexpr std::string_view is_told_apart = {};

constexpr Question open(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                        std::array<Cite, 2> cites, char preferred = 'A',
                        std::string_view undecidable = is_told_apart) {
  return {id, words, readings, always(preferred), settled_nowhere, cites, {}, undecidable};
}
/// Settled on sm_90 by the mechanism that wgmma and mma.sync share with tcgen05.
constexpr Question shared(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                          std::array<Cite, 2> cites, std::string_view undecidable = is_told_apart) {
  return {id, words, readings, always('A'), settled_on_sm_90, cites, {}, undecidable};
}

inline constexpr Cite mask_table{"ptx", "tcgen05, zero-column mask descriptor, table of bits"};
inline constexpr Cite mask_examples{"ptx", "tcgen05, zero-column mask descriptor, examples 1 to 4"};
inline constexpr Cite instr_table{"ptx", "tcgen05, instruction descriptor"};
inline constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
inline constexpr Cite adder{"h200", "sm_90, shared mechanism: adder of wgmma and mma.sync"};
/// Measured by others; nothing of it was run here.
inline constexpr Cite published_b200{"sf-tensor", "MODEL.md, block-scaled kinds on a B200"};
inline constexpr Cite simulator{"mma-sim", "sections on Blackwell"};

inline constexpr std::array rows{
    open("AMB-01", "Which span of a zero-column mask is zeroed?",
         {{{'A', "skip spans are zeroed, use spans used: as the examples show"},
           {'B', "skip spans are used, use spans zeroed: as the words of the table say"}}},
         {{mask_examples, mask_table}}),
    open("AMB-02", "What does bit 39 of a zero-column mask do?",
         {{{'A', "set, the mask is generated"}, {'B', "set, there is no mask"}}},
         {{mask_table, {"cutlass", "mma_sm100_desc.hpp, MaskAndShiftB"}}}),
    open("AMB-03", "What does a start count at or past the first span do?",
         {{{'B', "goes on into the following spans"},
           {'C', "counts as the span less one"},
           {'A', "anything: the documents have no such case"}}},
         {{mask_examples}}, 'B'),
    open("AMB-04", "How does the maximum shift of the instruction descriptor bound the column shift?",
         {{{'A', "only where the collector reuses B"},
           {'B', "always: a larger shift is refused"},
           {'C', "anything may come of a larger shift, with reuse or without"}}},
         {{instr_table, mask_table}}),
    shared("AMB-05", "How does the base offset act on the swizzle phase?",
           {{{'A', "it is subtracted from the line number"}, {'B', "exclusive or"}, {'C', "it is added"}}},
           {{{"h200", "sm_90, shared mechanism: wgmma descriptor, base offset"},
             {"ptx", "tcgen05, shared memory descriptor, starting address of the repeating pattern"}}}),
    open("AMB-07", "Which A does a product with .ashift multiply, and what does it leave in tensor memory?",
         {{{'A', "A as it was, and leaves it shifted"},
           {'B', "A shifted, and leaves it as it was"},
           {'C', "A shifted, and leaves it so"}}},
         {{{"ptx", "tcgen05.mma, .ashift"}}}),
    open("AMB-08", "May 128B swizzle with 32-byte atoms be K-major?",
         {{{'A', "no, it is refused: the table of atoms has no such row"},
           {'B', "yes: all swizzles are listed for K-major"},
           {'C', "anything may come of it"}}},
         {{{"cutlass", "mma_traits_sm100.hpp, layout atoms"},
           {"ptx", "tcgen05, valid combinations of type-size, major-ness and swizzling"}}}),
    open("AMB-09",
         "Which scales of B does a pair with M of 128 read, whose halves of N lie in halves of lanes?",
         {{{'A', "each half of the lanes holds those of its half of N"},
           {'B', "all four partitions of lanes hold those of all columns"}}},
         {{{"cutlass", "mma_traits_sm100_frag.hpp, tmem_sf_frg"},
           {"ptx", "tcgen05, layouts of scale factors in tensor memory"}}}),
    open("AMB-11", "Which scale types does bit 23 allow in kind::mxf4nvf4?",
         {{{'A', "ue4m3 and ue8m0"}, {'B', "ue4m3 alone"}}}, {{instr_table}}),
    open("AMB-12", "Which scale ids do mxf4 and mxf4nvf4 allow?",
         {{{'A', "by number of scales and K: 0 and 2, 0 alone, or any"}, {'B', "0 and 2"}}},
         {{{"ptx", "tcgen05, scale factor data ids"}, instr_table}}),
    open("AMB-14", "Which shapes does K of 96 allow?",
         {{{'A', "M of 128 alone and in a pair, M of 256 in a pair"}, {'B', "M of 256 in a pair alone"}}},
         {{{"cutlass", "mma_sm100_umma.hpp, K of 96"}, shapes}}),
    open("AMB-16", "May kind::mxf8f6f4 have M of 128 on a pair?",
         {{{'A', "yes"}, {'B', "no, it is refused"}}},
         {{shapes, {"cutlass", "mma_sm100_umma.hpp, mxf8f6f4 of two CTAs"}}}),
    open("AMB-20", "What do sparsity selectors 2 and 3 choose in f16 and tf32?",
         {{{'A', "undefined"}, {'B', "one of four columns"}}},
         {{instr_table, {"cutlass", "mma_traits_sm100.hpp, sparse atoms"}}}, 'A',
         "no case runs a sparse A, and dense ones have no selector"),
    open("AMB-21", "Where in its 8-bit container in tensor memory does a 4-bit element lie?",
         {{{'A', "bits 5 to 2"}, {'B', "bits 3 to 0"}}}, {{{"ptx", "mma, packing of 4-bit elements"}}}, 'A'),
    open("AMB-22", "How do 4- and 6-bit elements of kind::f8f6f4 lie in shared memory?",
         {{{'A', "16 elements in 16 bytes, padded, as in kind::mxf8f6f4"}, {'B', "packed without padding"}}},
         {{{"ptx", "tcgen05, packing formats of kind::mxf8f6f4"}}}),
    open("AMB-24",
         "What does the upper half of a tensor-memory cell with an f16 accumulator hold after a write?",
         {{{'A', "zero"}, {'B', "what was there"}, {'C', "anything"}}},
         {{{"ptx", "tcgen05, packing formats, accumulator"}}}),
    open("AMB-23", "What do the upper halves of the cells hold that tcgen05.st.unpack::16b writes?",
         {{{'A', "zero"}, {'B', "what was there"}, {'C', "anything"}}}, {{{"ptx", "tcgen05.st, unpack"}}}),
    open("AMB-28", "Which lanes do the eight words of disable-output-lane of a pair mean?",
         {{{'A', "words 0 to 3 the even CTA's"}, {'B', "words 0 to 3 the issuing CTA's"}}},
         {{{"ptx", "tcgen05.mma, disable-output-lane"}}}),
    open("AMB-30", "May kind::f8f6f4 write f16?",
         {{{'A', "yes"}, {'B', "no, it is refused"}, {'C', "anything may come of it"}}},
         {{shapes, instr_table}}),
    open("AMB-31", "What is bit 29 of an instruction descriptor?",
         {{{'A', "reserved"}, {'B', "a size of K"}}}, {{instr_table}}, 'A',
         "its second reading is of a later architecture, which no device here is"),
    open("AMB-32", "What does the stride offset step over in 128B swizzle with 32-byte atoms?",
         {{{'A', "4 k"}, {'B', "8 k"}}},
         {{{"cutlass", "mma_traits_sm100.hpp, make_umma_desc"}, {"ptx", "tcgen05, canonical layouts"}}}, 'A'),
    open("AMB-41", "When does the saturation of kind::i8 clamp?",
         {{{'A', "once, the sum of the instruction"}, {'B', "after every addition"}}}, {{instr_table}}, 'A',
         "the rival depends on the order of the additions, which no document gives"),
    open("AMB-44", "On which targets does kind::i8 exist?",
         {{{'A', "sm_100a and sm_110a"}, {'B', "sm_103a too"}}},
         {{{"ptxas", "tcgen05.mma on each target"}, {"ptx", "tcgen05.mma, target ISA notes"}}}, 'A',
         "ptxas refuses the kind for sm_103a, so there is no code that would show it"),
    shared("AMB-46", "Is the leading offset used in K-major 32B swizzle where a row has more than 32 bytes?",
           {{{'A', "yes, it leads to the second 32 bytes"}, {'B', "no, they follow the first"}}},
           {{{"h200", "sm_90, shared mechanism: wgmma descriptor, addresses"},
             {"ptx", "tcgen05, canonical layouts"}}}),
    open("AMB-51", "Where do the scales of A lie where each CTA of a pair has 64 rows?",
         {{{'A', "32 rows a column, groups of four scales 4 columns apart: as with 128 rows"},
           {'B', "32 rows a column, groups of four scales 2 columns apart"},
           {'C', "the upper 32 rows in the column of the lower ones, in the second and fourth partition"}}},
         {{{"ptx", "tcgen05, layouts of scale factors in tensor memory"}}}),
    shared("NUM-AMB-01", "Below which exponent are terms cut when everything is small (f32 accumulator)?",
           {{{'A', "-133 (-139 in the fp4 kinds)"}, {'B', "-126, added to the partner's"}, {'C', "-132"}}},
           {{adder, simulator}}),
    shared("NUM-AMB-02", "The same for an f16 accumulator?",
           {{{'A', "-21"}, {'B', "-22"}, {'C', "-20"}, {'D', "-133"}}}, {{adder, simulator}}),
    shared("NUM-AMB-03", "What sign has a zero result?",
           {{{'A', "always plus"},
             {'B', "minus for a negative sum that rounds to zero"},
             {'C', "minus when every term is minus zero"}}},
           {{adder, simulator}}),
    open("NUM-AMB-05", "What does kind::f16 do with f16 by bf16?",
         {{{'A', "each operand keeps its own exponents"},
           {'B', "it refuses them"},
           {'C', "anything may come of it"}}},
         {{simulator, instr_table}}),
    open("NUM-AMB-07", "How many bits below the largest exponent do the fp4 block-scaled kinds keep?",
         {{{'A', "35"}, {'B', "34"}, {'C', "36"}, {'D', "37"}}}, {{simulator}}),
    open("NUM-AMB-08", "With which exponent does a subnormal 4- or 6-bit element align?",
         {{{'A', "that of the smallest normal number"}, {'B', "that of its leading bit"}}}, {{simulator}}),
    open("NUM-AMB-11", "What does bit 7 of a ue4m3 scale do?",
         {{{'A', "nothing"}, {'B', "it negates"}, {'C', "it makes a NaN"}}},
         {{simulator, {"ptx", "alternate floating-point data formats"}}}),
    open("NUM-AMB-14", "When is an f16 accumulator rounded?",
         {{{'A', "once per instruction"}, {'B', "at the end of a chain of instructions"}}},
         {{adder, simulator}}, 'A',
         "no document says in which format a chain would keep what it does not round, so the rival predicts "
         "no bits"),
    open(
        "NUM-AMB-16", "What does an infinity or NaN in A give in a column that the mask zeroes?",
        {{{'A', "NaN, as multiplied by zero"}, {'B', "the accumulator, bit for bit: the column is skipped"}}},
        {{mask_table}}),
    open("NUM-AMB-17", "How is the accumulator of scale-input-d scaled?",
         {{{'A', "exactly, by its exponent"},
           {'B', "rounded to nearest even first"},
           {'C', "truncated first"}}},
         {{{"ptx", "tcgen05.mma, scale-input-d"}}}, 'A'),
    open("NUM-AMB-18",
         "How many products does kind::mxf4nvf4 add exactly before it cuts, with scales of ue4m3?",
         {{{'A', "16"}, {'B', "4"}, {'C', "each product is cut alone"}}}, {{simulator, published_b200}}),
    open("NUM-AMB-19", "Are the products of K of 96 one sum?",
         {{{'A', "yes, all six groups"}, {'B', "64 and then 32 on top, rounded between"}}},
         {{{"cutlass", "mma_sm100_umma.hpp, K of 96"}}}),
    open("NUM-AMB-20", "What does -0 in the accumulator become where all block-scaled products are zero?",
         {{{'A', "+0, as any zero result"}, {'B', "-0: it stays as it is"}}}, {{adder, published_b200}}),
};

}  // namespace assay::spec::mma_questions
