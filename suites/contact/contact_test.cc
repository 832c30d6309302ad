// SPDX-License-Identifier: Apache-2.0
#include "suites/contact/contact.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/spec/questions.h"
#include "suites/run/conductor.h"
#include "suites/run/late_tests_test.h"
#include "suites/run/places.h"

/// The rehearsal: emulated devices of which each implements other readings, and the names that come back.
namespace assay::suites {
namespace {

using Status = ContactAnswer::Status;

ContactResult ask(const std::string& readings, spec::Arch arch, std::vector<spec::QuestionIndex> questions) {
  const std::unique_ptr<Device> device =
      open_device("emulator:" + std::string(spec::name(arch)) + "a" + readings, limits_for(1));
  ContactOptions options;
  options.questions = std::move(questions);
  return first_contact(*device, options);
}

std::string words(const ContactAnswer& a) {
  return std::string(spec::questions()[a.question].id) + ":" + a.letter + " by " +
         std::to_string(a.deciding.size()) + " cases " + a.why;
}

spec::Arch arch_of(const spec::Question& question) {
  const spec::Arch arch = *spec::parse_arch(deciding_place(question.id).target);
  return arch;
}

/// Letters that an emulated device can be told to follow.
std::string letters_of(const spec::Question& question) {
  std::string letters;
  for (int r = 0; r < question.reading_count(); ++r)
    if (!says_anything(question.readings[r])) letters += question.readings[r].letter;
  return letters;
}

std::string setting(const spec::Question& question, char letter) {
  return ",reading=" + std::string(question.id) + ":" + letter;
}

/// Cases that tell the readings of one question apart may be explained by another one too: it is asked
/// beside.
std::vector<spec::QuestionIndex> with_neighbours(spec::QuestionIndex question) {
  constexpr std::pair<std::string_view, std::string_view> beside[] = {{"TMA-AMB-33", "TMA-AMB-18"},
                                                                      {"TMA-AMB-34", "TMA-AMB-08"},
                                                                      {"X-13", "X-12"},
                                                                      {"TMA-AMB-42", "TMA-AMB-02"},
                                                                      {"TMA-AMB-42", "TMA-AMB-03"}};
  std::vector<spec::QuestionIndex> asked{question};
  for (const auto& [of, other] : beside)
    if (spec::questions()[question].id == of) asked.push_back(*spec::find_question(other));
  // One refusal of the encoder looks like another.
  const DecidingPlace& where = deciding_place(spec::questions()[question].id);
  for (size_t q = 0; q < spec::questions().size(); ++q)
    if (where.property == "driver.tensor_map.encode_tiled" && q != question &&
        deciding_place(spec::questions()[q].id).property == where.property)
      asked.push_back(static_cast<spec::QuestionIndex>(q));
  return asked;
}

// Each reading of each question alone, on the architecture where it shows; the default is its own answer.
TEST(FirstContact, NamesEachReadingOfEachQuestion) {
  size_t asked = 0;
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const spec::Question& question = spec::questions()[q];
    if (!question.is_decidable()) continue;
    const spec::Arch arch = arch_of(question);
    for (const char letter : letters_of(question)) {
      const bool is_default = question.default_for[static_cast<size_t>(arch)] == letter;
      const ContactResult result = ask(is_default ? "" : setting(question, letter), arch,
                                       with_neighbours(static_cast<spec::QuestionIndex>(q)));
      ASSERT_FALSE(result.answers.empty());
      const ContactAnswer& a = result.answers[0];
      EXPECT_EQ(a.letter, letter) << words(a);
      EXPECT_EQ(a.status, Status::decided) << question.id << ":" << letter << " " << words(a);
      ++asked;
    }
  }
  EXPECT_GE(asked, 150u);
}

using Letters = std::vector<std::pair<std::string_view, char>>;

/// The names that come back of a device with these letters, the others being its defaults: those, and where
/// nothing is named no case could tell. The number of decided questions.
size_t expect_named(const Letters& letters, spec::Arch arch, std::vector<spec::QuestionIndex> questions) {
  std::string settings;
  spec::Readings truth(arch);
  for (const auto& [id, letter] : letters) {
    truth.choose(*spec::find_question(id), letter);
    settings += setting(spec::questions()[*spec::find_question(id)], letter);
  }
  SCOPED_TRACE("emulator:" + std::string(spec::name(arch)) + "a" + settings);
  const ContactResult result = ask(settings, arch, std::move(questions));
  size_t decided = 0;
  for (const ContactAnswer& a : result.answers) {
    if (a.status == Status::open) {
      // Only where no case could tell, the other answers being what they are.
      EXPECT_TRUE(deciding_cases(a.question, truth).empty()) << words(a);
      continue;
    }
    EXPECT_EQ(a.letter, truth.chosen(a.question)) << words(a);
    EXPECT_TRUE(a.status == Status::decided || a.status == Status::thin) << words(a);
    decided += a.status == Status::decided;
  }
  return decided;
}

// Readings in combination, of which a model or the emulated device once made something else than its
// own reading says: each beside questions whose cases show it.
TEST(FirstContact, NamesReadingsOfMapsBesideOthersThatTheyTouch) {
  struct Row {
    spec::Arch arch;
    Letters letters;
    std::vector<std::string_view> asked;
  };
  const Row rows[] = {
      // A packed type has its own rule for where a box starts.
      {spec::Arch::sm_100, {{"TMA-AMB-08", 'B'}, {"TMA-AMB-34", 'B'}}, {"TMA-AMB-08", "TMA-AMB-34"}},
      {spec::Arch::sm_100, {{"TMA-AMB-08", 'B'}}, {"TMA-AMB-08", "TMA-AMB-34", "TMA-AMB-06"}},
      // An instruction without a mask has none, whatever a mask of zeros is.
      {spec::Arch::sm_100, {{"AMB-02", 'B'}}, {"AMB-02", "AMB-45"}},
      // Gaps are counted of narrow rows alone, the part in bounds of boxes that leave the tensor alone.
      {spec::Arch::sm_100, {{"TMA-AMB-04", 'C'}}, {"TMA-AMB-04", "TMA-AMB-33", "TMA-AMB-13"}},
      {spec::Arch::sm_100, {{"TMA-AMB-04", 'C'}, {"TMA-AMB-18", 'B'}}, {"TMA-AMB-04", "TMA-AMB-18"}},
      // What the wide encoder then writes is a plain map, and no copy along W takes it.
      {spec::Arch::sm_100, {{"X-13", 'B'}}, {"X-13", "TMA-AMB-13", "TMA-AMB-42"}},
      // Nobody knows bit 21 there, in maps that kernels show either.
      {spec::Arch::sm_100, {{"TMA-AMB-28", 'B'}}, {"TMA-AMB-22"}},
      // The encoder does not see a swizzle that is written later.
      {spec::Arch::sm_103, {{"TMA-AMB-17", 'B'}}, {"TMA-AMB-17", "TMA-AMB-11", "X-17"}},
      // Cases that end badly name two of these, and only then is it known which fills show a NaN.
      {spec::Arch::sm_103,
       {{"TMA-AMB-05", 'C'}, {"TMA-AMB-12", 'C'}, {"TMA-AMB-17", 'B'}, {"TMA-AMB-18", 'B'}},
       {}},
  };
  for (const Row& row : rows) {
    std::vector<spec::QuestionIndex> asked;
    for (const std::string_view id : row.asked) asked.push_back(*spec::find_question(id));
    EXPECT_GE(expect_named(row.letters, row.arch, asked), 1u) << row.letters[0].first;
  }
}

/// A device for which each question has a letter of its own, drawn.
void expect_drawn_readings(uint64_t seed, spec::Arch arch, size_t least_decided) {
  std::mt19937_64 random(seed);
  Letters drawn;
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const spec::Question& question = spec::questions()[q];
    const auto index = static_cast<spec::QuestionIndex>(q);
    const std::string letters = letters_of(question);
    if (!question.is_decidable() || random() % 3 != 0 || never_decided(index, arch)) continue;
    const char letter = letters[random() % letters.size()];
    if (letter != spec::Readings(arch).chosen(index)) drawn.emplace_back(question.id, letter);
  }
  EXPECT_GE(expect_named(drawn, arch, {}), least_decided);
}

