// SPDX-License-Identifier: Apache-2.0
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

/// Of each property on each architecture.
constexpr uint64_t most_predicted = 128;

const ExercisedRow* row_of(std::string_view property, std::string_view architecture) {
  for (const ExercisedRow& row : exercised_rows())
    if (row.property == property && row.architecture == architecture) return &row;
  return nullptr;
}

/// How often each rule is exercised, and by how many cases.
struct Exercised {
  std::map<std::string, uint64_t> rules;
  uint64_t cases = 0;
};

/// By what the reference says of the cases: a device that does as it says has them counted so. That the
/// emulator does is what `Property` asks.
Exercised predicted(const Property& property, spec::Arch arch, uint64_t cases) {
  Exercised seen{.rules = {}, .cases = cases};
  const spec::Readings readings(arch);
  Scratch scratch;
  Expected expected;
  Case c;
  for (uint64_t index = 0; index < cases; ++index) {
    property.generate(seed_of_table, property.name, index, arch, c);
    property.family().predict(c, readings, scratch, expected);
    if (expected.end == model::End::undefined) continue;  // demands nothing
    for (size_t r = expected.rules._Find_first(); r < expected.rules.size(); r = expected.rules._Find_next(r))
      ++seen.rules[std::string(spec::rules()[r].id)];
  }
  return seen;
}

/// By a run, for what the assembler that is asked decides.
Exercised ran(const Property& property, const std::string& device, uint64_t cases) {
  const std::unique_ptr<Device> opened = open_device(device, limits_for(1));
  DeviceRunOptions options;
  options.cases = cases;
  options.seed = seed_of_table;
  DeviceRun run(*opened, {&property}, options, nullptr);
  run.run();
  Exercised seen{.rules = {}, .cases = run.properties()[0]->judged()};
  for (const report::RuleCount& count : run.properties()[0]->state().rules)
    if (count.exercised != 0) seen.rules[count.rule] = count.exercised;
  return seen;
}

bool is_of_assembler(const Property& property) {
  return property.name.starts_with("assembler.");
}

class ExercisedTest : public testing::Test {
 public:
  explicit ExercisedTest(const Property& property) : property_(property) {}

  void TestBody() override {
    for (const spec::Arch arch :
         {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103, spec::Arch::sm_120}) {
      SCOPED_TRACE(spec::name(arch));
      const ExercisedRow* row = row_of(property_.name, spec::name(arch));
      if (row == nullptr) continue;  // ExercisedRows.WhatHasNoneIsDeclined
      const bool asks = is_of_assembler(property_);
      const uint64_t cases = std::min(row->cases, asks ? first_round_cases(property_) : most_predicted);
      const Exercised seen = asks ? ran(property_, "emulator:" + std::string(spec::name(arch)) + "a", cases)
                                  : predicted(property_, arch, cases);
      // ptxas is part of the CUDA Toolkit, which may be absent.
      if (seen.cases != 0 || !asks) compare(seen, *row);
    }
  }

 private:
  static void compare(const Exercised& seen, const ExercisedRow& row) {
    std::set<std::string> known;
    const double sample = static_cast<double>(seen.cases);
    for (const ExercisedRule& rule : rules_of(row)) {
      known.emplace(rule.rule);
      const double expected = sample * static_cast<double>(rule.cases) / static_cast<double>(row.cases);
      if (expected >= certain) {
        EXPECT_TRUE(seen.rules.contains(std::string(rule.rule)))
            << rule.rule << " is exercised by " << rule.cases << " of " << row.cases
            << " cases according to the table, by none of " << sample << " here";
      }
    }
    for (const auto& [rule, count] : seen.rules)
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

/// On sm_120 what it shares with the others stands in their rows.
TEST(ExercisedRows, WhatHasNoneIsDeclined) {
  for (const spec::Arch arch :
       {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103, spec::Arch::sm_120}) {
    const std::string name(spec::name(arch));
    const std::unique_ptr<Device> device = open_device("emulator:" + name + "a", limits_for(1));
    for (const Property* property : all_properties()) {
      if (property->name.starts_with("assembler.ptxas.")) continue;  // the CUDA Toolkit may be absent
      const bool declined = device->declines(property->family().name()).has_value() ||
                            (property->declines != nullptr && property->declines(arch).has_value());
      const bool has_row = row_of(property->name, name) != nullptr;
      if (has_row || arch != spec::Arch::sm_120) {
        EXPECT_NE(declined, has_row) << property->name << " on " << name << ": make the table again (README)";
      }
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
