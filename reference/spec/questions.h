// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/spec/question.h"
#include "reference/spec/questions_copies.h"
#include "reference/spec/questions_mma.h"
#include "reference/spec/rule.h"

namespace assay::spec {

/// Open questions about tiled tensor maps and tiled copies. Letters are those of the first write-up of each
/// question ('P' the reading preferred before any measurement); in the X rows A is what a document says and B
/// what an H200 does. Defaults: sm_90 as measured; sm_100 and sm_103 the same wherever Hopper has the
/// mechanism, else the preferred one.
inline constexpr std::array tiled_copy_questions{
    measured("TMA-AMB-04",
             "Where do rows lie, and what is counted, when the inner box extent is below the swizzle span?",
             {{{'P', "rows_span_apart",
                "rows are a span apart, the bytes between them untouched; rows * inner bytes are counted"},
               {'B', "rows_dense", "rows are dense and swizzled by address; rows * inner bytes are counted"},
               {'C', "span_bytes_counted", "rows are a span apart; rows * span bytes are counted"}}},
             {{{"h200", "W-02"}, {"guide", "swizzle modes, shared memory size"}}}, 'P'),
    measured(
        "TMA-AMB-05", "Which bits does NaN fill write?",
        {{{'P', "halves_of_7ff7", "0x7ff7 in every 16-bit half"},
          {'B', "mantissa_ones", "all mantissa bits set: 0x7fff, 0x7fffffff, 0x7fffffffffffffff"},
          {'C', "quiet_nan", "the quiet NaN of the type: 0x7e00, 0x7fc0, 0x7fc00000, 0x7ff8000000000000"}}},
        {{{"h200", "F-02"}, {"driver", "CUtensorMapFloatOOBfill"}}}, 'P'),
    measured("TMA-AMB-06", "Does a load with a flush-to-zero type flush subnormals?",
             {{{'P', "bits_copied", "no, the bits are copied"},
               {'B', "flushes", "yes, to zero of the same sign"}}},
             {{{"h200", "F-05, F-06"}, {"driver", "CUtensorMapDataType"}}}, 'P'),
    measured("TMA-AMB-07", "How does a load with a tf32 type convert 32-bit words?",
             {{{'A', "nearest_even", "to nearest even at bit 13, NaN becomes 0x7fffe000"},
               {'B', "nearest_away", "to nearest at bit 13, ties away from zero, NaN becomes 0x7fffe000"},
               {'C', "truncated", "by truncation at bit 13"},
               {'D', "not_converted", "not at all"}}},
             {{{"h200", "F-06"}, {"ptx", "5.5.1 tensor element types"}}}),
    measured(
        "TMA-AMB-08", "What happens with a box whose first byte in global memory is not at a multiple of 16?",
        {{{'P', "faults", "it faults with illegal instruction, even if wholly out of bounds"},
          {'B', "copied", "is copied"}}},
        {{{"h200", "section 12, ILL"}, {"ptx", "5.5.3.1 dimension, size and stride requirements"}}}, 'P'),
    measured("TMA-AMB-09",
             "Does the encoder accept the packed types and the wide swizzle atoms on compute capability 9.0?",
             {{{'A', "refused", "no, it returns invalid value"},
               {'B', "taken", "yes: no document names an architecture"}}},
             {{{"h200", "X-16"}, {"driver", "cuTensorMapEncodeTiled"}}}, 'A', {}, {}, "X-16"),
    unsettled(
        "TMA-AMB-10",
        "Which 128-byte lines exchange their 8-byte halves under 128B swizzle with 32B atoms and 8B flip?",
        {{{'P', "bit_7_set", "those with address bit 7 set"},
          {'B', "bit_7_clear", "those with address bit 7 clear"}}},
        {{{"ptx", "5.5.7 swizzling modes, 8B flip"}}}, 'P'),
    unsettled("TMA-AMB-11", "How far apart are rows under 96B swizzle?",
              {{{'A', "rows_96_apart", "96 bytes"}, {'B', "rows_128_apart", "128 bytes"}}},
              {{{"ptx", "5.5.7 swizzling modes, 96B"}}}),
    measured(
        "TMA-AMB-12", "What do the dimensions of an interleaved map count?",
        {{{'P', "chooses_a_slice",
           "dimension 0 counts slices, dimension rank-2 chooses one channel slice whatever its box extent"},
          {'B', "counts_elements",
           "dimension 0 counts elements of the type, as in a map that is not interleaved"},
          {'C', "walks_slices",
           "dimension 0 counts slices, dimension rank-2 is walked over its box extent"}}},
        {{{"h200", "I-01, I-02, I-04"}, {"ptx", "5.5.6 interleave layout"}}}, 'P'),
    unsettled("TMA-AMB-15", "Which maps of 16-byte aligned packed types may use 128B swizzle with 64B atoms?",
              {{{'A', "b6_stores_only", "6-bit ones, for stores only; 4-bit ones not at all"},
                {'B', "all_both_ways", "all of them, both ways"}}},
              {{{"driver", "cuTensorMapEncodeTiled, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B"},
                {"ptx", "restriction on tensor copy instructions, item 9"}}}),
    measured("TMA-AMB-16", "Without swizzle, which alignment does the shared-memory operand need?",
             {{{'A', "aligned_to_16", "16 bytes"},
               {'B', "aligned_to_128", "128 bytes, anything less faults with misaligned address"}}},
             {{{"h200", "W-05"}, {"guide", "TMA alignment requirements"}}}, 'B', {}, {}, "X-21"),
    measured("TMA-AMB-17", "With swizzle, is a global address that is a multiple of 16 sufficient?",
             {{{'A', "multiple_of_16", "yes, the pattern depends on the shared address only"},
               {'B', "multiple_of_128", "no, the encoder requires 128"}}},
             {{{"h200", "L-09"}, {"guide", "swizzle modes, global memory alignment"}}}),
    measured("TMA-AMB-18", "Which bytes of a box that leaves the tensor are signalled to the barrier?",
             {{{'P', "whole_box", "all bytes of the box"}, {'B', "bytes_in_bounds", "those in bounds"}}},
             {{{"h200", "L-04"}, {"cutlass", "TmaTransactionBytes of the collectives"}}}, 'P'),
    measured("TMA-AMB-19", "What does a store do if its start coordinate is negative?",
             {{{'A', "clipped", "the part in bounds is written"},
               {'B', "faults", "it faults with illegal instruction"},
               {'C', "anything", "anything: the documents forbid it"}}},
             {{{"h200", "S-04"}, {"ptx", "restriction on tensor copy instructions"}}}, 'B'),
    measured(
        "TMA-AMB-20", "Does the encoder accept strides of zero, or below the extent that they step over?",
        {{{'A', "plain_arithmetic", "yes, strides are plain address arithmetic"},
          {'B', "cumulative_products", "no, they must be cumulative products"}}},
        {{{"h200", "L-08, X-10"}, {"driver", "cuTensorMapEncodeTiled, globalStrides"}}}, 'A', {}, {}, "X-10"),
    measured("TMA-AMB-22", "Which alignment does a map in device memory need when it is used?",
             {{{'A', "aligned_to_64", "64 bytes"}, {'B', "aligned_to_128", "128 bytes"}}},
             {{{"h200", "section 9, AMB-22"}, {"driver", "Tensor Map Object Management"}}}),
    measured("TMA-AMB-26", "What does bit i of a multicast mask mean?",
             {{{'P', "rank_in_cluster", "the CTA of rank i in the issuer's cluster"},
               {'B', "index_in_grid", "the CTA with linear index i in the grid"}}},
             {{{"h200", "K-01"}, {"ptx", "cp.async.bulk.tensor, multicast::cluster"}}}, 'P',
             "a case does not know its place in the grid: under B nothing could be predicted for it"),
    measured("TMA-AMB-28",
             "What does the driver write in bit 21 of byte 8 of the map, the top of the swizzle atomicity? "
             "(Judged only where settled.)",
             {{{'P', "always_0", "always 0"},
               {'B', "set_from_128_kib", "1 for tensors that span 131072 bytes and more"}}},
             {{{"h200", "section 9, 0x08"}, {"cutlass", "workaround for tensors below 128 KiB"}}}, 'P'),
    measured("TMA-AMB-32", "Does a store with a tf32 type convert?",
             {{{'P', "bits_copied", "no, the bits are copied"}, {'B', "converts", "yes, as a load does"}}},
             {{{"h200", "F-07"}, {"ptx", "5.5.1 tensor element types"}}}, 'P'),
    unsettled(
        "TMA-AMB-33", "Which bytes of a packed type are signalled to the barrier?",
        {{{'P', "packed_bytes", "the packed ones, as in global memory"},
          {'B', "padded_bytes", "those of shared memory, padding included"}}},
        {{{"public-kernels", "bytes that a wait for padded 4-bit types expects"},
          {"ptx", "5.5.1.1 sub-byte types"}}},
        'P', {},
        "the packed ones: on a B300 a wait for 32768 packed bytes ends, one for their 65536 padded bytes "
        "never does; a kernel in use on sm_120 counts packed bytes too"),
    unsettled("TMA-AMB-34", "Which start coordinates may a box of b4x16 have in dimension 0?",
              {{{'P', "multiples_of_32", "multiples of 32, as the 16-byte rule says"},
                {'B', "even_ones", "even ones"}}},
              {{{"ptx", "5.5.3.1 dimension, size and stride requirements"}}}, 'P'),
    measured("X-01", "Does the encoder limit the bytes of the box?",
             {{{'A', "unlimited", "no"}, {'B', "limited", "yes, to 233472"}}},
             {{{"h200", "X-01"}, {"driver", "cuTensorMapEncodeTiled, boxDim"}}}, 'B'),
    measured(
        "X-02", "How does that limit count a dimension with a traversal stride?",
        {{{'A', "as_copied", "as the copy does: ceil(box / stride), dimension 0 in full without interleave"},
          {'B', "rounds_down", "floor(box / stride), dimension 0 included"}}},
        {{{"h200", "X-02"}, {"driver", "cuTensorMapEncodeTiled, elementStrides"}}}, 'B'),
    measured("X-03", "Does the encoder insist on a map pointer that is a multiple of 64?",
             {{{'A', "multiple_of_64", "yes"}, {'B', "any_pointer", "no"}}},
             {{{"h200", "X-03"}, {"driver", "cuTensorMapEncodeTiled, tensorMap"}}}, 'B'),
    measured("X-04", "Does the encoder accept global address 0?",
             {{{'A', "refused", "no"}, {'B', "taken", "yes"}}},
             {{{"h200", "X-04"}, {"cutlass", "issue 947"}}}, 'B'),
    measured("X-05", "Does the encoder accept global addresses of 2^57 and above?",
             {{{'A', "taken", "yes"}, {'B', "refused", "no"}}},
             {{{"h200", "X-05"}, {"driver", "cuTensorMapEncodeTiled, globalAddress"}}}, 'B'),
    measured("X-06", "Can a map with an extent above 2^31 be used?",
             {{{'A', "usable", "yes, up to 2^32"},
               {'B', "faults", "no, every instruction on it faults with illegal instruction"}}},
             {{{"h200", "X-06, L-03"}, {"driver", "cuTensorMapEncodeTiled, globalDim"}}}, 'B'),
    measured("X-08", "Must the inner box extent of an interleaved map be a multiple of 16 bytes?",
             {{{'A', "any_extent", "no"}, {'B', "multiples_of_16", "yes"}}},
             {{{"h200", "X-08"}, {"driver", "cuTensorMapEncodeTiled, boxDim"}}}, 'B'),
    measured("X-09", "Is the traversal stride of dimension 0 checked on a map that is not interleaved?",
             {{{'A', "ignored", "no, it is ignored"},
               {'B', "checked", "yes, 1 to 8 as the others, though it has no effect"}}},
             {{{"h200", "X-09"}, {"driver", "cuTensorMapEncodeTiled, elementStrides"}}}, 'B'),
    measured("X-11", "Which swizzles may a map with 32B interleave have?",
             {{{'A', "only_32b", "32B alone"}, {'B', "up_to_128b", "none, 32B, 64B, 128B"}}},
             {{{"h200", "X-11"}, {"driver", "cuTensorMapEncodeTiled, interleave"}}}, 'B'),
    measured("X-15", "May globalStrides be null for rank 1?",
             {{{'A', "may_be_null", "yes"}, {'B', "must_be_given", "no"}}},
             {{{"h200", "X-15"}, {"driver", "cuTensorMapEncodeTiled, globalStrides"}}}, 'B'),
    measured("X-17", "How does a store clip at the end of dimension 0?",
             {{{'A', "by_element", "per element"},
               {'B', "by_16_byte_pieces",
                "in whole 16-byte pieces counted from the start of the row of the box"}}},
             {{{"h200", "S-01, X-17"}, {"ptx", "5.5.3.3 out of bound access"}}}, 'B'),
};

/// All open questions, those about tiled copies first.
inline constexpr auto question_table = joined(
    tiled_copy_questions, mma_questions::rows, im2col_questions, bulk_copy_questions, im2col_wide_questions,
    gather_questions, map_replace_questions, tmem_copy_questions, scalar_questions, mbarrier_questions);
static_assert(question_table.size() <= max_questions);

/// What is wrong with the names and letters of a question's readings; empty: nothing.
constexpr std::string_view wrong_with_readings(const Question& question) {
  const int count = question.reading_count();
  for (int i = 0; i < count; ++i) {
    const Reading& reading = question.readings[i];
    if (reading.name.empty()) return "a reading without a name";
    for (const char c : reading.name)
      if (c != '_' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) return "a name not in lower case";
    for (int k = 0; k < i; ++k) {
      if (question.readings[k].name == reading.name) return "two readings of one name";
      if (question.readings[k].letter == reading.letter) return "two readings of one letter";
    }
  }
  for (const char letter : question.default_for) {
    bool is_there = false;
    for (int i = 0; i < count; ++i) is_there |= question.readings[i].letter == letter;
    if (!is_there) return "a default outside the readings";
  }
  return {};
}
static_assert([] {
  for (const Question& question : question_table)
    if (!wrong_with_readings(question).empty()) return false;
  return true;
}());

/// Position of a question, at compile time: a misspelt id does not compile.
consteval QuestionIndex question(std::string_view id) {
  for (size_t i = 0; i < question_table.size(); ++i)
    if (question_table[i].id == id) return static_cast<QuestionIndex>(i);
  throw "no such question";
}

consteval NamedReading::NamedReading(std::string_view question, std::string_view name)
    : question_(spec::question(question)) {
  for (const Reading& reading : question_table[question_].readings)
    if (reading.letter != 0 && reading.name == name) letter_ = reading.letter;
  if (letter_ == 0) throw "the question has no such reading";
}

/// The letter that holds on an architecture unless a reading is chosen.
constexpr char default_letter(QuestionIndex index, Arch arch) {
  return question_table[index].default_for[static_cast<int>(arch)];
}

}  // namespace assay::spec
