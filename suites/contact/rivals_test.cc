// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/spec/questions.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/late_tests_test.h"
#include "suites/run/places.h"

/// Every rival reading of every open question, run on an emulator that behaves so: the run must report that
/// reading as adopted, and nothing as violated. A reading that cannot be told apart is a defect, unless its
/// question says why.
namespace assay::suites {
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
