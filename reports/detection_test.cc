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

TEST(Detection, TheSummaryCountsEachOutcomeAndArguesWhatIsSilent) {
  const std::string text = detection_markdown(header, rows());
  EXPECT_NE(text.find("3 faults, tested 3 times on the architectures that have the affected feature:\n"
                      "1 were caught, 1 were reported as another reading"),
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

}  // namespace
}  // namespace assay::report
