// SPDX-License-Identifier: Apache-2.0
#include "reports/detection.h"

#include <gtest/gtest.h>

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

TEST(Detection, TheTableIsReadBackAsItWasWritten) {
  const auto made = rows(), read = parse_detection(detection_markdown(header, made));
  ASSERT_EQ(read.size(), made.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].fault, made[i].fault);
    EXPECT_EQ(read[i].spec, made[i].spec);
    EXPECT_EQ(read[i].wrong, made[i].wrong);
    EXPECT_EQ(read[i].detected, made[i].detected);
    EXPECT_EQ(read[i].property, made[i].property);
    EXPECT_EQ(read[i].cases, made[i].cases);
    EXPECT_EQ(read[i].replay, made[i].replay);
    EXPECT_EQ(read[i].rare, made[i].rare);
  }
  EXPECT_EQ(read[1].how, "AMB-01:B");
}

TEST(Detection, TheSummaryCountsEachOutcomeAndArguesWhatIsSilent) {
  const std::string text = detection_markdown(header, rows());
  EXPECT_NE(text.find("3 faults, tested 3 times on the architectures that have the affected feature:\n"
                      "1 were caught, 1 were reported as another reading"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Seen within 10 cases: 0; 100 cases: 2;"), std::string::npos) << text;
  EXPECT_NE(text.find("- `silent`: No program reads it."), std::string::npos) << text;
}

TEST(Detection, AMalformedTableNamesItsLine) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_detection(text);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("\n| `x` | y |\n"), "line 2 of the detection table has 2 cells, not 7");
  EXPECT_NE(message("| `x` | y | sm_90a | lost | | | |").find("unknown outcome 'lost'"), std::string::npos);
  EXPECT_NE(message("| `x` | y | sm_90a | caught | `p` | many | |").find("'many' as its number of cases"),
            std::string::npos);
}

TEST(Detection, ATableWithASurvivorOrARefutedClaimIsNotWhole) {
  std::vector<DetectionRow> all = rows();
  EXPECT_TRUE(is_whole(all));
  all[0].detected = Detected::survived;
  EXPECT_FALSE(is_whole(all));
  all[0].detected = Detected::refuted;
  EXPECT_FALSE(is_whole(all));
}

}  // namespace
}  // namespace assay::report
