// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/rules.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <string>

#include "reference/spec/near_names.h"
#include "reference/spec/questions.h"

namespace assay::spec {
namespace {

TEST(Rules, IdsAreUniqueAndEachHasWordsAndASource) {
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.words.empty()) << rule.id;
    EXPECT_FALSE(rule.cites[0].document.empty()) << rule.id;
    EXPECT_TRUE(std::find(rule.applies.begin(), rule.applies.end(), true) != rule.applies.end()) << rule.id;
    EXPECT_TRUE(rule.question.empty() || find_question(rule.question))
        << rule.id << " names " << rule.question;
    EXPECT_EQ(&rules()[*find_rule(rule.id)], &rule);
  }
  for (const char* id : {"V-01", "TILE-R01", "SMEM-R01", "IDESC-R01", "ZCM-R01", "ADD-R01", "TMEM-R01",
                         "IM2C-R01", "SCALE-R01"})
    EXPECT_TRUE(find_rule(id)) << id;
}

TEST(Questions, HaveTwoReadingsADefaultAmongThemAndASource) {
  std::set<std::string_view> ids;
  for (const Question& question : questions()) {
    EXPECT_TRUE(ids.insert(question.id).second) << question.id;
    EXPECT_GE(question.reading_count(), 2) << question.id;
    EXPECT_FALSE(question.cites[0].document.empty()) << question.id;
    std::string letters;
    for (int i = 0; i < question.reading_count(); ++i) letters += question.readings[i].letter;
    EXPECT_EQ(std::set<char>(letters.begin(), letters.end()).size(), letters.size()) << question.id;
    for (const char letter : question.default_for)
      EXPECT_NE(letters.find(letter), std::string::npos) << question.id << " default " << letter;
  }
}

TEST(Questions, ArchitecturesOfAQuestionOnlyBlackwellCanDecideAreNotSettled) {
  for (const char* id : {"TMA-AMB-10", "TMA-AMB-11", "TMA-AMB-15", "TMA-AMB-33", "TMA-AMB-34"})
    for (const bool settled : questions()[*find_question(id)].settled) EXPECT_FALSE(settled) << id;
}

// What others published is named, and settles nothing: that is for silicon of ours.
TEST(Questions, WhatOthersPublishedIsToldAndSettlesNothing) {
  const std::pair<const char*, char> published[] = {{"TMA-AMB-33", 'P'}, {"TMA-AMB-21", 'P'}};
  for (const auto& [id, letter] : published) {
    const Question& question = questions()[*find_question(id)];
    EXPECT_GT(question.published.size(), 20u) << id;
    for (int arch = 0; arch < arch_count; ++arch) {
      EXPECT_EQ(question.default_for[arch], letter) << id;
      EXPECT_FALSE(question.settled[arch]) << id;
    }
  }
  EXPECT_TRUE(questions()[*find_question("NUM-AMB-18")].published.starts_with("no answer"));
}

// What the silicon showed, copied by hand from the measurements: the defaults must follow it.
TEST(Questions, DefaultsFollowTheH200) {
  const std::pair<const char*, char> measured[] = {
      {"TMA-AMB-04", 'P'}, {"TMA-AMB-05", 'P'}, {"TMA-AMB-06", 'P'}, {"TMA-AMB-07", 'A'}, {"TMA-AMB-08", 'P'},
      {"TMA-AMB-09", 'A'}, {"TMA-AMB-12", 'P'}, {"TMA-AMB-16", 'B'}, {"TMA-AMB-17", 'A'}, {"TMA-AMB-18", 'P'},
      {"TMA-AMB-19", 'B'}, {"TMA-AMB-20", 'A'}, {"TMA-AMB-22", 'A'}, {"TMA-AMB-26", 'P'}};
  for (const auto& [id, letter] : measured) {
    const Readings readings(Arch::sm_90);
    EXPECT_EQ(readings.chosen(*find_question(id)), letter) << id;
    EXPECT_TRUE(questions()[*find_question(id)].settled[0]) << id;
  }
}

TEST(Questions, AKnownDisagreementIsFoundUnderBothIds) {
  EXPECT_EQ(find_question("X-16"), find_question("TMA-AMB-09"));
  EXPECT_EQ(find_question("X-10"), find_question("TMA-AMB-20"));
  EXPECT_EQ(find_question("X-21"), find_question("TMA-AMB-16"));
  EXPECT_EQ(find_question(""), std::nullopt);
  EXPECT_EQ(find_question("TMA-AMB-99"), std::nullopt);
}

TEST(Questions, NamesOfReadingsLeadToTheirLetters) {
  static_assert(NamedReading("TMA-AMB-10", "bit_7_clear").letter() == 'B');
  static_assert(NamedReading("TMA-AMB-10", "bit_7_set").letter() == 'P');
  static_assert(NamedReading("AMB-38", "anything").letter() == 'A');
  static_assert(NamedReading("AMB-38", "anything").question() == question("AMB-38"));
  constexpr auto with = [](Reading first, Reading second) {
    return Question{"", "", {{first, second}}, always('A'), settled_nowhere, {}};
  };
  static_assert(wrong_with_readings(with({'A', "zero", ""}, {'B', "unchanged", ""})).empty());
  static_assert(!wrong_with_readings(with({'A', "zero", ""}, {'B', "zero", ""})).empty());
  static_assert(!wrong_with_readings(with({'A', "zero", ""}, {'A', "unchanged", ""})).empty());
  static_assert(!wrong_with_readings(with({'A', "zero", ""}, {'B', "", ""})).empty());
  static_assert(!wrong_with_readings(with({'A', "zero", ""}, {'B', "Unchanged", ""})).empty());
  static_assert(!wrong_with_readings(with({'B', "zero", ""}, {'C', "unchanged", ""})).empty());
}

TEST(Questions, AReadingIsConsultedOnlyWhenAsked) {
  Readings readings(Arch::sm_100);
  EXPECT_TRUE(readings.consulted().none());
  readings.choose({"TMA-AMB-11", "rows_128_apart"});
  EXPECT_TRUE(readings.consulted().none());
  EXPECT_EQ(readings.chosen(question("TMA-AMB-11")), 'B');
  EXPECT_TRUE(readings.consulted().test(question("TMA-AMB-11")));
  readings.forget_consulted();
  EXPECT_FALSE(readings.is({"TMA-AMB-11", "rows_96_apart"}));
  EXPECT_TRUE(readings.consulted().test(question("TMA-AMB-11")));
  EXPECT_TRUE(readings.is({"TMA-AMB-11", "rows_128_apart"}));
  readings.forget_consulted();
  EXPECT_TRUE(readings.consulted().none());
}

constexpr std::string_view names[] = {"tma.tiled.load", "tma.tiled.load.faults", "tma.tiled.store",
                                      "mma.dense.f16", "V-23"};

TEST(NearNames, SlipsOfTheFingerFindTheName) {
  for (const char* typed : {"tma.tiled.laod", "tma.tield.load", "tma.tiled.loa", "TMA.tiled.load"})
    EXPECT_EQ(near_names(typed, names).at(0), "tma.tiled.load") << typed;
  EXPECT_EQ(near_names("V-32", names), std::vector<std::string_view>{"V-23"});
}

TEST(NearNames, APartOfANameFindsThoseThatHaveIt) {
  EXPECT_EQ(did_you_mean("load", names), "; did you mean 'tma.tiled.load' or 'tma.tiled.load.faults'?");
}

TEST(NearNames, WhatIsFarFromAllFindsNothing) {
  EXPECT_EQ(did_you_mean("frobnicate", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
}

}  // namespace
}  // namespace assay::spec
