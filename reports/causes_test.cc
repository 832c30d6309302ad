// SPDX-License-Identifier: Apache-2.0
#include "reports/causes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::report {
namespace {

FailureGroup group(const char* property, const char* signature, uint64_t count, Blame blame,
                   Verdict verdict = Verdict::violates) {
  FailureGroup made;
  made.signature = signature, made.verdict = verdict, made.rows = made.count = count;
  made.blame = std::move(blame);
  made.rules = {"TILE-R01"};
  made.examples.emplace_back().property = property;
  return made;
}

Results results() {
  const Blame sign{true, {{"TILE-R08", "the sign were lost"}}},
      other{true, {{"TILE-R08", "bit 31 were lost"}}};
  const Blame either{true, {{"TILE-R08", "x"}, {"TILE-R04", "y"}}},
      again{true, {{"TILE-R04", "z"}, {"TILE-R08", "x"}}};
  Results made;
  DeviceResult& device = made.devices.emplace_back();
  PropertyResult& load = device.properties.emplace_back();
  load.info.name = "tma.tiled.load";
  load.failures = {
      group("tma.tiled.load", "a", 50, sign),  group("tma.tiled.load", "b", 40, other),
      group("tma.tiled.load", "c", 3, either), group("tma.tiled.load", "d", 2, {true, {}}),
      group("tma.tiled.load", "e", 1, {}),     group("tma.tiled.load", "f", 9, sign, Verdict::waived)};
  PropertyResult& store = device.properties.emplace_back();
  store.info.name = "tma.tiled.store";
  store.failures = {group("tma.tiled.store", "a", 11, sign), group("tma.tiled.store", "b", 5, again),
                    group("tma.tiled.store", "c", 4, {true, {}})};
  return made;
}

TEST(Causes, SignaturesThatOneRuleExplainsAreOneItem) {
  const std::vector<Cause> causes = causes_of(results());
  ASSERT_EQ(causes.size(), 4u);
  const Cause& sign = causes.front();
  EXPECT_EQ(sign.places.size(), 3u);
  EXPECT_EQ(sign.cases, 101u) << "what is waived does not count";
  EXPECT_EQ(sign.properties, (std::vector<std::string>{"tma.tiled.load", "tma.tiled.store"}));
  EXPECT_EQ(sign.words, "violates TILE-R08 (as if the sign were lost)");
}

TEST(Causes, TheSameChoiceOfRulesIsOneItemInAnyOrder) {
  const std::vector<Cause> causes = causes_of(results());
  ASSERT_EQ(causes.size(), 4u);
  EXPECT_EQ(
      std::count_if(causes.begin(), causes.end(),
                    [](const Cause& cause) { return cause.words.starts_with("one of") && cause.cases == 8; }),
      1);
}

TEST(Causes, WhatNothingExplainsIsAnItemOfItsProperty) {
  uint64_t of_load = 0, of_store = 0;
  for (const Cause& cause : causes_of(results())) {
    if (cause.properties == std::vector<std::string>{"tma.tiled.load"}) of_load += cause.cases;
    if (cause.properties == std::vector<std::string>{"tma.tiled.store"}) of_store += cause.cases;
  }
  EXPECT_EQ(of_load, 3u);
  EXPECT_EQ(of_store, 4u);
}

}  // namespace
}  // namespace assay::report
