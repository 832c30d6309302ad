// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <set>

#include "reference/spec/questions.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/late_tests_test.h"
#include "suites/run/places.h"

/// Every property that looks at an open question, on an emulator that follows a rival reading of it: alone
/// and with the others it finds nothing wrong. Rival.* asks of each question the one property that decides it
/// best.
namespace assay::suites {
namespace {

constexpr uint64_t everyday_cases = 12, long_cases = 60;  // of a property

/// The questions that the predictions of the property's cases look at. With another answer to a question that
/// a prediction does not look at it is the same.
const QuestionSet& consulted(const Property& property, spec::Arch arch) {
  static std::map<std::pair<const Property*, spec::Arch>, QuestionSet> known;
  const auto [at, is_new] = known.try_emplace({&property, arch});
  if (!is_new) return at->second;
  const spec::Readings readings(arch);
  Scratch scratch;
  Case c;
  for (uint64_t i = 0; i < long_cases; ++i) {
    property.generate(1, property.name, i, arch, c);
    Expected expected;
    property.family().predict(c, readings, scratch, expected);
  }
  return at->second = readings.consulted();
}

class EveryReadingTest : public testing::Test {
 public:
  EveryReadingTest(spec::QuestionIndex question, char letter, uint64_t cases)
      : question_(spec::questions()[question]), index_(question), letter_(letter), cases_(cases) {}

  /// Each property on the first target that has it and where the reading is a rival.
  void TestBody() override {
    std::set<const Property*> met;
    for (const char* target : {"sm_100a", "sm_103a", "sm_120a", "sm_90a"}) {
      const spec::Arch arch = *spec::parse_arch(target);
      if (question_.default_for[static_cast<int>(arch)] == letter_) continue;
      std::vector<const Property*> asked;
      for (const Property* property : all_properties())
        if (!met.contains(property) && !(property->declines && property->declines(arch)) &&
            consulted(*property, arch)[index_])
          asked.push_back(property);
      if (asked.empty()) continue;
      spec_ = "emulator:" + std::string(target) + ",reading=" + std::string(question_.id) + ":" + letter_;
      const std::unique_ptr<Device> device = open_device(spec_, limits_for(1));
      std::erase_if(asked, [&](const Property* property) {
        return device->declines(property->family().name()).has_value();
      });
      met.insert(asked.begin(), asked.end());
      for (const Property* property : asked) expect_right(*device, {property});
      if (!asked.empty()) expect_right(*device, asked);
    }
    if (met.empty()) GTEST_SKIP() << "no property looks at it in so few cases where it is a rival";
  }

 private:
  /// Right is also what is left undecided, where the outcome says why: too few cases decide, or none ends
  /// well.
  void expect_right(Device& device, const std::vector<const Property*>& properties) {
    DeviceRunOptions options;
    options.cases = cases_;
    std::map<std::string_view, std::string> wrong;
    DeviceRun run(device, properties, options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    const std::string why = outcome.contradiction + std::string(outcome.note);
                    const bool is_open = outcome.verdict == report::Verdict::undecided &&
                                         (why.find("too few cases decide") != std::string::npos ||
                                          why.find("ends without an error") != std::string::npos);
                    std::string& text = wrong[property.name];
                    if (!is_open && report::fails(outcome.verdict) && text.size() < 400)
                      text += "\n    " + to_row(property, outcome, {spec_, 1, index, {}, {}}).message + "; " +
                              std::string(report::name(outcome.verdict)) + "; " + why;
                  });
    run.run();
    for (const auto& [property, text] : wrong)
      EXPECT_EQ(text, "") << property << (properties.size() == 1 ? ", alone" : ", with the others");
    for (const auto& one : run.properties()) EXPECT_GT(one->totals().issued, 0u) << one->property().name;
  }

  const spec::Question& question_;
  const spec::QuestionIndex index_;
  const char letter_;
  const uint64_t cases_;
  std::string spec_;
};

}  // namespace

