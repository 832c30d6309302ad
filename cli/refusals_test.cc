// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "cli/run_process_test.h"
#include "reports/scratch_test.h"
#include "reports/text.h"

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

/// The kinds of bad command lines that people and scripts give: every refusal says in a sentence what was
/// wrong, where, and what would be right, and where to read on. A row a kind.
TEST_F(Refusals, SayWhatWasWrongAndWhatWouldBeRight) {
  struct Row {
    const char* words;
    int code;
    const char* says;
  };
  const std::string huge(5000, '9');
  const std::string long_number = "run --cases " + huge;
  const Row rows[] = {
      // Nothing, too little, too much.
      {"run --seed", 64, "--seed needs a value"},
      {"run --cases ''", 64, "--cases: needs a value"},
      {"merge", 64, "missing argument files: "},
      {"trend", 64, "missing argument places: folders, or results.db files"},
      {"locate --row 1", 64, "missing option --col: "},
      {"explain encode_tiled", 64, "missing option --type: "},
      {"diff a b c", 64, "c"},
      // Words that are none of a list.
      {"explain encode_foo", 64, "'encode_foo' is not one of encode_tiled, encode_im2col"},
      {"run --junit-profile strickt", 64,
       "--junit-profile: 'strickt' is not one of strict, rich; did you mean 'strict'?"},
      {"run --flaky maybe", 64, "--flaky: 'maybe' is not one of fail, warn"},
      {"runn", 64, "did you mean 'run'?"},
      {"run --casess 4", 64, "did you mean '--cases'?"},
      // Numbers: negative, huge, fractions, no number at all, out of range.
      {"run --threads -1", 64, "--threads: -1 is not in the range 0 to 1024"},
      {"run --threads x", 64, "--threads: x is not in the range 0 to 1024"},
      {"run --junit-limit -1", 64, "--junit-limit: needs a whole number from 0"},
      {"run --cases 1.5", 64, "invalid number of cases '1.5'"},
      {"run --cases nan", 64, "invalid number of cases 'nan'"},
      {long_number.c_str(), 64, "invalid number of cases"},
      {"run --seed 18446744073709551616", 64, "expected a whole number from 0 to 2^64 - 1"},
      {"scalar-oracle --programs -1", 64, "--programs: expected a number of programs from 1 to 1e15"},
      {"scalar-oracle --programs 1e30", 64, "--programs: expected a number of programs"},
      // Times.
      {"run --budget -5s", 64, "--budget: invalid duration '-5s'"},
      {"run --deadline 25:99", 64, "--deadline"},
      // Values from a file name the file.
      {"run --defaults budget.toml", 64,
       "--budget: invalid duration 'soon' (for example: 60s, 10m or 2h) (from budget.toml)"},
      {"run --defaults threads.toml", 64, "--threads: -3 is not in the range 0 to 1024 (from threads.toml)"},
      // Places: absent, a folder for a file, a file for a folder, a pipe, a name in another script.
      {"verify nothing.html nothing.db", 2, "there is no results file nothing.db"},
      {"report empty", 2, "empty"},
      {"trend nothing", 2, "there is no folder or results file nothing"},
      {"diff text text", 2, "text is not a results file"},
      {"replay pipe --device emulator:sm_90a", 2, "pipe"},
      {"trend 夜/无", 2, "夜/无"},
      // Control characters do not reach the terminal.
      {"run 'tma\x1b[31m'", 64, "␛[31m"},
      // A number without what it is.
      {"describe 0x4000404000010080", 64, "--as smem shows the fields of a shared-memory descriptor"},
  };
  report::write_whole_file(root / "budget.toml", "budget = \"soon\"\n");
  report::write_whole_file(root / "threads.toml", "threads = -3\n");
  ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
  for (const Row& row : rows) {
    const Ended ended =
        report::shell("cd " + root.string() + " && timeout 20 " ASSAY_BINARY_DIR "/assay " + row.words);
    EXPECT_EQ(ended.code, row.code) << row.words << "\n" << ended.text;
    EXPECT_TRUE(says(ended, row.says)) << row.words << "\n" << ended.text;
    EXPECT_EQ(ended.text.find('\x1b'), std::string::npos) << row.words;
    EXPECT_EQ(says(ended, "\n       try: assay "), row.code == 64) << row.words << "\n" << ended.text;
  }
  EXPECT_TRUE(says(start("run --seed"), "try: assay run --help"));
  std::filesystem::remove(root / "pipe");
}

TEST_F(Refusals, WhereNothingCanRunHereTheSoftwareModelIsNamed) {
  const Ended ended =
      start("run wgmma.f16 --device emulator:sm_100a --cases 5 --out " + (root / "none").string());
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_TRUE(says(ended, "1 skipped. 1: requires compute capability 9.0 (device: 10.0)")) << ended.text;
  EXPECT_TRUE(says(ended, "--device emulator:sm_90a")) << ended.text;
  const Ended alone = start("");
  EXPECT_EQ(alone.code, 0);
  EXPECT_TRUE(says(alone, "Usage: assay")) << alone.text;
  const Ended reader = report::shell("python3 " ASSAY_SOURCE_DIR "/docs/read_results.py /nonexistent.db");
  EXPECT_EQ(reader.code, 1);
  EXPECT_FALSE(says(reader, "Traceback")) << reader.text;
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
