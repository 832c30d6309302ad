// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/results.h"
#include "reports/sample_test.h"

namespace assay::report {
namespace {

/// A run's state: groups "AMB-01 AMB-02: AA BB", each with the case that decided it.
std::string state(const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>& groups,
                  const std::string& witness) {
  const auto list = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "\"" : ",\"") + word + "\"";
    return "[" + text + "]";
  };
  std::string all, records;
  for (const auto& [questions, alive] : groups) {
    all +=
        (all.empty() ? "" : ",") + ("{\"questions\":" + list(questions)) + ",\"alive\":" + list(alive) + "}";
    for (const std::string& id : questions)
      records += (records.empty() ? "\"" : ",\"") + id + R"(":{"deciding":1,"witness":")" + witness +
                 R"(","contradiction":""})";
  }
  return "{\"groups\":[" + all + "],\"records\":{" + records + "}}";
}

/// Each run alone leaves both questions open; together they tie them.
const std::string equal = state({{{"AMB-01", "AMB-05"}, {"AA", "BB"}}}, "case-equal"),
                  not_a = state({{{"AMB-01"}, {"B"}}, {{"AMB-05"}, {"A", "B"}}}, "case-not-a"),
                  differ = state({{{"AMB-01", "AMB-05"}, {"AB", "BA"}}}, "case-differ");

std::vector<ReadingRow> reading_rows() {
  std::vector<ReadingRow> rows(3);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].question = i == 0 ? "AMB-01" : i == 1 ? "AMB-05" : "TMA-AMB-04";
    rows[i].chosen_letter = rows[i].default_letter = "A";
    rows[i].status = "not decided";
  }
  return rows;
}

std::string shown(const std::vector<ReadingRow>& rows) {
  std::string text;
  for (const ReadingRow& row : rows)
    text += row.question + "=" + row.chosen_letter + " " + row.status + " " + row.witness + "\n";
  return text;
}

std::string decided(const std::vector<std::string>& states) {
  auto all = reading_rows();
  decide_jointly(all, states);
  return shown(all);
}

TEST(JointReadings, WhatOneRunLearnsDecidesWhatAnotherTied) {
  EXPECT_EQ(decided({equal, not_a}),
            "AMB-01=B rival adopted \nAMB-05=B rival adopted \nTMA-AMB-04=A not decided \n");
  EXPECT_EQ(decided({differ, not_a}),
            "AMB-01=B rival adopted \nAMB-05=A default confirmed \nTMA-AMB-04=A not decided \n");
}

TEST(JointReadings, AnEmptySetNamesTheCasesThatEmptiedIt) {
  // Each question alone has letters that both runs allow; no pair of letters is allowed by both.
  const std::string text = decided({equal, differ});
  EXPECT_NE(
      text.find("AMB-01=A contradicted case-differ and case-equal leave no joint reading of AMB-01, AMB-05"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("AMB-05=A contradicted"), std::string::npos);
  EXPECT_NE(text.find("TMA-AMB-04=A not decided"), std::string::npos);
}

TEST(JointReadings, OrderAndRepetitionMakeNoDifference) {
  std::vector<std::string> states{equal, not_a, differ};
  std::sort(states.begin(), states.end());
  const std::string want = decided(states);
  do {
    EXPECT_EQ(decided(states), want);
    std::vector<std::string> twice = states;
    twice.insert(twice.end(), states.begin(), states.end());
    EXPECT_EQ(decided(twice), want);
  } while (std::next_permutation(states.begin(), states.end()));
  EXPECT_EQ(decided({equal, equal}), shown(reading_rows()))
      << "one state says nothing more than its own run did";
}

TEST(JointReadings, WhatCannotBeReadSaysNothing) {
  for (const char* text :
       {"", "{}", "[]", "{\"groups\":[{\"questions\":[\"AMB-01\"],\"alive\":[\"AB\"]}],\"records\":{}}",
        "{\"groups\":3,\"records\":{}}"})
    EXPECT_EQ(decided({text, not_a}), shown(reading_rows())) << text;
}

/// A shard that conforms, with a state of its readings.
void write_shard(const std::filesystem::path& file, int shard, const std::string& readings) {
  RunInfo run = sample_run();
  run.run_id = "run-" + std::to_string(shard);
  run.shard = shard, run.shards = 3;
  const auto recorder = Recorder::create(file, run);
  recorder->add_device({"emulator:sm_100a", "emulator sm_100", "sm_100", "assay emulator", "", {}});
  recorder->plan("emulator:sm_100a", {"mma.ws.zero_column_mask", "claim", {}}, 1);
  PropertyState state;
  state.totals.planned = state.totals.issued = 1;
  state.totals.counts = {{Verdict::conforms, 1}};
  state.totals.complete = true;
  recorder->set_state("emulator:sm_100a", "mma.ws.zero_column_mask", state);
  recorder->set_readings("emulator:sm_100a", reading_rows());
  recorder->set_reading_state("emulator:sm_100a", readings);
  recorder->finish(0, "2026-11-21T02:14:31");
}

TEST(JointReadings, MergedShardsThatNoJointReadingFitsViolate) {
  const Scratch scratch;
  write_shard(scratch / "a.db", 1, equal);
  write_shard(scratch / "b.db", 2, not_a);
  write_shard(scratch / "c.db", 3, differ);
  const auto merged = [&](std::vector<const char*> names, const char* into) {
    std::vector<std::filesystem::path> files;
    for (const char* name : names) files.push_back(scratch / name);
    merge_results(files, scratch / into);
    const Results results = read_results(scratch / into);
    return std::to_string(results.exit_code) + "\n" + shown(results.devices.at(0).readings);
  };
  // The third shard is missing: what there is conforms and is not the whole run.
  EXPECT_TRUE(merged({"a.db", "b.db"}, "ab.db").starts_with("4\nAMB-01=B rival adopted"));
  const std::string all = merged({"a.db", "b.db", "c.db"}, "abc.db");
  EXPECT_TRUE(all.starts_with("1\nAMB-01=A contradicted")) << all;
  merged({"b.db", "c.db"}, "bc.db");
  EXPECT_EQ(merged({"ab.db", "c.db"}, "ab_c.db"), all);
  EXPECT_EQ(merged({"a.db", "bc.db"}, "a_bc.db"), all);
  EXPECT_EQ(merged({"c.db", "b.db", "a.db"}, "cba.db"), all);
  EXPECT_EQ(merged({"abc.db", "abc.db", "b.db"}, "again.db"), all);
}

}  // namespace
}  // namespace assay::report
