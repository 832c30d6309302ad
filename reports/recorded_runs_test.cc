// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <set>

#include "reports/compare/run_diff.h"
#include "reports/html/sections.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/sample_test.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"

/// The results files of docs/evidence, written on silicon by the commits that their pages name: this program
/// reads, shows, merges and compares them, and they hold what the pages say.
namespace assay::report {
namespace {

const std::string evidence = ASSAY_SOURCE_DIR "/docs/evidence/";

/// Each names a page and the results file of its section "Latest whole run".
const std::vector<std::string> boards{"h200", "h100"};

class RecordedRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("xz --version").code != 0) GTEST_SKIP() << "xz (package xz-utils) is not installed";
  }
  std::filesystem::path unpacked(const std::string& board) const {
    const std::filesystem::path into = scratch / (board + ".db").c_str(), text = statements(board);
    const Ended ended = shell("xz -dc '" + evidence + board + ".sql.xz' > '" + text.string() + "'");
    EXPECT_EQ(ended.code, 0) << ended.text;
    Database(into, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE).execute(read_whole_file(text).c_str());
    return into;
  }
  std::filesystem::path statements(const std::string& board) const {
    return scratch / (board + ".sql").c_str();
  }
  Scratch scratch;
};

uint64_t cases_of(const DeviceResult& device) {
  uint64_t cases = 0;
  for (const PropertyResult& property : device.properties) cases += property.cases();
  return cases;
}

/// Cells of coverage as the file's own view counts them.
size_t cells_in(const std::filesystem::path& file) {
  return static_cast<size_t>(Database(file, SQLITE_OPEN_READONLY).number("SELECT COUNT(*) FROM coverage"));
}

size_t cells_of(const DeviceResult& device) {
  size_t cells = 0;
  for (const PropertyResult& property : device.properties) cells += property.coverage.size();
  return cells;
}

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string count_of(const Results& results, Verdict verdict) {
  return std::to_string(results.property_counts[static_cast<size_t>(verdict)]);
}

class EachOfRecordedRuns : public RecordedRuns, public testing::WithParamInterface<std::string> {};

TEST_P(EachOfRecordedRuns, HoldsWhatItsPageSays) {
  const std::filesystem::path file = unpacked(GetParam());
  const Results results = read_results(file);
  ASSERT_EQ(results.devices.size(), 1u);
  const DeviceResult& device = results.devices[0];
  EXPECT_TRUE(device.is_silicon);
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_EQ(results.recorded_exit, 0);
  EXPECT_EQ(cells_of(device), cells_in(file));
  const std::string page = read_whole_file(evidence + GetParam() + ".md");
  const std::string digest = shell("sha256sum <'" + statements(GetParam()).string() + "'").text.substr(0, 64);
  std::vector<std::string> said{
      results.run.command_line,
      "| " + results.run.started_utc.substr(0, 10) + " |",
      device.info.uuid,
      results.run.commit,
      "| " + grouped(cases_of(device), ",") + " in ",
      count_of(results, Verdict::conforms) + " passed, " + count_of(results, Verdict::no_demand) +
          " not checked, " + count_of(results, Verdict::declined) + " skipped",
      digest,
  };
  for (const PropertyResult& property : device.properties)
    if (property.verdict == Verdict::conforms)
      said.push_back("| `" + property.info.name + "` | " + grouped(property.cases(), ",") + " | " +
                     grouped(property.totals.tile_bytes, ",") + " | " + property.totals.fingerprint + " |");
  for (const std::string& words : said) EXPECT_TRUE(contains(page, words)) << words;
  const auto driver =
      std::ranges::find(device.info.facts, "kernel-mode driver", [](const auto& fact) { return fact.first; });
  ASSERT_NE(driver, device.info.facts.end());
  const std::string row = "| [" + GetParam() + "](" + GetParam() + ".md) | " + device.info.name + " | " +
                          driver->second + " | " + results.run.commit + " | " +
                          grouped(cases_of(device), ",") + " | " + count_of(results, Verdict::conforms) +
                          ", " + count_of(results, Verdict::no_demand) + ", " +
                          count_of(results, Verdict::declined) + " | " + digest.substr(0, 8) + " |\n";
  EXPECT_TRUE(contains(read_whole_file(evidence + "README.md"), row)) << row;
}

TEST_P(EachOfRecordedRuns, HasAPageAndJunitOfToday) {
  const std::filesystem::path file = unpacked(GetParam());
  const std::string page = html_text(file);
  const Results results = read_results(file);
  for (const PropertyResult& property : results.devices.at(0).properties) {
    EXPECT_TRUE(contains(page, property.info.name));
    EXPECT_TRUE(contains(page, grouped(property.cases(), "\u202F"))) << property.info.name;
  }
  EXPECT_TRUE(contains(page, grouped(cases_of(results.devices[0]), "\u202F")));
  write_junit(file, scratch / "junit.xml");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((scratch / "junit.xml").c_str()));
  const pugi::xml_node suite = document.document_element().child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_ullong(), results.devices[0].properties.size());
  EXPECT_EQ(suite.attribute("failures").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("errors").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("skipped").as_string(), count_of(results, Verdict::declined));
}

INSTANTIATE_TEST_SUITE_P(, EachOfRecordedRuns, testing::ValuesIn(boards),
                         [](const auto& info) { return info.param; });

TEST_F(RecordedRuns, AreMerged) {
  std::vector<std::filesystem::path> files;
  uint64_t cases = 0;
  size_t cells = 0, merged_cells = 0;
  for (const std::string& board : boards) {
    files.push_back(unpacked(board));
    cases += cases_of(read_results(files.back()).devices.at(0));
    cells += cells_in(files.back());
  }
  merge_results(files, scratch / "merged.db");
  const Results results = read_results(scratch / "merged.db");
  EXPECT_EQ(results.runs.size(), boards.size());
  ASSERT_EQ(results.devices.size(), boards.size()) << "each run had a board of its own";
  for (const DeviceResult& device : results.devices) {
    cases -= cases_of(device);
    merged_cells += cells_of(device);
  }
  EXPECT_EQ(cases, 0u);
  EXPECT_EQ(merged_cells, cells);
  EXPECT_EQ(results.exit_code, 0);
}

TEST_F(RecordedRuns, AreCompared) {
  const std::filesystem::path one = unpacked(boards[0]), other = unpacked(boards[1]);
  const Results first = read_results(one), next = read_results(other);
  const std::string history = trend_of({one, other}).text;
  for (const Results* run : {&first, &next}) {
    EXPECT_TRUE(contains(history, run->run.started_utc)) << history;
    EXPECT_TRUE(contains(history, grouped(cases_of(run->devices.at(0)), ","))) << history;
  }
  std::set<std::string> properties;
  for (const Results* run : {&first, &next})
    for (const PropertyResult& property : run->devices.at(0).properties)
      properties.insert(property.info.name);
  const RunDiff diff = diff_of(first, next);
  ASSERT_EQ(diff.devices.size(), 1u) << "two boards, one of each run";
  EXPECT_EQ(diff.devices[0].alike + diff.devices[0].properties.size(), properties.size());
  EXPECT_TRUE(contains(diff_html(diff, {"first", "next"}), next.devices[0].info.name));
}

}  // namespace
}  // namespace assay::report
