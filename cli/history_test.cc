// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cli/run_process_test.h"
#include "reports/compare/nights.h"
#include "reports/compare/run_diff.h"
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

/// What docs/machine_readable.md promises to programs.
namespace assay::cli {
namespace {

using report::Ended;
using report::shell;

const std::string machine_readable_program = ASSAY_BINARY_DIR "/assay ";

/// The run that all tests here read.
const std::string& machine_readable_folder() {
  static const std::string made = [] {
    const std::string out = report::scratch_path("machine_readable").string();
    shell(machine_readable_program +
          "run tma.tiled.load --device emulator:sm_90a,fault=swizzle_64b_bit_dropped --cases 300 --seed 3 "
          "--out " +
          out + " 2>/dev/null");
    return out;
  }();
  return made;
}

nlohmann::json json_of(const std::string& words, int code) {
  const Ended ended = shell(machine_readable_program + words + " --json 2>/dev/null");
  EXPECT_EQ(ended.code, code) << words << "\n" << ended.text;
  EXPECT_EQ(std::count(ended.text.begin(), ended.text.end(), '\n'), 1) << words << "\n" << ended.text;
  return nlohmann::json::parse(ended.text, nullptr, false);
}

std::string documentation() {
  std::ifstream file(ASSAY_SOURCE_DIR "/docs/machine_readable.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MachineReadable, EachCommandPrintsOneDocumentWhoseMembersAreDocumented) {
  const std::string db = machine_readable_folder() + "/results.db", text = documentation();
  const std::string map(256, '0'), other_map = "01" + map.substr(2);
  const struct {
    std::string words;
    int code;
    const char *format, *list;
  } commands[] = {
      {"report " + db, 1, "assay-results/1", "devices"},
      {"merge " + db + " -o " + machine_readable_folder() + "/merged.db", 1, "assay-results/1", "devices"},
      {"run tma.tiled.store --device emulator:sm_90a --cases 3 --out " + machine_readable_folder() + "/more",
       0, "assay-results/1", "devices"},
      {"list 'tma.*'", 0, "assay-list/1", "properties"},
      {"replay tma.tiled.load@1#1 --device emulator:sm_90a", 0, "assay-replay/1", "devices"},
      {"trend " + db, 0, "assay-trend/1", "nights"},
      {"diff " + db + " " + db, 0, "assay-diff/1", "devices"},
      {"verify " + machine_readable_folder() + "/report.html " + db, 0, "assay-verify/1", nullptr},
      {"check-vectors " ASSAY_VECTORS "/vectors_mbarrier.csv", 0, "assay-vectors/1", "files"},
      {"doctor", 0, "assay-doctor/1", "items"},
      {"diff-maps " + map + " " + other_map, 1, "assay-map-diff/1", "fields"},
      {"explain encode_tiled --type u8 --dims 16 --box 7", 1, "assay-explain/1", "rules"},
      {"explain encode_tiled --type u8 --dims 16 --box 16", 0, "assay-explain/1", nullptr},
      {"locate --row 3 --col 17 --swizzle 128B", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout smem --swizzle 128B --sbo 1024", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout d", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout a", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --scales a", 0, "assay-locate/1", "places"}};
  for (const auto& command : commands) {
    const nlohmann::json document = json_of(command.words, command.code);
    ASSERT_TRUE(document.is_object()) << command.words;
    EXPECT_EQ(document.value("format", ""), command.format);
    EXPECT_NE(text.find("`" + std::string(command.format) + "`"), std::string::npos) << command.format;
    for (const auto& [member, value] : document.items())
      EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << command.words << ": " << member;
    if (command.list == nullptr) continue;
    ASSERT_FALSE(document.at(command.list).empty()) << command.words;
    for (const auto& [member, value] : document.at(command.list).at(0).items())
      EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << command.words << ": " << member;
  }
}

TEST(MachineReadable, AFailureCarriesWhatItTakesToRunItAgain) {
  const nlohmann::json document = json_of("report " + machine_readable_folder() + "/results.db", 1);
  EXPECT_EQ(document.at("verdict"), "violates");
  EXPECT_EQ(document.at("exit_code"), 1);
  const nlohmann::json property = document.at("devices").at(0).at("properties").at(0);
  EXPECT_EQ(property.at("cases"), 300);
  const nlohmann::json failure = property.at("failures").at(0);
  EXPECT_GT(failure.at("cases"), 1);
  EXPECT_TRUE(failure.at("case").is_object());
  EXPECT_NE(failure.at("replay").get<std::string>().find("assay replay"), std::string::npos);
}

TEST(MachineReadable, RulesQuestionsAndPropertiesAreDescribed) {
  EXPECT_EQ(json_of("describe TILE-R09", 0).at("kind"), "rule");
  const nlohmann::json question = json_of("describe TMA-AMB-04", 0);
  EXPECT_EQ(question.at("kind"), "question");
  EXPECT_GE(question.at("readings").size(), 2u);
  EXPECT_EQ(json_of("describe tmem.ld", 0).at("kind"), "property");
  EXPECT_TRUE(json_of("describe 0x4000404000010080 --as smem", 0).is_object());
  const std::string text = documentation();
  for (const char* arch : {"sm_90", "sm_100"}) {
    const nlohmann::json map =
        json_of("describe --as tensor_map '1000 0 6510 10 0 0 0 0 7f 3f 0 0 0 3f000000 7 0' --arch " +
                    std::string(arch),
                0);
    for (const nlohmann::json& copy : map.at("copies"))
      for (const auto& [member, value] : copy.items())
        EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << member;
  }
}

TEST(MachineReadable, EveryTableAndColumnOfTheResultsIsDocumented) {
  const std::string text = documentation();
  report::Database db(machine_readable_folder() + "/results.db", SQLITE_OPEN_READONLY);
  EXPECT_NE(text.find("`PRAGMA user_version` is " + std::to_string(db.number("PRAGMA user_version")) + ":"),
            std::string::npos);
  report::Statement columns(db,
                            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                            "WHERE t.type='table'");
  int known = 0;
  for (; columns.step(); ++known)
    for (int i = 0; i < 2; ++i)
      EXPECT_NE(text.find("`" + columns.text(i) + "`"), std::string::npos)
          << columns.text(0) << "." << columns.text(1);
  EXPECT_GT(known, 100);
}

TEST(MachineReadable, ThePythonReaderReadsIt) {
  const Ended ended =
      shell("python3 " ASSAY_SOURCE_DIR "/docs/read_results.py " + machine_readable_folder() + "/results.db");
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_NE(ended.text.find("tma.tiled.load: "), std::string::npos) << ended.text;
  EXPECT_NE(ended.text.find(" violates"), std::string::npos) << ended.text;
  EXPECT_NE(ended.text.find("assay replay"), std::string::npos) << ended.text;
  EXPECT_EQ(
      shell("python3 " ASSAY_SOURCE_DIR "/docs/read_results.py " ASSAY_SOURCE_DIR "/README.md 2>&1").code, 1);
}

}  // namespace
}  // namespace assay::cli