/// All are long (cmake/rooms.cmake); everyday runs ask every sixteenth with a few cases.
void register_every_reading_tests() {
  int number = 0;
  for (size_t q = 0; q < spec::questions().size(); ++q) {
    const spec::Question& question = spec::questions()[q];
    for (int r = 0; r < question.reading_count(); ++r) {
      const char letter = question.readings[r].letter;
      const auto is_it = [&](char by_default) { return by_default == letter; };
      if (says_anything(question.readings[r])) continue;
      if (std::all_of(question.default_for.begin(), question.default_for.end(), is_it)) continue;
      std::string name = std::string(question.id) + "." + letter;
      std::replace(name.begin(), name.end(), '-', '_');
      const auto add = [&](const char* set, uint64_t cases) {
        testing::RegisterTest(
            set, name.c_str(), nullptr, nullptr, __FILE__, __LINE__, [=]() -> EveryReadingTest* {
              return new EveryReadingTest(static_cast<spec::QuestionIndex>(q), letter, cases);
            });
      };
      add("EveryReadingLong", long_cases);
      if (number++ % 16 == 1) add("EveryReading", everyday_cases);
    }
  }
}

// Every rival reading of every open question, run on an emulator that behaves so: the run must report that
// reading as adopted, and nothing as violated. A reading that cannot be told apart is a defect, unless its
// question says why.

namespace {

class RivalTest : public testing::Test {
 public:
  RivalTest(const spec::Question& question, char letter) : question_(question), letter_(letter) {}

  void TestBody() override {
    const DecidingPlace& where = deciding_place(question_.id);
    const spec::Arch arch = *spec::parse_arch(where.target);
    if (question_.default_for[static_cast<int>(arch)] == letter_)
      GTEST_SKIP() << "the default on " << where.target;
    const std::string spec =
        "emulator:" + std::string(where.target) + ",reading=" + std::string(question_.id) + ":" + letter_;
    const std::unique_ptr<Device> device = open_device(spec, limits_for(1));
    DeviceRunOptions options;
    options.cases = where.cases;
    std::string failures;
    DeviceRun run(*device, {find_property(where.property)}, options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    if (failures.size() < 2000)
                      failures += to_row(property, outcome, {spec, 1, index, {}, {}}).message + "\n";
                  });
    run.run();
    for (const report::ReadingRow& row : run.readings().rows())
      if (row.question == question_.id) {
        EXPECT_EQ(row.status, "rival adopted") << failures;
        EXPECT_EQ(row.chosen_letter, std::string(1, letter_)) << failures;
      } else {
        EXPECT_NE(row.status, "rival adopted") << row.question << ":" << row.chosen_letter;
      }
    EXPECT_EQ(failures, "");
  }

 private:
  const spec::Question& question_;
  const char letter_;
};

}  // namespace

void register_rival_tests() {
  for (const spec::Question& question : spec::questions()) {
    if (!question.is_decidable()) continue;
    for (int r = 0; r < question.reading_count(); ++r) {
      const char letter = question.readings[r].letter;
      if (says_anything(question.readings[r])) continue;
      if (letter == question.default_for[0] && letter == question.default_for[1] &&
          letter == question.default_for[2])
        continue;
      // In a GoogleTest filter '-' begins what is left out: a name with one would select nothing, and pass.
      std::string name = std::string(question.id) + "." + letter;
      std::replace(name.begin(), name.end(), '-', '_');
      testing::RegisterTest("Rival", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&question, letter]() -> RivalTest* { return new RivalTest(question, letter); });
    }
  }
}

TEST(Rivals, QuestionsThatNoCaseDecidesSayWhy) {
  for (const spec::Question& question : spec::questions())
    if (!question.is_decidable()) {
      EXPECT_GT(question.undecidable.size(), 20u) << question.id;
    }
}

}  // namespace assay::suites
