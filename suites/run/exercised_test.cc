#include "suites/run/exercised.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "reference/spec/rule.h"
#include "suites/failure/detection.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/late_tests_test.h"
#include "suites/run/property.h"

/// What `describe` says of rules and properties is a table made from a run. Here a small run of each
/// property, the same cases from the first on, is held against it.
namespace assay::suites {
namespace {

/// Seed of the run that made the table (README).
constexpr uint64_t seed_of_table = 1;

/// Expected so often in a sample, a rule does not stay away by chance.
constexpr double certain = 16;

const ExercisedRow* row_of(std::string_view property, std::string_view architecture) {
  for (const ExercisedRow& row : exercised_rows())
    if (row.property == property && row.architecture == architecture) return &row;
  return nullptr;
}

class ExercisedTest : public testing::Test {
 public:
  explicit ExercisedTest(const Property& property) : property_(property) {}

  void TestBody() override {
    for (const char* target : {"sm_90a", "sm_100a", "sm_103a", "sm_120a"}) {
      SCOPED_TRACE(target);
      const std::string architecture(target, std::string_view(target).size() - 1);
      const ExercisedRow* row = row_of(property_.name, architecture);
      // What it shares with the others stands in their rows.
      if (row == nullptr && architecture == "sm_120") continue;
      const std::unique_ptr<Device> device = open_device(std::string("emulator:") + target, limits_for(1));
      DeviceRunOptions options;
      options.cases = property_.is_sacrificial() ? 10 : first_round_cases(property_);
      if (row != nullptr) options.cases = std::min(*options.cases, row->cases);
      options.seed = seed_of_table;
      DeviceRun run(*device, {&property_}, options, nullptr);
      run.run();
      const PropertyRun& seen = *run.properties()[0];
      if (declined(seen)) {
        // ptxas is part of the CUDA Toolkit, which may be absent.
        if (property_.name.starts_with("assembler.ptxas.")) continue;
        EXPECT_EQ(row, nullptr) << "the table has a property that this device declines";
        continue;
      }
      compare(seen, row);
    }
  }

 private:
  static bool declined(const PropertyRun& seen) {
    const auto counts = seen.totals().counts;
    return std::any_of(counts.begin(), counts.end(),
                       [](const auto& count) { return count.first == report::Verdict::declined; });
  }

  static void compare(const PropertyRun& seen, const ExercisedRow* row) {
    std::map<std::string, uint64_t> live;
    for (const report::RuleCount& count : seen.state().rules)
      if (count.exercised != 0) live[count.rule] = count.exercised;
    if (row == nullptr) {
      EXPECT_TRUE(live.empty()) << "the table lacks the property: make it again (README)";
      return;
    }
    std::set<std::string> known;
    const double sample = static_cast<double>(seen.judged());
    for (const ExercisedRule& rule : rules_of(*row)) {
      known.emplace(rule.rule);
      const double expected = sample * static_cast<double>(rule.cases) / static_cast<double>(row->cases);
      if (expected >= certain) {
        EXPECT_TRUE(live.contains(std::string(rule.rule)))
            << rule.rule << " is exercised by " << rule.cases << " of " << row->cases
            << " cases according to the table, by none of " << sample << " here";
      }
    }
    for (const auto& [rule, count] : live)
      EXPECT_TRUE(known.contains(rule)) << rule << " is exercised and the table does not say so";
  }

  const Property& property_;
};

}  // namespace

void register_exercised_tests() {
  for (const Property* property : all_properties())
    testing::RegisterTest("Exercised", std::string(property->name).c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [property]() -> ExercisedTest* { return new ExercisedTest(*property); });
}

TEST(ExercisedRows, NameRulesAndPropertiesThatThereAre) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ExercisedRow& row : exercised_rows()) {
    EXPECT_NE(find_property(row.property), nullptr) << row.property;
    EXPECT_TRUE(spec::parse_arch(row.architecture)) << row.architecture;
    EXPECT_TRUE(seen.emplace(row.property, row.architecture).second) << row.property << " is there twice";
    EXPECT_GT(row.cases, 0u);
    for (const ExercisedRule& rule : rules_of(row)) {
      EXPECT_TRUE(spec::find_rule(rule.rule)) << rule.rule;
      EXPECT_GT(rule.cases, 0u) << row.property << " " << rule.rule;
      EXPECT_LE(rule.cases, row.cases) << row.property << " " << rule.rule;
    }
  }
}

/// What the review of the claims found: said and not so, or so and not said.
TEST(ExercisedRows, SayWhatTheCasesDo) {
  const auto claims = [](std::string_view property, std::string_view rule) {
    const auto rules = rules_exercised_by(property);
    return std::find(rules.begin(), rules.end(), rule) != rules.end();
  };
  EXPECT_TRUE(claims("tma.tiled.load", "TILE-R09"));
  EXPECT_TRUE(claims("tma.tiled.load", "TILE-R18"));
  // What breaks a rule of a descriptor demands nothing of the device; only the controls are judged by their
  // bits.
  EXPECT_TRUE(claims("mma.descriptor.one_field_wrong", "SMEM-R10"));
  for (const char* rule : {"SMEM-R01", "SMEM-R04", "ZCM-R02"})
    EXPECT_FALSE(claims("mma.descriptor.one_field_wrong", rule)) << rule;
  for (const Property* property : all_properties())
    EXPECT_EQ(property->rules, rules_exercised_by(property->name)) << property->name;
}

}  // namespace assay::suites
