// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <thread>

#include "cli/run_process_test.h"
#include "reports/compare/history.h"
#include "reports/compare/nights.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"

/// Nights in a folder, and what the report of the last of them says of the others.
namespace assay::cli {
namespace {

using report::Ended;

/// Without the terminal's line breaks.
std::string unbroken(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Nights are told apart by the second of their start.
void wait_for_the_next_second() {
  for (const std::time_t now = std::time(nullptr); std::time(nullptr) == now;)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

class HistoryOfRuns : public testing::Test {
 protected:
  /// A night of `cases` cases in a folder of its own, on a device that is wrong in one way.
  Ended night(const std::string& name, const std::string& what, const std::string& more = "") {
    wait_for_the_next_second();
    return start("run " + what +
                 " --device emulator:sm_90a,fault=swizzle_128b_bit_dropped --seed 3 --threads 1 --out " +
                 (nights / name).string() + " " + more);
  }
  std::string database(const std::string& name) const { return (nights / name / "results.db").string(); }
  std::string history() const { return "--history " + nights.string(); }

  const std::filesystem::path nights = report::scratch_path("nights");
};

TEST_F(HistoryOfRuns, TheReportSaysWhatIsNewGoneAndOfOtherBits) {
  ASSERT_EQ(night("1", "tma.tiled.load --cases 2").code, 0) << "too few cases to meet the defect";
  const Ended second = night("2", "tma.tiled.load tma.tiled.store --cases 200", history());
  EXPECT_EQ(second.code, 1);
  EXPECT_NE(second.text.find("history: since the night of "), std::string::npos) << second.text;
  const report::Results broken = report::read_results(database("2"));
  ASSERT_EQ(broken.history.size(), 2u);
  ASSERT_TRUE(broken.history[1].since);
  EXPECT_FALSE(broken.history[1].since->fresh.empty());
  EXPECT_TRUE(broken.history[1].since->gone.empty());

  // As if tonight's driver gave other bits than the first night's.
  ASSERT_EQ(night("3", "tma.tiled.load --cases 2").code, 0);
  report::Database(database("3"), SQLITE_OPEN_READWRITE).execute("UPDATE totals SET fingerprint='0'");
  const Ended last = night("4", "tma.tiled.load --cases 2", history());
  EXPECT_EQ(last.code, 0) << last.text;
  EXPECT_NE(unbroken(last.text).find(
                "1 property still passes but with changed output, such as tma.tiled.load, all 2 cases"),
            std::string::npos)
      << last.text;
  const report::Results results = report::read_results(database("4"));
  ASSERT_EQ(results.history.size(), 4u);
  // Two cases say little of what failed in some of 200, and nothing of the store, which did not run.
  std::vector<std::string> loads = broken.history[1].since->fresh;
  std::erase_if(loads, [](const std::string& way) { return !way.starts_with("tma.tiled.load|"); });
  EXPECT_FALSE(loads.empty());
  EXPECT_TRUE(results.history[2].since->gone.empty());
  ASSERT_EQ(results.history[2].since->unseen.size(), loads.size());
  for (size_t i = 0; i < loads.size(); ++i)
    EXPECT_TRUE(results.history[2].since->unseen[i].starts_with(loads[i] + ": not seen in 2 cases, "))
        << results.history[2].since->unseen[i];
  EXPECT_EQ(results.history[3].since->other_bits.size(), 1u);

  const std::string page = report::read_whole_file(nights / "4" / "report.html");
  EXPECT_NE(page.find("since the night of "), std::string::npos);
  EXPECT_NE(page.find("this run"), std::string::npos);
  EXPECT_NE(report::read_whole_file(nights / "4" / "summary.md").find("- history: since the night of "),
            std::string::npos);
  const Ended verify = start("verify " + (nights / "4" / "report.html").string() + " " + database("4"));
  EXPECT_EQ(verify.code, 0) << verify.text;
  const Ended trend = start("trend " + nights.string());
  EXPECT_NE(trend.text.find("output changed: tma.tiled.load, all 2 cases"), std::string::npos) << trend.text;
}

TEST_F(HistoryOfRuns, AReportAndAMergeCanBeGivenItLater) {
  ASSERT_EQ(night("1", "tma.tiled.load --cases 2").code, 0);
  ASSERT_EQ(night("2", "tma.tiled.load --cases 1").code, 0);
  EXPECT_TRUE(report::read_results(database("2")).history.empty());
  const Ended again = start("report " + database("2") + " " + history());
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("history: since the night of "), std::string::npos) << again.text;
  EXPECT_EQ(report::read_results(database("2")).history.size(), 2u);
  const std::string page = (nights / "2" / "results.html").string();
  EXPECT_EQ(start("verify " + page + " " + database("2")).code, 0);
  const std::string merged = (nights / "merged.db").string();
  const Ended merge = start("merge " + database("2") + " -o " + merged + " " + history());
  EXPECT_EQ(merge.code, 0) << merge.text;
  EXPECT_EQ(report::read_results(merged).history.size(), 2u);
}

TEST_F(HistoryOfRuns, WhatCannotBeReadIsNamedAndFailsNoRun) {
  std::filesystem::create_directories(nights / "0");
  std::ofstream(nights / "0" / "results.db") << "no database";
  const Ended run = night("1", "tma.tiled.load --cases 2", history());
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_NE(run.text.find("history: 1 file of earlier nights could not be read"), std::string::npos)
      << run.text;
  const std::string bad = (nights / "0" / "results.db").string();
  EXPECT_NE(report::read_whole_file(nights / "1" / "report.html").find(bad + " is not a results file"),
            std::string::npos);
  const Ended again = start("report " + database("1") + " " + history());
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("left out of the history: " + bad), std::string::npos) << again.text;
  // What was named itself has to be a results file, before anything is run.
  const Ended refused = night("2", "tma.tiled.load --cases 2", "--history " + bad);
  EXPECT_EQ(refused.code, 2) << refused.text;
  EXPECT_NE(refused.text.find(bad), std::string::npos) << refused.text;
  EXPECT_FALSE(std::filesystem::exists(nights / "2"));
}

TEST_F(HistoryOfRuns, OfTheFirstNightIsANote) {
  const std::string none = (nights / "none").string(), last = (nights / "last.db").string();
  const Ended run = night("1", "tma.tiled.load --cases 2", "--history " + none + " --baseline " + last);
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_NE(run.text.find("history: " + none + " does not exist yet"), std::string::npos) << run.text;
  EXPECT_NE(run.text.find(last + " does not exist yet; all failures reported as new"), std::string::npos)
      << run.text;
  const Ended again = start("report " + database("1") + " --history " + none);
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("no history: " + none + " does not exist yet"), std::string::npos) << again.text;
}

TEST_F(HistoryOfRuns, AResumedRunKeepsIt) {
  ASSERT_EQ(night("1", "tma.tiled.load --cases 2").code, 0);
  ASSERT_EQ(night("2", "tma.tiled.load --cases 2", history()).code, 0);
  // As a kill leaves it: nothing counted, nothing finished.
  report::Database(database("2"), SQLITE_OPEN_READWRITE)
      .execute(
          "UPDATE run SET finished_utc=NULL, exit_code=NULL; DELETE FROM totals; DELETE FROM verdict_counts");
  const Ended resumed = start("run --resume " + (nights / "2").string());
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_NE(resumed.text.find("history: since the night of "), std::string::npos) << resumed.text;
  EXPECT_EQ(report::read_results(database("2")).history.size(), 2u);
}

}  // namespace
}  // namespace assay::cli
