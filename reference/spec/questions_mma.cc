#include "reference/spec/questions_mma.h"

#include "reference/spec/questions.h"

namespace assay::spec {
namespace {

constexpr std::string_view needs_sm_100 =
    "only tcgen05.mma on silicon decides it, and no suite drives it yet";

constexpr Question open(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                        std::array<Cite, 2> cites, char preferred = 'A') {
  return {id, words, readings, always(preferred), settled_nowhere, cites, {}, needs_sm_100};
}
/// Settled on sm_90 by the mechanism that wgmma and mma.sync share with tcgen05.
constexpr Question shared(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                          std::array<Cite, 2> cites) {
  return {id, words, readings, always('A'), settled_on_sm_90, cites, {}, needs_sm_100};
}

constexpr Cite mask_table{"ptx", "tcgen05, zero-column mask descriptor, table of bits"};
constexpr Cite mask_examples{"ptx", "tcgen05, zero-column mask descriptor, examples 1 to 4"};
constexpr Cite instr_table{"ptx", "tcgen05, instruction descriptor"};
constexpr Cite shapes{"ptx", "tcgen05, matrix shape, combinations of .kind and shapes"};
constexpr Cite adder{"h200", "tensor-core numerics, adder of wgmma and mma.sync"};
constexpr Cite simulator{"mma-sim", "sections on Blackwell"};

constexpr Question rows[] = {
    open("AMB-01", "Which span of a zero-column mask is zeroed?",
         {{{'A', "skip spans are zeroed, use spans used: as the examples show"},
           {'B', "skip spans are used, use spans zeroed: as the words of the table say"}}},
         {{mask_examples, mask_table}}),
    open("AMB-02", "What does bit 39 of a zero-column mask do?",
         {{{'A', "set, the mask is generated"}, {'B', "set, there is no mask"}}},
         {{mask_table, {"cutlass", "mma_sm100_desc.hpp, MaskAndShiftB"}}}),
    open("AMB-03", "What does a start count at or past the first span do?",
         {{{'A', "undefined"},
           {'B', "goes on into the following spans"},
           {'C', "counts as the span less one"}}},
         {{mask_examples}}),
    open("AMB-04", "How does the maximum shift of the instruction descriptor bound the column shift?",
         {{{'A', "only where the collector reuses B"}, {'B', "always"}, {'C', "not at all without reuse"}}},
         {{instr_table, mask_table}}),
    shared("AMB-05", "How does the base offset act on the swizzle phase?",
           {{{'A', "it is subtracted from the line number"}, {'B', "exclusive or"}, {'C', "it is added"}}},
           {{{"h200", "wgmma descriptor, base offset"},
             {"ptx", "tcgen05, shared memory descriptor, starting address of the repeating pattern"}}}),
    open("AMB-08", "May 128B swizzle with 32-byte atoms be K-major?",
         {{{'A', "no: the table of atoms has no such row"},
           {'B', "yes: all swizzles are listed for K-major"}}},
         {{{"cutlass", "mma_traits_sm100.hpp, layout atoms"},
           {"ptx", "tcgen05, valid combinations of type-size, major-ness and swizzling"}}}),
    open("AMB-11", "Which scale types does bit 23 allow in kind::mxf4nvf4?",
         {{{'A', "ue4m3 and ue8m0"}, {'B', "ue4m3 alone"}}}, {{instr_table}}),
    open("AMB-12", "Which scale ids do mxf4 and mxf4nvf4 allow?",
         {{{'A', "by number of scales and K: 0 and 2, 0 alone, or any"}, {'B', "0 and 2"}}},
         {{{"ptx", "tcgen05, scale factor data ids"}, instr_table}}),
    open("AMB-14", "Which shapes does K of 96 allow?",
         {{{'A', "M of 128 alone and in a pair, M of 256 in a pair"}, {'B', "M of 256 in a pair alone"}}},
         {{{"cutlass", "mma_sm100_umma.hpp, K of 96"}, shapes}}),
    open("AMB-20", "What do sparsity selectors 2 and 3 choose in f16 and tf32?",
         {{{'A', "undefined"}, {'B', "one of four columns"}}},
         {{instr_table, {"cutlass", "mma_traits_sm100.hpp, sparse atoms"}}}),
    open("AMB-21", "Where in its 8-bit container in tensor memory does a 4-bit element lie?",
         {{{'A', "bits 5 to 2"}, {'B', "bits 3 to 0"}}}, {{{"ptx", "mma, packing of 4-bit elements"}}}),
    open("AMB-22", "How do 4- and 6-bit elements of kind::f8f6f4 lie in shared memory?",
         {{{'A', "16 elements in 16 bytes, padded, as in kind::mxf8f6f4"}, {'B', "packed without padding"}}},
         {{{"ptx", "tcgen05, packing formats of kind::mxf8f6f4"}}}),
    open("AMB-24",
         "What does the upper half of a tensor-memory cell with an f16 accumulator hold after a write?",
         {{{'A', "zero"}, {'B', "what was there"}, {'C', "anything"}}},
         {{{"ptx", "tcgen05, packing formats, accumulator"}}}),
    open("AMB-30", "May kind::f8f6f4 write f16?", {{{'A', "yes"}, {'B', "no"}}}, {{shapes, instr_table}}),
    open("AMB-31", "What is bit 29 of an instruction descriptor?",
         {{{'A', "reserved"}, {'B', "a size of K"}}}, {{instr_table}}),
    open("AMB-32", "What does the stride offset step over in 128B swizzle with 32-byte atoms?",
         {{{'A', "4 k"}, {'B', "8 k"}}},
         {{{"cutlass", "mma_traits_sm100.hpp, make_umma_desc"}, {"ptx", "tcgen05, canonical layouts"}}}),
    open("AMB-44", "On which targets does kind::i8 exist?",
         {{{'A', "sm_100a and sm_110a"}, {'B', "sm_103a too"}}},
         {{{"ptxas", "tcgen05.mma on each target"}, {"ptx", "tcgen05.mma, target ISA notes"}}}),
    shared("AMB-46", "Is the leading offset used in K-major 32B swizzle where a row has more than 32 bytes?",
           {{{'A', "yes, it leads to the second 32 bytes"}, {'B', "no, they follow the first"}}},
           {{{"h200", "wgmma descriptor, addresses"}, {"ptx", "tcgen05, canonical layouts"}}}),
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
         {{{'A', "each operand keeps its own exponents"}, {'B', "it is illegal"}}},
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
         {{adder, simulator}}),
    open("NUM-AMB-16", "What does an infinity or NaN in A give in a column that the mask zeroes?",
         {{{'A', "NaN, as multiplied by zero"}, {'B', "the accumulator: the column is skipped"}}},
         {{mask_table}}),
    open("NUM-AMB-17", "How is the accumulator of scale-input-d scaled?",
         {{{'A', "exactly, by its exponent"},
           {'B', "rounded to nearest even first"},
           {'C', "truncated first"}}},
         {{{"ptx", "tcgen05.mma, scale-input-d"}}}),
};

}  // namespace

std::span<const Question> mma_questions() {
  return rows;
}

const Question* find_mma_question(std::string_view id) {
  for (const Question& row : rows)
    if (row.id == id) return &row;
  return nullptr;
}

}  // namespace assay::spec
