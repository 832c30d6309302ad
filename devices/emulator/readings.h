// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// An answer that this device can give to an open question of the documents. Letters and names are those of
/// the fact sheets.
struct Answer {
  char letter;
  std::string_view name;
};

/// A question: what this device does by itself, and what it can do.
struct OpenQuestion {
  std::string_view id;
  char by_itself;                 ///< letter
  std::array<Answer, 4> answers;  ///< those behind the last have letter 0
  char after_sm_90a = 0;          ///< by itself, on later targets; 0: as on sm_90a
};

/// By itself the device does what the H200 did, where that settled a question. Those about tensor memory and
/// tcgen05, and TMA-AMB-10, 11, 13 to 15, 21, 33, 34 and 41 to 43, no silicon has settled. The wide encoder
/// is of later targets than sm_90a: there it does what is written of it.
inline constexpr OpenQuestion open_questions[] = {
    {"TMA-AMB-04", 'P', {{{'P', "rows_span_apart"}, {'B', "rows_dense"}, {'C', "span_bytes_counted"}}}},
    {"TMA-AMB-05", 'P', {{{'P', "halves_of_7ff7"}, {'B', "mantissa_ones"}, {'C', "quiet_nan"}}}},
    {"TMA-AMB-06", 'P', {{{'P', "bits_copied"}, {'B', "flushes"}}}},
    {"TMA-AMB-07",
     'A',
     {{{'A', "nearest_even"}, {'B', "nearest_away"}, {'C', "truncated"}, {'D', "not_converted"}}}},
    {"TMA-AMB-08", 'P', {{{'P', "faults"}, {'B', "copied"}}}},
    {"TMA-AMB-09", 'A', {{{'A', "refused"}, {'B', "taken"}}}},
    {"TMA-AMB-10", 'P', {{{'P', "bit_7_set"}, {'B', "bit_7_clear"}}}},
    {"TMA-AMB-11", 'A', {{{'A', "rows_96_apart"}, {'B', "rows_128_apart"}}}},
    {"TMA-AMB-12", 'P', {{{'P', "chooses_a_slice"}, {'B', "counts_elements"}, {'C', "walks_slices"}}}},
    {"TMA-AMB-15", 'A', {{{'A', "b6_stores_only"}, {'B', "all_both_ways"}}}},
    {"TMA-AMB-16", 'B', {{{'A', "aligned_to_16"}, {'B', "aligned_to_128"}}}},
    {"TMA-AMB-17", 'A', {{{'A', "multiple_of_16"}, {'B', "multiple_of_128"}}}},
    {"TMA-AMB-18", 'P', {{{'P', "whole_box"}, {'B', "bytes_in_bounds"}}}},
    {"TMA-AMB-19", 'B', {{{'A', "clipped"}, {'B', "faults"}}}},
    {"TMA-AMB-20", 'A', {{{'A', "plain_arithmetic"}, {'B', "cumulative_products"}}}},
    {"TMA-AMB-22", 'A', {{{'A', "aligned_to_64"}, {'B', "aligned_to_128"}}}},
    {"TMA-AMB-28", 'P', {{{'P', "always_0"}, {'B', "set_from_128_kib"}}}},
    {"TMA-AMB-32", 'P', {{{'P', "bits_copied"}, {'B', "converts"}}}},
    {"TMA-AMB-33", 'P', {{{'P', "packed_bytes"}, {'B', "padded_bytes"}}}},
    {"TMA-AMB-34", 'P', {{{'P', "multiples_of_32"}, {'B', "even_ones"}}}},
    {"X-01", 'B', {{{'A', "unlimited"}, {'B', "limited"}}}},
    {"X-02", 'B', {{{'A', "as_copied"}, {'B', "rounds_down"}}}},
    {"X-03", 'B', {{{'A', "multiple_of_64"}, {'B', "any_pointer"}}}},
    {"X-04", 'B', {{{'A', "refused"}, {'B', "taken"}}}},
    {"X-05", 'B', {{{'A', "taken"}, {'B', "refused"}}}},
    {"X-06", 'B', {{{'A', "usable"}, {'B', "faults"}}}},
    {"X-08", 'B', {{{'A', "any_extent"}, {'B', "multiples_of_16"}}}},
    {"X-09", 'B', {{{'A', "ignored"}, {'B', "checked"}}}},
    {"X-11", 'B', {{{'A', "only_32b"}, {'B', "up_to_128b"}}}},
    {"X-15", 'B', {{{'A', "may_be_null"}, {'B', "must_be_given"}}}},
    {"X-17", 'B', {{{'A', "by_element"}, {'B', "by_16_byte_pieces"}}}},
    {"TMA-AMB-02", 'P', {{{'P', "at_lower_corner"}, {'B', "carries_the_rest"}}}},
    {"TMA-AMB-03", 'B', {{{'P', "next_image"}, {'B', "steps_over_images"}}}},
    {"TMA-AMB-23", 'P', {{{'P', "carries_high_bits"}, {'B', "cut_to_5_bits"}}}},
    {"X-07", 'B', {{{'A', "exactly"}, {'B', "in_32_bits"}}}},
    {"X-12", 'B', {{{'A', "refused"}, {'B', "writes_plain_map"}}}},
    {"X-13", 'B', {{{'A', "as_written"}, {'B', "as_plain_im2col"}}}, 'A'},
    {"BULK-AMB-01", 'A', {{{'A', "moves_whole_16_bytes"}, {'B', "faults"}}}},
    {"BULK-AMB-02", 'A', {{{'A', "keeps_subnormals"}, {'B', "flushes"}}}},
    {"BULK-AMB-03", 'A', {{{'A', "faults"}, {'B', "moves_bytes"}}}},
    {"TMA-AMB-13", 'A', {{{'A', "behind_their_pixels"}, {'B', "behind_all_pixels"}}}},
    {"TMA-AMB-14", 'P', {{{'P', "in_next_image"}, {'B', "nowhere"}}}},
    {"TMA-AMB-21", 'P', {{{'P', "last_four"}, {'B', "last_one"}}}},
    {"TMA-AMB-41", 'A', {{{'A', "faults"}, {'B', "height_ignored"}}}},
    {"TMA-AMB-42", 'A', {{{'A', "w_alone"}, {'B', "images_too"}}}},
    {"TMA-AMB-43", 'A', {{{'A', "faults"}, {'B', "mode_of_instruction"}}}},
    {"TMA-AMB-27", 'P', {{{'P', "flag_stays"}, {'B', "flag_cleared"}}}},
    {"REPL-AMB-01", 'A', {{{'A', "clears_bit"}, {'B', "keeps_bit"}}}},
    {"REPL-AMB-02", 'A', {{{'A', "over_high_parts"}, {'B', "nothing"}}}},
    {"AMB-01", 'A', {{{'A', "skip_spans_zeroed"}, {'B', "use_spans_zeroed"}}}},
    {"AMB-02", 'A', {{{'A', "set_generates"}, {'B', "set_disables"}}}},
    {"AMB-03", 'B', {{{'A', "anything"}, {'B', "goes_on"}, {'C', "span_less_one"}}}},
    {"AMB-04", 'A', {{{'A', "where_b_is_reused"}, {'B', "always"}}}},
    {"AMB-05", 'A', {{{'A', "subtracted"}, {'B', "exclusive_or"}, {'C', "added"}}}},
    {"AMB-06", 'A', {{{'A', "all_lanes"}, {'B', "addressed_lanes"}}}},
    {"AMB-07",
     'A',
     {{{'A', "shifts_what_it_leaves"}, {'B', "shifts_what_it_multiplies"}, {'C', "shifts_both"}}}},
    {"AMB-08", 'A', {{{'A', "refused"}, {'B', "allowed"}}}},
    {"AMB-09", 'A', {{{'A', "by_half_of_n"}, {'B', "all_columns"}}}},
    {"AMB-11", 'A', {{{'A', "ue4m3_and_ue8m0"}, {'B', "ue4m3_alone"}}}},
    {"AMB-12", 'A', {{{'A', "by_count_and_k"}, {'B', "ids_0_and_2"}}}},
    {"AMB-14", 'A', {{{'A', "m_of_128_too"}, {'B', "m_of_256_alone"}}}},
    {"AMB-16", 'A', {{{'A', "allowed"}, {'B', "refused"}}}},
    {"AMB-19", 'A', {{{'A', "as_any_code"}, {'B', "ascending"}}}},
    {"AMB-20", 'B', {{{'B', "third_and_fourth"}, {'C', "low_bit_alone"}}}},
    {"AMB-21", 'A', {{{'A', "bits_5_to_2"}, {'B', "bits_3_to_0"}}}},
    {"AMB-22", 'A', {{{'A', "padded"}, {'B', "packed"}}}},
    {"AMB-23", 'A', {{{'A', "zero"}, {'B', "unchanged"}}}},
    {"AMB-24", 'A', {{{'A', "zero"}, {'B', "unchanged"}, {'C', "anything"}}}},
    {"AMB-25", 'A', {{{'A', "half_for_a_pair"}, {'B', "half_for_a_warp"}}}},
    {"AMB-27", 'A', {{{'A', "own_memory"}, {'B', "memory_of_issuer"}}}},
    {"AMB-28", 'A', {{{'A', "even_cta_first"}, {'B', "issuing_cta_first"}}}},
    {"AMB-30", 'A', {{{'A', "allowed"}, {'B', "refused"}}}},
    {"AMB-32", 'A', {{{'A', "steps_4_k"}, {'B', "steps_8_k"}}}},
    {"AMB-38", 'B', {{{'A', "anything"}, {'B', "in_order_of_issue"}, {'C', "last_first"}}}},
    {"AMB-45", 'A', {{{'A', "own_lanes"}, {'B', "first_group"}}}},
    {"AMB-46", 'A', {{{'A', "leads_to_second_half"}, {'B', "follows_first_half"}}}},
    {"AMB-47", 'A', {{{'A', "bits_5_to_2"}, {'B', "bits_3_to_0"}}}},
    {"AMB-49", 'A', {{{'A', "passed_over"}, {'B', "gives_nan"}}}},
    {"AMB-51",
     'A',
     {{{'A', "groups_4_columns_apart"}, {'B', "groups_2_columns_apart"}, {'C', "rows_in_one_column"}}}},
    {"AMB-52", 'A', {{{'A', "in_order_of_issue"}, {'B', "copy_overtakes"}, {'C', "anything"}}}},
    {"TMEM-AMB-01", 'A', {{{'A', "own_lanes"}, {'B', "illegal_address"}, {'C', "illegal_instruction"}}}},
    {"NUM-AMB-05", 'A', {{{'A', "own_exponents"}, {'B', "refused"}}}},
    {"NUM-AMB-16", 'A', {{{'A', "multiplied_by_zero"}, {'B', "skipped"}}}},
    {"NUM-AMB-01", 'A', {{{'A', "minus_133"}, {'B', "minus_126"}, {'C', "minus_132"}}}},
    {"NUM-AMB-02", 'A', {{{'A', "minus_21"}, {'B', "minus_22"}, {'C', "minus_20"}, {'D', "minus_133"}}}},
    {"NUM-AMB-03", 'A', {{{'A', "always_plus"}, {'B', "minus_when_rounded"}, {'C', "minus_when_all_are"}}}},
    {"NUM-AMB-07", 'A', {{{'A', "bits_35"}, {'B', "bits_34"}, {'C', "bits_36"}, {'D', "bits_37"}}}},
    {"NUM-AMB-08", 'A', {{{'A', "smallest_normal"}, {'B', "leading_bit"}}}},
    {"NUM-AMB-11", 'A', {{{'A', "ignored"}, {'B', "negates"}, {'C', "makes_nan"}}}},
    {"NUM-AMB-17", 'A', {{{'A', "exactly"}, {'B', "rounded"}, {'C', "truncated"}}}},
    {"NUM-AMB-18", 'A', {{{'A', "adds_16"}, {'B', "adds_4"}, {'C', "cuts_each"}}}},
    {"NUM-AMB-19", 'A', {{{'A', "one_sum"}, {'B', "rounds_after_64"}}}},
    {"NUM-AMB-20", 'A', {{{'A', "plus_zero"}, {'B', "stays"}}}},
    {"NUM-AMB-21", 'A', {{{'A', "one_sum"}, {'B', "rounds_after_half"}}}},
    {"MBAR-AMB-01", 'A', {{{'A', "taken_as_state"}, {'B', "faults"}}}},
    {"CVT-AMB-01", 'A', {{{'A', "upper_bytes_first"}, {'B', "bytes_in_order"}}}},
};
/// Questions to which this device knows no second answer: no program tells the answers apart, or all but one
/// are "anything".
inline constexpr std::string_view unanswered_questions[] = {
    "TMA-AMB-26", "TMA-AMB-01", "TMA-AMB-30", "AMB-10",     "AMB-18",
    "AMB-31",     "AMB-41",     "AMB-44",     "NUM-AMB-14", "AMB-48"};

