// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "reports/places.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/words.h"
#include "suites/run/conductor.h"
#include "suites/run/multiprocessors.h"

/// Devices that are wrong in one known way, and where a run says that their wrong elements lie.
namespace assay::suites {
namespace {

class PlacesOfFaults : public testing::Test {
 protected:
  void run(const std::string& property, const std::string& device, uint64_t cases) {
    RunOptions options;
    options.properties = {property};
    options.devices = {"emulator:" + device};
    options.cases = cases;
    options.seed = 5;
    options.out = report::scratch_path("places");
    // Smaller copies and repetitions say nothing about places, and take most of the time.
    options.most_shrunk = options.most_repeats = 0;
    const RunResult result = suites::run(options);
    ASSERT_EQ(result.exit_code, 1);
    results_ = report::read_results(result.database);
    ASSERT_FALSE(property_result().wrong_places.empty());
  }
  const report::PropertyResult& property_result() const { return results_.devices.at(0).properties.at(0); }

  /// Numbers of the places of a kind: of those with wrong elements, or of those without.
  std::set<uint32_t> places(std::string_view kind, bool wrong) const {
    std::set<uint32_t> numbers;
    for (const report::PlaceCount& place : property_result().wrong_places)
      if (place.kind == kind && (place.wrong != 0) == wrong) numbers.insert(place.number);
    return numbers;
  }
  bool says(const std::string& words) const {
    for (const std::string& sentence : report::where_it_fails(results_.devices.at(0)))
      if (sentence.find(words) != std::string::npos) return true;
    return false;
  }
  /// Where elements are bytes: no wrong one is left without a place.
  void expect_a_place_for_each_wrong_byte() const {
    for (const report::FailureGroup& group : property_result().failures)
      for (const report::CaseRow& row : group.examples) {
        uint64_t placed = 0;
        for (const report::PlaceCount& place : report::parse_places(row.places))
          if (place.kind == "shared-memory address") placed += place.wrong;
        EXPECT_EQ(placed, row.differing_bytes) << row.message;
      }
  }
  report::Results results_;
};

TEST_F(PlacesOfFaults, AStoreThatSwizzlesWronglyIsWrongInTheLinesWhoseBitItDrops) {
  run("tma.tiled.store", "sm_90a,fault=swizzle_128b_bit_dropped", 200);
  const std::set<uint32_t> wrong = places("shared-memory address", true);
  EXPECT_GT(wrong.size(), 100u);
  for (const uint32_t address : wrong) EXPECT_NE(address & 0x200, 0u) << address;
  const std::set<uint32_t> right = places("shared-memory address", false);
  EXPECT_GT(right.size(), 100u) << "lines whose bit is zero";
}

/// Every CTA of a cluster tells where it ran: the one that asks is found, whatever its rank.
TEST_F(PlacesOfFaults, AMulticastFailsOnTheMultiprocessorOfTheCtaThatAsks) {
  run("tma.tiled.load.multicast", "sm_90a,fault=rare_on_one_multiprocessor", 600);
  const auto failing = property_result().counts[static_cast<size_t>(report::Verdict::violates)];
  uint64_t on_third = 0, most_elsewhere = 0;
  std::set<uint32_t> ran;
  for (const report::PlaceRow& place : property_result().places) {
    if (place.sm == 3)
      on_third = place.failing;
    else
      most_elsewhere = std::max(most_elsewhere, place.failing);
    if (place.cases != 0) ran.insert(place.sm);
  }
  EXPECT_GT(on_third, 5u);
  EXPECT_EQ(on_third, failing) << "each failing case counts there";
  EXPECT_LT(2 * most_elsewhere, failing);
  EXPECT_TRUE(ran.contains(1)) << "no CTA of rank 0 runs there";
  EXPECT_EQ(ran.size(), 16u) << "launches of one cluster take all multiprocessors in turn";
  const std::string& detail = property_result().failures.at(0).examples.at(0).detail;
  EXPECT_EQ(detail.find("ran on SM"), std::string::npos) << "an emulator has none: " << detail;
  RecordEnd end{Ended::done, 0, 2, 0};
  EXPECT_EQ(multiprocessor_words(end), "ran on SM 2");
  end.cluster_sms[0] = 2, end.cluster_sms[1] = 3;
  EXPECT_EQ(multiprocessor_words(end), "ran on SMs 2, 3 (ranks 0 to 1)");
}

TEST_F(PlacesOfFaults, AStoreOfPackedElementsHasAPlaceForEachWrongByte) {
  run("tma.tiled.store", "sm_100a,fault=packed_6bit_order", 600);
  EXPECT_GT(places("shared-memory address", true).size(), 100u);
  expect_a_place_for_each_wrong_byte();
}

TEST_F(PlacesOfFaults, ABarrierIsWhereItsWrongAnswersComeFrom) {
  run("barrier.sequence", "sm_90a,fault=barrier_arrival_lost", 3000);
  // Four barriers of eight bytes, of which each case uses the first half of the time; places are told by 16
  // bytes.
  EXPECT_EQ(places("shared-memory address", true), (std::set<uint32_t>{0, 16}));
  expect_a_place_for_each_wrong_byte();
}

TEST_F(PlacesOfFaults, TheLastColumnOfWgmmaIsInEveryFourthLane) {
  run("wgmma.f16", "sm_90a,fault=adder_last_column_of_widest", 600);
  EXPECT_EQ(places("lane of the warp", true), (std::set<uint32_t>{3, 7, 11, 15, 19, 23, 27, 31}));
  EXPECT_EQ(places("warp", true).size(), 4u);
}

TEST_F(PlacesOfFaults, RowsOfMmaSyncThatChangedPlacesAreWrongEverywhere) {
  run("mma_sync.f16", "sm_90a,fault=mma_rows_exchanged", 60);
  EXPECT_EQ(places("lane of the warp", true).size(), 32u);
  EXPECT_TRUE(says("every lane of the warp affected (32)"));
}

TEST_F(PlacesOfFaults, TheLastColumnOfAGemmIsOneColumnOfTensorMemory) {
  run("pipeline.gemm", "sm_100a,fault=adder_last_column_of_widest", 200);
  EXPECT_EQ(places("tensor-memory column", true), std::set<uint32_t>{255});
  EXPECT_TRUE(says("0.4% of all elements; one place: suspect the silicon"));
  // Sums that join C hide the sign of a zero.
  EXPECT_GT(places("tensor-memory lane", true).size(), 100u);
}

}  // namespace
}  // namespace assay::suites
