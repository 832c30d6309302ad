// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <filesystem>
#include <fstream>

#include "reports/scratch_test.h"

namespace assay::cli {
namespace {

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

}  // namespace
}  // namespace assay::cli
