// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/scratch_test.h"

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

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Defaults : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = report::scratch_path("defaults");
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "nights");
    for (const CommandWords& command : command_words())
      if (command.name == "run") run_ = command;
  }
  void write(const std::string& text, const char* where = "assay.toml") const {
    std::ofstream(folder_ / where) << text;
  }
  std::string out() const { return "--out=" + (folder_ / "nights" / "2026-11-24").string(); }
  Words with(Words words) const { return with_defaults(std::move(words), run_); }
  std::string refusal() const {
    try {
      with({"run", out()});
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  }
  std::string file() const { return (folder_ / "assay.toml").string(); }

  fs::path folder_;
  CommandWords run_;
};

TEST_F(Defaults, AreTakenFromBesideTheFolderOfNights) {
  write(
      "budget = \"10m\"\ndevice = [\"cuda:0\", \"cuda:1\"]\nfail-fast = true\nquiet = false\nseed = 7\n"
      "history = [\"nights\"]\nproperties = [\"tma.*\"]\n");
  const Words words = with({"run", out()});
  for (const std::string wanted :
       {"--budget=10m", "--device=cuda:0", "--device=cuda:1", "--fail-fast", "--seed=7", "tma.*"})
    EXPECT_EQ(std::count(words.begin(), words.end(), wanted), 1) << wanted;
  EXPECT_EQ(std::count(words.begin(), words.end(), "--history=" + (folder_ / "nights").string()), 1)
      << "paths count from the file";
  EXPECT_EQ(std::count(words.begin(), words.end(), "--defaults=" + file()), 1);
  EXPECT_EQ(std::count(words.begin(), words.end(), "--quiet"), 0);
}

TEST_F(Defaults, TheNearestFileCountsAlone) {
  write("budget = \"10m\"\n");
  write("seed = 3\n", "nights/assay.toml");
  const Words words = with({"run", out()});
  EXPECT_EQ(std::count(words.begin(), words.end(), "--seed=3"), 1);
  EXPECT_EQ(std::count(words.begin(), words.end(), "--budget=10m"), 0);
}

TEST_F(Defaults, WhatIsTypedWins) {
  write("budget = \"10m\"\ncases = 5\nproperties = [\"tma.*\"]\nquiet = true\n");
  const Words words = with({"run", "wgmma.*", "--budget", "5s", "--cover", "-v", out()});
  EXPECT_EQ(words,
            (Words{"run", "wgmma.*", "--budget", "5s", "--cover", "-v", out(), "--defaults=" + file()}))
      << "--cover and -v exclude two of the file's";
}

TEST_F(Defaults, OtherCommandsAndResumedRunsHaveNone) {
  write("budget = \"10m\"\n");
  for (const Words& words : {Words{"list"}, Words{"replay", "x", "--out", out()},
                             Words{"run", "--resume", (folder_ / "nights" / "x").string()}})
    EXPECT_EQ(with(words), words);
}

TEST_F(Defaults, AFileThatIsNamedMayLieAnywhere) {
  write("seed = 9\n", "nights/other.toml");
  const std::string named = "--defaults=" + (folder_ / "nights/other.toml").string();
  EXPECT_EQ(with({"run", named}), (Words{"run", named, "--seed=9"}));
  EXPECT_THROW(with({"run", "--defaults=" + (folder_ / "none.toml").string()}), UsageError);
}

TEST_F(Defaults, WrongKeysAreRefusedByName) {
  write("buget = \"10m\"\n");
  EXPECT_EQ(refusal(), file() + ": 'buget' is not an option of 'assay run'; did you mean 'budget'?");
  write("out = \"x\"\n");
  EXPECT_EQ(refusal(), file() + ": 'out' can only be typed");
  write("fail-fast = 3\n");
  EXPECT_EQ(refusal(), file() + ": 'fail-fast' is '3', expected true or false");
  write("[run]\nbudget = \"10m\"\n");
  EXPECT_EQ(refusal(),
            file() + ": table 'run' is not expected; the keys are names of options, without a table");
}

TEST(Terminal, ColoursAreForTerminalsWhoseUserWantsThem) {
  int outer = -1, terminal = -1;
  ASSERT_EQ(openpty(&outer, &terminal, nullptr, nullptr, nullptr), 0);
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm-256color", 1);
  EXPECT_TRUE(shows_colour(terminal));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(shows_colour(terminal)) << "set but empty means nothing";
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(shows_colour(terminal));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(shows_colour(terminal));
  setenv("TERM", "xterm-256color", 1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(shows_colour(ends[1]));
  for (const int descriptor : {outer, terminal, ends[0], ends[1]}) close(descriptor);
}

suites::Progress progress() {
  suites::Progress p;
  p.device = "emulator:sm_100a";
  p.property = "tma.tiled.load";
  p.stage = "running";
  p.cases = 1234567;
  p.cases_per_second = 5123.4;
  p.seconds_left = 125;
  return p;
}

TEST(LiveLine, SaysPropertyCasesRateAndTimeLeft) {
  EXPECT_EQ(live_words(progress(), 100), "tma.tiled.load  1,234,567 cases  5,123/s  2m05s left");
}

TEST(LiveLine, PlannedFailuresAndStage) {
  suites::Progress p = progress();
  p.planned = 2000000;
  p.failures = 3;
  p.stage = "shrinking 1 of 3 failures";
  p.seconds_left = -1;
  EXPECT_EQ(live_words(p, 200),
            "tma.tiled.load  shrinking 1 of 3 failures  1,234,567 of 2,000,000 cases  5,123/s  3 FAILED");
}

TEST(LiveLine, NeverWiderThanTheTerminal) {
  EXPECT_EQ(live_words(progress(), 20).size(), 20u);
}

}  // namespace
}  // namespace assay::cli
