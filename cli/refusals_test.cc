// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "cli/run_process_test.h"
#include "reports/scratch_test.h"
#include "reports/whole_file.h"

/// Whatever a run is refused for, the results that were in its folder are as they were.
namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using report::Ended;
using report::says;

/// Every file and folder below a folder with its bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    files[fs::relative(entry.path(), folder).string()] =
        entry.is_directory() ? "(a folder)" : report::read_whole_file(entry.path());
  return files;
}

class Refusals : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    root = report::scratch_path("refusals");
    fs::create_directories(root);
    const Ended run =
        start("run tma.tiled.load --device emulator:sm_90a,fault=tx_16_long --cases 20 --shrink 1s --out " +
              (root / "out").string());
    ASSERT_EQ(run.code, 1) << run.text;
    report::write_whole_file(root / "text", "garbage\n");
    report::write_whole_file(root / "file", "");
    report::write_whole_file(root / "waivers.toml", "[[waiver]]\nid = 3\n");
    report::write_whole_file(root / "case.json", "{}");
    fs::create_directories(root / "empty");
  }
  /// The program refuses, with this code and these words, and the folder of results has not changed.
  static void expect_refused(const std::string& arguments, int code, const std::string& words) {
    const auto before = contents(root);
    const Ended ended =
        report::shell("cd " + root.string() + " && " ASSAY_BINARY_DIR "/assay run " + arguments);
    EXPECT_EQ(ended.code, code) << arguments << "\n" << ended.text;
    EXPECT_TRUE(says(ended, words)) << arguments << "\n" << ended.text;
    EXPECT_TRUE(contents(root) == before) << arguments << " changed what was there";
  }
  static fs::path root;
};
fs::path Refusals::root;

TEST_F(Refusals, LeaveTheResultsAsTheyAre) {
  struct Row {
    const char* arguments;
    int code;
    const char* words;
  };
  const Row rows[] = {
      {"--deadline 2020-01-01T00:00", 2, "the deadline has already passed"},
      {"--deadline soon", 64, "--deadline"},
      {"--budget 0x", 64, "--budget"},
      {"--cases 0", 64, "--cases"},
      {"--seed -1", 64, "--seed"},
      {"--shard 3/2", 64, "there is no shard 3 of 2"},
      {"--shrink never", 64, "--shrink"},
      {"--expect nothing.toml", 2, "nothing.toml"},
      {"--expect waivers.toml", 2, "waivers.toml, line 2"},
      {"--baseline text", 2, "text is not a results file"},
      {"--baseline empty", 2, "empty"},
      {"--history text", 2, "text is not a results file"},
      {"--corpus text", 2, "text is not a case file"},
      {"--corpus case.json", 2, "case.json"},
      {"--corpus empty", 2, "holds no case files"},
      {"--corpus nothing.json", 2, "nothing.json"},
      {"--defaults nothing.toml", 64, "nothing.toml"},
      {"--device cuda:77", 2, "cuda:77"},
      {"--device nosuch", 64, "nosuch"},
      {"--device emulator:sm_80a", 64, "sm_80a"},
      {"--device emulator:sm_90a,fault=nosuch", 64, "nosuch"},
      {"--junit-profile nosuch", 64, "--junit-profile"},
      {"--exclude 'tma.*'", 64, "no property is left to run"},
      {"--nosuch", 64, "--nosuch"},
      {"nosuch.property", 64, "nosuch.property"},
  };
  for (const Row& row : rows) {
    const std::string device =
        std::string_view(row.arguments).starts_with("--device") ? "" : "--device emulator:sm_90a ";
    const std::string cases = std::string_view(row.arguments).starts_with("--cases") ? "" : "--cases 5 ";
    expect_refused("tma.tiled.load --out out " + device + cases + row.arguments, row.code, row.words);
  }
}

TEST_F(Refusals, OfTheFolderComeBeforeAnythingToo) {
  const std::string run = "tma.tiled.load --device emulator:sm_90a --cases 5 --out ";
  expect_refused(run + "text", 2, "text is not a folder");
  expect_refused(run + "text/below", 2, "text is not a folder");
  expect_refused(run + "/proc/assay", 2, "/proc");
  expect_refused(run + "empty --last-failed", 2, "there is no earlier run in empty");
  expect_refused("--resume empty", 2, "there is no run to resume in empty");
  // A results.db, a report and a folder of cases that are none of assay's.
  for (const char* name : {"results.db", "junit.xml", "report.html", "summary.md", "cases"}) {
    fs::create_directories(root / "others");
    report::write_whole_file(root / "others" / name, "mine");
    expect_refused(run + "others", 2, name);
    fs::remove_all(root / "others");
  }
  // In a folder of results, of a run and of one that is gone on with; --force alone replaces them.
  for (const char* name : {"junit.xml", "report.html", "summary.md"}) {
    const std::string own = report::read_whole_file(root / "out" / name);
    report::write_whole_file(root / "out" / name, "mine");
    expect_refused(run + "out", 2, std::string(name) + " was not written by assay");
    expect_refused("--resume out", 2, std::string(name) + " was not written by assay");
    report::write_whole_file(root / "out" / name, own);
  }
  report::write_whole_file(root / "out" / "summary.md", "mine");
  const Ended forced =
      start("run tma.tiled.load --device emulator:sm_90a --cases 5 --force --out " + (root / "out").string());
  EXPECT_EQ(forced.code, 0) << forced.text;
  EXPECT_NE(report::read_whole_file(root / "out" / "summary.md"), "mine");
}

TEST_F(Refusals, OfAMergeToo) {
  const std::string out = (root / "merged").string(), from = (root / "out" / "results.db").string();
  fs::create_directories(out);
  report::write_whole_file(out + "/night.html", "mine");
  const Ended refused = start("merge " + from + " -o " + out + "/night.db");
  EXPECT_EQ(refused.code, 2) << refused.text;
  EXPECT_TRUE(says(refused, "night.html was not written by assay")) << refused.text;
  EXPECT_FALSE(fs::exists(out + "/night.db"));
  EXPECT_EQ(report::read_whole_file(out + "/night.html"), "mine");
  const Ended forced = start("merge --force " + from + " -o " + out + "/night.db");
  EXPECT_LE(forced.code, 1) << forced.text;
  EXPECT_NE(report::read_whole_file(out + "/night.html"), "mine");
}

}  // namespace
}  // namespace assay::cli
