// SPDX-License-Identifier: Apache-2.0
#include "reports/detection.h"

#include <gtest/gtest.h>
#include <cmath>

namespace assay::report {
namespace {

std::vector<DetectionRow> rows() {
  DetectionRow caught;
  caught.fault = "tx_16_long";
  caught.wrong = "Sixteen | bytes too many.";
  caught.spec = "emulator:sm_90a,schedule=lazy,fault=tx_16_long";
  caught.detected = Detected::caught;
  caught.property = "tma.tiled.load";
  caught.cases = 17;
  caught.replay = "tma.tiled.load@1#16/0x7.3x3";
  caught.rare = true;
  DetectionRow adopted = caught;
  adopted.fault = "spans";
  adopted.spec = "emulator:sm_100a,fault=spans";
  adopted.detected = Detected::adopted;
  adopted.how = "AMB-01:B";
  adopted.rare = false;
  DetectionRow silent;
  silent.fault = "silent";
  silent.spec = "emulator:sm_90a,fault=silent";
  silent.detected = Detected::unobservable;
  silent.reason = "No program reads it.";
  return {caught, adopted, silent};
}

const DetectionHeader header{1, "60s", "./assay faults --markdown docs/detection.md", "10m"};

TEST(Detection, TheSummaryCountsEachOutcomeAndArguesWhatIsSilent) {
  const std::string text = detection_markdown(header, rows());
  EXPECT_NE(text.find("3 faults, tested 3 times on the architectures that have the affected feature: "
                      "1 caught, 1 reported as "
                      "another\nreading of an open question"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Seen within 10 cases: 0; 100 cases: 2;"), std::string::npos) << text;
  EXPECT_NE(text.find("| `tma.tiled.*` | 2 | 17 | 17 |"), std::string::npos) << text;
  EXPECT_NE(text.find("- `silent`: No program reads it."), std::string::npos) << text;
}

TEST(Detection, ATableWithASurvivorOrARefutedClaimIsNotWhole) {
  std::vector<DetectionRow> all = rows();
  EXPECT_TRUE(is_whole(all));
  all[0].detected = Detected::survived;
  EXPECT_FALSE(is_whole(all));
  all[0].detected = Detected::refuted;
  EXPECT_FALSE(is_whole(all));
}

// 1 - 0.05^(1/n) is the exact one-sided bound of n trials without a failure.
TEST(SeenRate, IsTheExactBoundAndNearlyAThirdOfTheCases) {
  EXPECT_EQ(seen_one_in(0), 0u);
  EXPECT_EQ(seen_one_in(1), 1u);    // 1 in 1.05
  EXPECT_EQ(seen_one_in(3), 1u);    // 1 in 1.58
  EXPECT_EQ(seen_one_in(59), 20u);  // the 59 pieces of acceptance sampling: 5 % at 95 %
  EXPECT_EQ(seen_one_in(100), 33u);
  EXPECT_EQ(seen_one_in(100'000), 33'381u);
  for (const uint64_t cases : {10u, 1'000u, 77'777u, 4'000'000u}) {
    const double one_in = static_cast<double>(seen_one_in(cases));
    EXPECT_LE(std::pow(1 - 1 / one_in, static_cast<double>(cases)), 0.05) << cases;
    EXPECT_GT(std::pow(1 - 1 / (one_in + 1), static_cast<double>(cases)), 0.05) << cases;
    EXPECT_NEAR(one_in, static_cast<double>(cases) / 3, static_cast<double>(cases) / 300 + 1);
  }
}

TEST(SeenRate, CasesToSeeAreTheFewestThatDo) {
  EXPECT_EQ(cases_to_see(1), 1u);
  EXPECT_EQ(cases_to_see(20), 59u);
  EXPECT_EQ(cases_to_see(night_rate), 299'572u);
  for (const uint64_t one_in : {2u, 33u, 1'000u, 100'000u}) {
    EXPECT_GE(seen_one_in(cases_to_see(one_in)), one_in);
    EXPECT_LT(seen_one_in(cases_to_see(one_in) - 1), one_in);
  }
}

PropertyResult property(const char* name, uint64_t conforming, uint64_t without_demand) {
  PropertyResult made;
  made.info.name = name;
  made.started = true;
  made.counts[static_cast<size_t>(Verdict::conforms)] = conforming;
  made.counts[static_cast<size_t>(Verdict::no_demand)] = without_demand;
  return made;
}

TEST(SeenRate, CountsCasesThatADocumentJudges) {
  EXPECT_EQ(telling_cases(property("a", 70, 30)), 70u);
  EXPECT_EQ(seen_words(100'000), "would have caught a 1-in-33,381 defect (95 % confidence)");
  EXPECT_EQ(seen_words(1), "would have caught only a defect of every case (95 % confidence)");
  EXPECT_EQ(seen_words(0), "would have caught no defect");
  const std::string rest =
      " ran enough cases to catch a 1-in-100,000 defect at 95 % confidence (299,572 needed).";
  DeviceResult device;
  EXPECT_EQ(seen_line(device), "");
  device.properties = {property("none", 0, 7)};
  EXPECT_EQ(seen_line(device), "");
  device.properties.push_back(property("few", 299'571, 1'000'000));
  EXPECT_EQ(seen_line(device), "No property" + rest);
  device.properties.push_back(property("many", 299'572, 0));
  EXPECT_EQ(seen_line(device), "1 of 2 properties" + rest);
  device.properties.erase(device.properties.begin() + 1);
  EXPECT_EQ(seen_line(device), "Every property" + rest);
}

TEST(Absence, WhatASeedMerelyMissedIsNotGone) {
  const Absence rare = absence(1, 300, 300, false);
  EXPECT_FALSE(rare.is_gone);
  EXPECT_EQ(rare.words, "not seen in 300 cases, 1 expected");
  EXPECT_EQ(absence(3, 1000, 100, false).words, "not seen in 100 cases, 0.3 expected");
}

TEST(Absence, WhatWouldHaveComeUpIsGone) {
  EXPECT_TRUE(absence(5, 300, 300, false).is_gone);
  EXPECT_FALSE(absence(4, 300, 300, false).is_gone) << "stays away by chance in one night of fifty";
  EXPECT_TRUE(absence(1, 300, 1500, false).is_gone);
}

TEST(Absence, TheSameCasesLeaveNothingToChance) {
  EXPECT_TRUE(absence(1, 1000000, 1000000, true).is_gone);
}

TEST(Absence, WithoutACountNothingIsExpected) {
  EXPECT_EQ(absence(0, 300, 1, false).words, "not seen in 1 case");
}

}  // namespace
}  // namespace assay::report