void expect_combination_of_the_sample(spec::Arch arch, size_t least_decided) {
  std::printf("sample %llu\n", static_cast<unsigned long long>(sample_number()));
  expect_drawn_readings(sample_number(), arch, least_decided);
}

TEST(FirstContact, NamesADrawnCombination) {
  expect_combination_of_the_sample(spec::Arch::sm_100, 60);
}
TEST(FirstContact, NamesADrawnCombinationOnHopper) {
  expect_combination_of_the_sample(spec::Arch::sm_90, 25);
}
TEST(FirstContact, NamesADrawnCombinationOnSm103) {
  expect_combination_of_the_sample(spec::Arch::sm_103, 60);
}

// What may end the device's process comes after the first save, and what ended well by then stands.
TEST(FirstContact, NothingThatMayEndBadlyRunsBeforeTheRestIsSaved) {
  const std::unique_ptr<Device> device = open_device("emulator:sm_100a,reading=TMEM-AMB-01:B", limits_for(1));
  std::vector<ContactResult> saved;
  ContactOptions options;
  for (const char* id : {"TMEM-AMB-01", "AMB-06", "TMA-AMB-16", "NUM-AMB-18"})
    options.questions.push_back(*spec::find_question(id));
  options.save = [&](const ContactResult& result) { saved.push_back(result); };
  first_contact(*device, options);
  ASSERT_EQ(saved.size(), 2u);
  EXPECT_FALSE(saved[0].cases.empty());
  for (const ContactCase& c : saved[0].cases)
    EXPECT_TRUE(!c.asked.may_end_badly && c.end.ended == Ended::done) << c.asked.property->name;
  for (const ContactAnswer& a : saved[0].answers) {
    const std::string_view id = spec::questions()[a.question].id;
    EXPECT_EQ(a.status == Status::decided, id == "AMB-06" || id == "NUM-AMB-18") << words(a);
  }
  for (const ContactAnswer& a : saved[1].answers) EXPECT_EQ(a.status, Status::decided) << words(a);
}

// A device that is merely wrong is no reading.
TEST(FirstContact, ADeviceThatFitsNoReadingIsSaidToContradict) {
  const ContactResult result = ask(",fault=tcgen05_16x64b_lanes_off", spec::Arch::sm_100,
                                   {*spec::find_question("AMB-23"), *spec::find_question("AMB-06")});
  ASSERT_EQ(result.answers.size(), 2u);
  EXPECT_EQ(result.answers[0].status, Status::contradicted) << words(result.answers[0]);
  EXPECT_NE(result.answers[0].why.find("fits none of its readings"), std::string::npos);
}

}  // namespace
}  // namespace assay::suites
