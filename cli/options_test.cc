// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <map>

#include "cli/command.h"
#include "cli/options.h"

namespace assay::cli {
namespace {

std::string parsed(const std::string& text, std::map<std::string, std::string> variables = {}) {
  try {
    const Shard shard = parse_shard(text, [&](const char* name) {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    });
    return std::to_string(shard.index) + "/" + std::to_string(shard.count);
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Shard, IsGivenOrReadFromTheScheduler) {
  EXPECT_EQ(parsed("2/8"), "2/8");
  const std::map<std::string, std::string> slurm{{"SLURM_ARRAY_TASK_ID", "14"},
                                                 {"SLURM_ARRAY_TASK_MIN", "10"},
                                                 {"SLURM_ARRAY_TASK_MAX", "16"},
                                                 {"SLURM_ARRAY_TASK_STEP", "2"}};
  EXPECT_EQ(parsed("auto", slurm), "3/4");
  EXPECT_EQ(
      parsed("auto",
             {{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_MIN", "0"}, {"SLURM_ARRAY_TASK_MAX", "7"}}),
      "1/8");
  EXPECT_EQ(parsed("auto/5", {{"JOB_COMPLETION_INDEX", "4"}}), "5/5");
}

TEST(Shard, WhatIsWrongIsSaid) {
  for (const char* text : {"0/8", "9/8", "a/8", "1/0", "3", "/", "1/", "-1/2", "auto", "auto/2"})
    EXPECT_NE(parsed(text).find("--shard"), std::string::npos) << text << ": " << parsed(text);
  EXPECT_NE(parsed("auto", {{"JOB_COMPLETION_INDEX", "4"}}).find("auto/N"), std::string::npos);
  EXPECT_NE(parsed("auto/4", {{"JOB_COMPLETION_INDEX", "4"}}).find("no shard 5 of 4"), std::string::npos);
  EXPECT_NE(parsed("auto", {{"SLURM_ARRAY_TASK_ID", "x"}}).find("not a number"), std::string::npos);
}

TEST(Moment, IsTheNextOrAGivenOne) {
  using std::chrono::system_clock;
  const auto now = system_clock::from_time_t(1'800'000'000);
  const auto next = moment("06:30", "--deadline", now);
  EXPECT_GT(next, now);
  EXPECT_LE(next - now, std::chrono::hours(25));
  EXPECT_EQ(system_clock::to_time_t(moment("2026-11-22T05:30Z", "--deadline", now)), 1795325400);
  EXPECT_EQ(system_clock::to_time_t(moment("2026-11-22T05:30:07Z", "--deadline", now)), 1795325407);
  for (const char* bad :
       {"", "soon", "25:00", "06:30x", "2026-13-01T00:00", "2026-11-22", "2026-11-22T05:30Zx"})
    EXPECT_THROW(moment(bad, "--deadline", now), UsageError) << bad;
}

}  // namespace
}  // namespace assay::cli
