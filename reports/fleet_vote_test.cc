// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet_vote.h"

#include <gtest/gtest.h>

namespace assay::report {
namespace {

Results fleet(const std::vector<std::pair<std::string, std::string>>& fingerprints_and_kinds) {
  Results results;
  for (size_t d = 0; d < fingerprints_and_kinds.size(); ++d) {
    DeviceResult device;
    device.info = {
        "cuda:" + std::to_string(d), "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-" + std::to_string(d), {}};
    PropertyResult property;
    property.info.name = "tma.tiled.load";
    property.planned = 10;
    property.counts[static_cast<size_t>(Verdict::conforms)] = 10;
    property.totals.complete = true;
    property.totals.fingerprint = fingerprints_and_kinds[d].first;
    if (!fingerprints_and_kinds[d].second.empty()) {
      FailureKindRow kind;
      kind.signature = fingerprints_and_kinds[d].second;
      property.kinds.push_back(kind);
    }
    device.properties.push_back(property);
    results.devices.push_back(device);
  }
  return results;
}

TEST(FleetVote, NamesTheOneThatDiffers) {
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"a", ""}, {"a", ""}})).empty());
  const auto odd = odd_ones_out(fleet({{"a", ""}, {"b", ""}, {"a", ""}}));
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_NE(odd[0].find("cuda:1 (GPU-1)"), std::string::npos) << odd[0];
  EXPECT_NE(odd[0].find("tma.tiled.load"), std::string::npos) << odd[0];
  EXPECT_EQ(odd_ones_out(fleet({{"a", ""}, {"a", "s|x"}, {"a", ""}, {"a", ""}})).size(), 1u);
}

TEST(FleetVote, TwoOrATieDecideNothing) {
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"b", ""}})).empty());
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"a", ""}, {"b", ""}, {"b", ""}})).empty());
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"b", ""}, {"c", ""}})).empty());
}

}  // namespace
}  // namespace assay::report
