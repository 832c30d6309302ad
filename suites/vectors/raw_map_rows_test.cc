// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "suites/vectors/check_vectors.h"

namespace assay {
namespace {

std::string raw_maps() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/vectors_rawmap.csv");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line and the row of that id, with one piece of text replaced.
RowResult spoilt(const std::string& id, const std::string& what, const std::string& by) {
  const std::string text = raw_maps();
  const size_t from = text.find("\n" + id + ",") + 1;
  std::string row = text.substr(from, text.find('\n', from) - from);
  const size_t at = row.find(what);
  EXPECT_NE(at, std::string::npos) << id << " has no " << what;
  row.replace(at, what.size(), by);
  const VectorReport report = check_vectors("row", text.substr(0, text.find('\n') + 1) + row + "\n");
  EXPECT_EQ(report.rows.size(), 1u) << report.problem;
  return report.rows.at(0);
}

TEST(RawMapRows, AllAreAsTheRulesSay) {
  const VectorReport report = check_vectors("vectors_rawmap.csv", raw_maps());
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.count(RowVerdict::pass), 735u) << report.text();
}

// RM0070: an im2col map of rank 3; RM0060: its channel start is not on 16 bytes; RM0120: nor is its address.
TEST(RawMapRows, OneThingWrongIsSeenAndNamed) {
  EXPECT_EQ(spoilt("RM0070", ",800,", ",800,").verdict, RowVerdict::pass);
  const std::pair<RowResult, const char*> wrong[] = {
      {spoilt("RM0070", ",800,", ",816,"), "tx: the row says 816"},
      {spoilt("RM0070", "16|11|7", "16|12|7"), "map_crc"},
      {spoilt("RM0070", "0006fffb", "0007fffb"), "map_crc"},
      {spoilt("RM0070", "000753a1", "000753a0"), "outcome: the row says ok, the reference ILL"},
      {spoilt("RM0060", "76|-2", "80|-2"), "outcome: the row says ILL, the reference ok"},
      {spoilt("RM0120", "00109cef", "00109ce0"), "outcome: the row says MIS"}};
  for (const auto& [result, words] : wrong) {
    EXPECT_EQ(result.verdict, RowVerdict::fail) << words;
    EXPECT_NE(result.detail.find(words), std::string::npos) << result.detail;
  }
}

TEST(RawMapRows, WhatCannotBeReadIsSaidInASentence) {
  const std::pair<RowResult, const char*> unreadable[] = {
      {spoilt("RM0070", "im2col", "im2row"), "'im2row' is not a mode of an instruction"},
      {spoilt("RM0070", "im2col,3", "im2col,2"), "rank 2 is not one of such an instruction"},
      {spoilt("RM0070", "00000000 ", ""), "the map has 15 words instead of 16"},
      {spoilt("RM0070", "16|11|7", "16|x|7"), "of coords is not a number"},
      {spoilt("RM0070", ",1344,", ",2000000000,"), "outside of shared memory"}};
  for (const auto& [result, words] : unreadable) {
    EXPECT_EQ(result.verdict, RowVerdict::malformed) << words;
    EXPECT_NE(result.detail.find(words), std::string::npos) << result.detail;
  }
}

}  // namespace
}  // namespace assay
