#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>

#include "reports/html/page.h"
#include "reports/merge.h"
#include "reports/results.h"
#include "reports/run_diff.h"
#include "reports/sample_test.h"
#include "reports/shell_test.h"
#include "reports/text.h"
#include "reports/trend.h"
#include "reports/whole_file.h"

/// The results files of docs/evidence, written on silicon by the commits that their pages name: this program
/// reads, shows, merges and compares them, and they hold what the pages say.
namespace assay::report::recorded_runs_test {
namespace {

const std::string evidence = ASSAY_SOURCE_DIR "/docs/evidence/";

/// What the section "Latest whole run" of the board's page says.
struct RecordedRun {
  std::string board;  ///< names page and file
  uint64_t cases;
  int conform, demand_nothing, declined;  ///< properties
  size_t cells;                           ///< of coverage, as sqlite3 counts those of the file's own view
};
void PrintTo(const RecordedRun& run, std::ostream* out) {
  *out << run.board;
}

const RecordedRun recorded_runs[] = {
    {"h200", 153'381'318, 107, 3, 77, 84'883},
    {"h100", 118'217'696, 107, 3, 77, 84'895},
};

class RecordedRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("xz --version").code != 0) GTEST_SKIP() << "xz (package xz-utils) is not installed";
  }
  std::filesystem::path unpacked(const RecordedRun& run, const char* name = "results.db") const {
    const std::filesystem::path into = scratch / name;
    const Ended ended = shell("xz -dc '" + evidence + run.board + ".db.xz' > '" + into.string() + "'");
    EXPECT_EQ(ended.code, 0) << ended.text;
    return into;
  }
  Scratch scratch;
};

uint64_t cases_of(const DeviceResult& device) {
  uint64_t cases = 0;
  for (const PropertyResult& property : device.properties) cases += property.cases();
  return cases;
}

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string count_of(const Results& results, Verdict verdict) {
  return std::to_string(results.property_counts[static_cast<size_t>(verdict)]);
}

class EachOfRecordedRuns : public RecordedRuns, public testing::WithParamInterface<RecordedRun> {};

TEST_P(EachOfRecordedRuns, HoldsWhatItsPageSays) {
  const RecordedRun& run = GetParam();
  const std::filesystem::path file = unpacked(run);
  const std::string page = read_whole_file(evidence + run.board + ".md");
  EXPECT_TRUE(contains(page, shell("sha256sum <'" + file.string() + "'").text.substr(0, 64)));
  EXPECT_TRUE(contains(page, grouped(run.cases, ",") + " ")) << "cases";
  const Results results = read_results(file);
  ASSERT_EQ(results.devices.size(), 1u);
  const DeviceResult& device = results.devices[0];
  EXPECT_TRUE(device.is_silicon);
  EXPECT_EQ(device.info.architecture, "sm_90");
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_EQ(results.recorded_exit, 0);
  EXPECT_EQ(cases_of(device), run.cases);
  EXPECT_EQ(count_of(results, Verdict::conforms), std::to_string(run.conform));
  EXPECT_EQ(count_of(results, Verdict::no_demand), std::to_string(run.demand_nothing));
  EXPECT_EQ(count_of(results, Verdict::declined), std::to_string(run.declined));
  size_t rows = 0, cells = 0;
  for (const PropertyResult& property : device.properties) {
    cells += property.coverage.size();
    rows += contains(page, "| `" + property.info.name + "` | " + grouped(property.cases(), ",") + " | " +
                               grouped(property.totals.tile_bytes, ",") + " | " +
                               property.totals.fingerprint + " |");
  }
  EXPECT_EQ(rows, static_cast<size_t>(run.conform)) << "a row of the page for each property that conforms";
  EXPECT_EQ(cells, run.cells);
}

TEST_P(EachOfRecordedRuns, HasAPageAndJunitOfToday) {
  const RecordedRun& run = GetParam();
  const std::filesystem::path file = unpacked(run);
  const std::string page = html_text(file);
  const Results results = read_results(file);
  for (const PropertyResult& property : results.devices.at(0).properties) {
    EXPECT_TRUE(contains(page, property.info.name));
    EXPECT_TRUE(contains(page, grouped(property.cases(), "\u202F"))) << property.info.name;
    EXPECT_TRUE(contains(page, property.totals.fingerprint)) << property.info.name;
  }
  EXPECT_TRUE(contains(page, grouped(run.cases, "\u202F")));
  write_junit(file, scratch / "junit.xml");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((scratch / "junit.xml").c_str()));
  const pugi::xml_node suite = document.document_element().child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), run.conform + run.demand_nothing + run.declined);
  EXPECT_EQ(suite.attribute("failures").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("errors").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), run.declined);
}

INSTANTIATE_TEST_SUITE_P(, EachOfRecordedRuns, testing::ValuesIn(recorded_runs),
                         [](const auto& info) { return info.param.board; });

TEST_F(RecordedRuns, AreMerged) {
  const RecordedRun &one = recorded_runs[0], &other = recorded_runs[1];
  merge_results({unpacked(one, "one.db"), unpacked(other, "other.db")}, scratch / "merged.db");
  const Results results = read_results(scratch / "merged.db");
  EXPECT_EQ(results.runs.size(), 2u);
  ASSERT_EQ(results.devices.size(), 2u) << "each run had a board of its own";
  uint64_t cases = 0;
  size_t cells = 0;
  for (const DeviceResult& device : results.devices) {
    cases += cases_of(device);
    for (const PropertyResult& property : device.properties) cells += property.coverage.size();
  }
  EXPECT_EQ(cases, one.cases + other.cases);
  EXPECT_EQ(cells, one.cells + other.cells);
  EXPECT_EQ(results.exit_code, 0);
}

TEST_F(RecordedRuns, AreCompared) {
  const std::filesystem::path first = unpacked(recorded_runs[0], "first.db"),
                              next = unpacked(recorded_runs[1], "next.db");
  const std::string history = trend_of({next, first}).text;
  const size_t before = history.find("2026-11-27T17:50:14"), after = history.find("2026-11-28T05:12:13");
  ASSERT_NE(after, std::string::npos) << history;
  EXPECT_LT(before, after) << history;
  EXPECT_TRUE(contains(history, grouped(recorded_runs[0].cases, ","))) << history;
  EXPECT_TRUE(contains(history, grouped(recorded_runs[1].cases, ","))) << history;
  const RunDiff diff = diff_of(read_results(first), read_results(next));
  ASSERT_EQ(diff.devices.size(), 1u) << "two boards, one of each run";
  EXPECT_EQ(diff.devices[0].properties.size(), 0u) << words(diff, {"first", "next"});
  EXPECT_EQ(diff.devices[0].alike, 187u);
  EXPECT_TRUE(contains(diff_html(diff, {"first", "next"}), "NVIDIA H100"));
}

}  // namespace
}  // namespace assay::report::recorded_runs_test
