// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "devices/device.h"
#include "suites/run/conductor.h"
#include "suites/vectors/vector_rows_test.h"

namespace assay {
namespace {

uint64_t total(const std::vector<report::PublishedRow>& rows, uint64_t report::PublishedRow::*what) {
  uint64_t sum = 0;
  for (const report::PublishedRow& row : rows) sum += row.*what;
  return sum;
}

TEST(Published, TheReferenceGivesEveryPublishedWord) {
  const std::vector<report::PublishedRow>& rows = published_evidence();
  EXPECT_EQ(rows.size(), 22u);
  EXPECT_EQ(total(rows, &report::PublishedRow::results), 60u);
  EXPECT_EQ(total(rows, &report::PublishedRow::agreeing), 60u);
  for (const report::PublishedRow& row : rows) {
    EXPECT_EQ(row.differing, "") << row.instruction;
    const bool is_of_bytes = row.instruction == "TXB";
    EXPECT_EQ(row.label, is_of_bytes ? "published by others, sm_103" : "published by others, sm_100");
    EXPECT_NE(row.source.find(is_of_bytes ? "B300" : "MIT"), std::string::npos);
  }
}

TEST(Published, WhatIsBuiltInIsTheFile) {
  EXPECT_EQ(published_b200_vectors(), vectors_text("vectors_b200_published.jsonl"));
}

TEST(Published, AWordThatNobodyMeasuredDoesNotCount) {
  const auto rows = published_rows(check_vectors(
      "row", spoilt({"vectors_b200_published.jsonl", "SF-tf32-1", "7c7e34fc", "7d7e34fc", ""})));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].results, 1u);
  EXPECT_EQ(rows[0].agreeing, 0u);
  EXPECT_NE(rows[0].differing.find("SF-tf32-1: byte 0: the row says 7d"), std::string::npos)
      << rows[0].differing;
}

TEST(Published, ARowThatCannotBeReadDoesNotCount) {
  const auto rows = published_rows(
      check_vectors("row", spoilt({"vectors_b200_published.jsonl", "SF-tf32-1", "7c7e34fc", "7c7e34f", ""})));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].agreeing, 0u);
  EXPECT_NE(rows[0].differing, "");
}

// The device is asked too: one that adds otherwise gives another word than was published.
TEST(Published, ADeviceRunsAllRowsAndAWrongOneFails) {
  const auto run = [](const char* spec) {
    const std::unique_ptr<Device> device = open_device(spec, suites::limits_for(1));
    return check_vectors("published", published_b200_vectors(), device.get());
  };
  const VectorReport right = run("emulator:sm_100a");
  EXPECT_EQ(right.ran(), 59u);
  EXPECT_EQ(right.count(RowVerdict::pass), 59u) << right.text();
  const VectorReport wrong = run("emulator:sm_100a,fault=adder_half_of_k_lost");
  EXPECT_EQ(wrong.ran(), 59u);
  EXPECT_GT(wrong.count(RowVerdict::fail), 0u);
  EXPECT_FALSE(wrong.ok());
}

}  // namespace
}  // namespace assay