inline constexpr size_t question_count = std::size(open_questions);

/// An answer to an open question by its names, as in {"TMA-AMB-10", "bit_7_clear"}. One that this device
/// cannot give does not compile.
class NamedAnswer {
 public:
  consteval NamedAnswer(std::string_view question, std::string_view name) {
    for (size_t i = 0; i < question_count; ++i)
      for (const Answer& answer : open_questions[i].answers)
        if (open_questions[i].id == question && answer.letter != 0 && answer.name == name)
          question_ = static_cast<uint8_t>(i), letter_ = answer.letter;
    if (letter_ == 0) throw "the device has no such answer";
  }
  constexpr size_t question() const { return question_; }  ///< place in open_questions
  constexpr char letter() const { return letter_; }

 private:
  uint8_t question_ = 0;
  char letter_ = 0;
};
static_assert(question_count < 256);

/// The answers of one device: its own, unless the settings say otherwise.
class DeviceReadings {
 public:
  DeviceReadings();  ///< those of sm_90a by itself
  explicit DeviceReadings(const Settings&);
  bool is(NamedAnswer answer) const { return letter_[answer.question()] == answer.letter(); }
  DeviceReadings& choose(NamedAnswer answer) {
    letter_[answer.question()] = answer.letter();
    return *this;
  }

 private:
  std::array<char, question_count> letter_;
};

/// Empty when the device can take that reading; else a sentence that lists those it can take.
std::string check_reading(std::string_view id, char letter);

}  // namespace assay::emulator
