// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/spec/arch.h"
#include "reference/spec/field.h"

namespace assay::model {
struct Bend;
}

namespace assay::spec {

/// An open question of the specification: what documents leave open or contradict. At least two readings; the
/// default is keyed by architecture. Ids are those under which the questions were first written up
/// (TMA-AMB-04, X-04).
struct Reading {
  char letter;  ///< what users see and files hold: 'A', 'B', ... ('P': preferred before any measurement)
  std::string_view name;  ///< what code calls it: lower case, unique in its question
  std::string_view words;
};
struct Question {
  std::string_view id;
  std::string_view words;
  std::array<Reading, 4> readings;           ///< unused entries have letter 0
  std::array<char, arch_count> default_for;  ///< letter per Arch
  OnArch settled;                            ///< decided by silicon of that architecture
  std::array<Cite, 2> cites;
  /// Why no case of this program can tell the readings apart; empty: some can.
  std::string_view undecidable = {};
  /// What others published that answers the question, or why what they published does not; empty: nothing
  /// known. No silicon of ours, and nothing is settled by it. Its source is among the cites.
  std::string_view published = {};
  /// Another id under which the same question is known (X-16 of TMA-AMB-09), or empty.
  std::string_view also = {};
  constexpr bool is_decidable() const { return undecidable.empty(); }
  constexpr int reading_count() const {
    int n = 0;
    while (n < 4 && readings[n].letter != 0) ++n;
    return n;
  }
};

inline constexpr OnArch settled_on_sm_90 = where(&Architecture::is_measured), settled_nowhere{};
constexpr std::array<char, arch_count> always(char letter) {
  std::array<char, arch_count> letters{};
  letters.fill(letter);
  return letters;
}

/// As measured, and what is preferred elsewhere.
constexpr std::array<char, arch_count> measured_or(char measured, char elsewhere) {
  std::array<char, arch_count> letters{};
  for (int i = 0; i < arch_count; ++i) letters[i] = settled_on_sm_90[i] ? measured : elsewhere;
  return letters;
}

/// No silicon here has answered it; `preferred` is taken everywhere.
constexpr Question unsettled(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                             std::array<Cite, 2> cites, char preferred = 'A',
                             std::string_view undecidable = {}, std::string_view published = {},
                             std::string_view also = {}) {
  return {id, words, readings, always(preferred), settled_nowhere, cites, undecidable, published, also};
}
/// Answered on sm_90, and taken to be the same elsewhere: of tcgen05, by the mechanism that wgmma and
/// mma.sync share with it.
constexpr Question measured(std::string_view id, std::string_view words, std::array<Reading, 4> readings,
                            std::array<Cite, 2> cites, char answer = 'A', std::string_view undecidable = {},
                            std::string_view published = {}, std::string_view also = {}) {
  Question made = unsettled(id, words, readings, cites, answer, undecidable, published, also);
  made.settled = settled_on_sm_90;
  return made;
}

/// Position in the table of all questions (spec/questions.h).
using QuestionIndex = uint16_t;
inline constexpr int max_questions = 128;

/// A reading by the names of the table, as in {"TMA-AMB-10", "bit_7_clear"}; what the table does not have
/// does not compile. Its definition is in spec/questions.h, where the table is.
class NamedReading {
 public:
  consteval NamedReading(std::string_view question, std::string_view name);
  constexpr QuestionIndex question() const { return question_; }
  constexpr char letter() const { return letter_; }

 private:
  QuestionIndex question_ = 0;
  char letter_ = 0;
};

/// One choice for every question, with a note of which questions a prediction looked at.
class Readings {
 public:
  explicit Readings(Arch arch);
  Arch arch() const { return arch_; }
  char chosen(QuestionIndex question) const {
    note(question / 64, uint64_t{1} << question % 64);
    return letter_[question];
  }
  /// Looks at the answer, as chosen() does.
  bool is(NamedReading reading) const { return chosen(reading.question()) == reading.letter(); }
  Readings& choose(QuestionIndex question, char letter) {
    letter_[question] = letter;
    return *this;
  }
  Readings& choose(NamedReading reading) { return choose(reading.question(), reading.letter()); }
  /// Whether the architecture's default holds. Not a look at the answer: consulted() does not change.
  bool is_default(QuestionIndex question) const { return letter_[question] == default_[question]; }
  std::bitset<max_questions> consulted() const {
    return std::bit_cast<std::bitset<max_questions>>(consulted_);  // a shift of one would be a call
  }
  void forget_consulted() const { consulted_ = {}; }
  /// What was looked at, to look at it again where that is known from before.
  using Looks = std::array<uint64_t, max_questions / 64>;
  const Looks& looks() const { return consulted_; }
  void look_again(const Looks& looks) const {
    for (size_t w = 0; w < looks.size(); ++w) note(w, looks[w]);
  }
  /// Whether every answer is the same, for the same architecture and the same bend.
  bool answers_as(const Readings& other) const {
    return letter_ == other.letter_ && arch_ == other.arch_ && bend_ == other.bend_;
  }
  /// The one rule that a prediction is to have in another form (model/bend.h); null: all as they stand.
  const model::Bend* bend() const { return bend_; }
  Readings& bend_by(const model::Bend* bend) {
    bend_ = bend;
    return *this;
  }

 private:
  /// No write where it is known: all threads of a run look at its defaults, which then stay in their caches.
  void note(size_t word, uint64_t looked_at) const {
    if ((consulted_[word] & looked_at) != looked_at) consulted_[word] |= looked_at;
  }

  Arch arch_;
  const model::Bend* bend_ = nullptr;
  std::array<char, max_questions> letter_{}, default_{};
  /// A bit a question. As a std::bitset each look would be a call, which tells whether the bit is one of its.
  mutable Looks consulted_{};
  static_assert(max_questions == 128);
};

/// The same with another answer to one question.
inline Readings with(Readings readings, QuestionIndex question, char letter) {
  return readings.choose(question, letter);
}

std::span<const Question> questions();
/// By id or by the other id.
std::optional<QuestionIndex> find_question(std::string_view id);

}  // namespace assay::spec
