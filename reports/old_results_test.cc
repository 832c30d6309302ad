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

/// Results files that older programs wrote on silicon, and the pages that tell what was in them: this program
/// reads, shows, merges and compares them.
namespace assay::report::old_results_test {
namespace {

const std::string evidence = ASSAY_SOURCE_DIR "/docs/evidence/";

/// What the page says in words.
struct OldFile {
  std::string page, file;
  uint64_t cases;
  int conform, demand_nothing, declined;  ///< properties
  size_t rows;                            ///< of the page's tables that are about this file
  size_t cells;                           ///< of coverage, as sqlite3 counts those of the file's own view
  std::string path() const { return page + "/" + file + ".db.xz"; }
};
void PrintTo(const OldFile& old, std::ostream* out) {
  *out << old.path();
}

/// One of each shape that the tables have had.
const OldFile old_files[] = {
    // Names of dimensions in every row of coverage.
    {"h200-2026-11-23", "results", 84'419'549, 23, 1, 15, 24, 60'621},
    // In a table of their own, behind triggers.
    {"h200-2026-11-24", "results-all", 214'762'831, 48, 3, 15, 51, 68'336},
    // Kinds of failures have weights.
    {"h200-2026-11-24-maps", "results-maps", 219'409'243, 7, 0, 0, 7, 247},
    // Counts of coverage as one JSON array a property.
    {"h200-2026-11-24-maps", "results-columns", 8'935'626, 3, 0, 0, 3, 60},
    // With what others published, and deciding cases.
    {"h200-2026-11-24-uses", "results-conflicts", 17'272'344, 3, 0, 0, 3, 68},
    // The view of coverage runs through each list of counts once.
    {"h100-2026-11-26-lanes", "results-all", 61'728'123, 103, 3, 75, 0, 84'569},
    // And through each list of unreachable cells: the tables of today.
    {"h200-2026-11-27-reductions", "results-all", 17'561'563, 29, 0, 0, 0, 12'437},
};

class OldResults : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("xz --version").code != 0) GTEST_SKIP() << "xz (package xz-utils) is not installed";
  }
  std::filesystem::path unpacked(const OldFile& old, const char* name = "results.db") const {
    const std::filesystem::path into = scratch / name;
    const Ended ended = shell("xz -dc '" + evidence + old.path() + "' > '" + into.string() + "'");
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

const PropertyResult& property_of(const DeviceResult& device, std::string_view name) {
  for (const PropertyResult& property : device.properties)
    if (property.info.name == name) return property;
  throw std::runtime_error("the file has no " + std::string(name));
}

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string count_of(const Results& results, Verdict verdict) {
  return std::to_string(results.property_counts[static_cast<size_t>(verdict)]);
}

class EachOldFile : public OldResults, public testing::WithParamInterface<OldFile> {};

TEST_P(EachOldFile, HoldsWhatItsPageSays) {
  const OldFile& old = GetParam();
  const std::filesystem::path file = unpacked(old);
  const std::string page = read_whole_file(evidence + old.page + ".md");
  EXPECT_TRUE(contains(page, shell("sha256sum <'" + file.string() + "'").text.substr(0, 64)));
  EXPECT_TRUE(contains(page, grouped(old.cases, ",") + " ")) << "cases";
  const Results results = read_results(file);
  ASSERT_EQ(results.devices.size(), 1u);
  const DeviceResult& device = results.devices[0];
  EXPECT_TRUE(device.is_silicon);
  EXPECT_EQ(device.info.architecture, "sm_90");
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_EQ(results.recorded_exit, 0);
  EXPECT_EQ(cases_of(device), old.cases);
  EXPECT_EQ(count_of(results, Verdict::conforms), std::to_string(old.conform));
  EXPECT_EQ(count_of(results, Verdict::no_demand), std::to_string(old.demand_nothing));
  EXPECT_EQ(count_of(results, Verdict::declined), std::to_string(old.declined));
  size_t rows = 0, cells = 0;
  for (const PropertyResult& property : device.properties) {
    cells += property.coverage.size();
    rows += contains(page, "| `" + property.info.name + "` | " + grouped(property.cases(), ",") + " | " +
                               grouped(property.totals.tile_bytes, ",") + " | " +
                               property.totals.fingerprint + " |");
  }
  EXPECT_EQ(rows, old.rows) << "rows of the page that are as in the file";
  EXPECT_EQ(cells, old.cells);
}

TEST_P(EachOldFile, HasAPageAndJunitOfToday) {
  const OldFile& old = GetParam();
  const std::filesystem::path file = unpacked(old);
  const std::string page = html_text(file);
  const Results results = read_results(file);
  for (const PropertyResult& property : results.devices.at(0).properties) {
    EXPECT_TRUE(contains(page, property.info.name));
    EXPECT_TRUE(contains(page, grouped(property.cases(), "\u202F"))) << property.info.name;
    EXPECT_TRUE(contains(page, property.totals.fingerprint)) << property.info.name;
  }
  EXPECT_TRUE(contains(page, grouped(old.cases, "\u202F")));
  write_junit(file, scratch / "junit.xml");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file((scratch / "junit.xml").c_str()));
  const pugi::xml_node suite = document.document_element().child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), old.conform + old.demand_nothing + old.declined);
  EXPECT_EQ(suite.attribute("failures").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("errors").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), old.declined);
}

TEST_P(EachOldFile, CanBeMergedWithTheFirst) {
  const OldFile& first = old_files[0];
  const std::filesystem::path one = unpacked(GetParam()), other = unpacked(first, "first.db");
  merge_results({one, other}, scratch / "merged.db");
  const Results results = read_results(scratch / "merged.db");
  const bool is_itself = GetParam().path() == first.path();
  EXPECT_EQ(results.runs.size(), is_itself ? 1u : 2u);
  ASSERT_EQ(results.devices.size(), results.runs.size()) << "each run had a board of its own";
  uint64_t cases = 0;
  size_t cells = 0;
  for (const DeviceResult& device : results.devices) {
    cases += cases_of(device);
    for (const PropertyResult& property : device.properties) cells += property.coverage.size();
  }
  EXPECT_EQ(cases, first.cases + (is_itself ? 0 : GetParam().cases));
  EXPECT_EQ(cells, first.cells + (is_itself ? 0 : GetParam().cells));
  EXPECT_EQ(results.exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(, EachOldFile, testing::ValuesIn(old_files), [](const auto& info) {
  std::string name = info.param.page + "_" + info.param.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_F(OldResults, OfTheFirstPage) {
  const Results results = read_results(unpacked(old_files[0]));
  const DeviceResult& device = results.devices.at(0);
  EXPECT_EQ(results.run.seed, 20261124u);
  EXPECT_EQ(results.run.commit, "17f107bf6e73");
  EXPECT_EQ(device.info.name, "NVIDIA H200");
  EXPECT_EQ(device.info.uuid, "GPU-0fa3f455-9162-131f-7f54-6e038ab72e6d");
  EXPECT_EQ(cases_of(device), 84'419'549u);
  EXPECT_EQ(count_of(results, Verdict::conforms), "23");
  const PropertyResult& load = property_of(device, "tma.tiled.load");
  EXPECT_EQ(load.verdict, Verdict::conforms);
  EXPECT_EQ(load.cases(), 21'325'476u);
  EXPECT_EQ(load.totals.tile_bytes, 125'996'117'248u);
  EXPECT_EQ(load.totals.fingerprint, "b839d88e4b6f5b7d");
  EXPECT_EQ(property_of(device, "tma.tiled.load.faults").cases(), 16u);
  EXPECT_EQ(property_of(device, "driver.tensor_map.encode_tiled.crash").verdict, Verdict::no_demand);
  EXPECT_EQ(property_of(device, "tmem.ld").verdict, Verdict::declined);
  EXPECT_EQ(std::count_if(device.readings.begin(), device.readings.end(),
                          [](const ReadingRow& row) { return row.status == reading_confirmed; }),
            26);
  EXPECT_EQ(device.readings.size(), 26u + 37u) << "with those that no case told apart";
}

TEST_F(OldResults, OfTwoNightsAreTold) {
  const std::filesystem::path first = unpacked(old_files[0], "first.db"),
                              next = unpacked(old_files[1], "next.db");
  const std::string history = trend_of({next, first}).text;
  const size_t before = history.find("2026-11-23T14:07:30"), after = history.find("2026-11-24T03:51:30");
  ASSERT_NE(after, std::string::npos) << history;
  EXPECT_LT(before, after) << history;
  EXPECT_TRUE(contains(history, "84,419,549     8          830k/s")) << history;
  EXPECT_TRUE(contains(history, "214,762,831    12         865k/s")) << history;

  const RunDiff diff = diff_of(read_results(first), read_results(next));
  ASSERT_EQ(diff.devices.size(), 1u) << "two boards, one of each run";
  EXPECT_EQ(diff.devices[0].properties.size(), 27u);
  EXPECT_EQ(diff.devices[0].alike, 39u) << "all that the first run had";
  const std::string text = words(diff, {"first", "next"});
  EXPECT_TRUE(contains(text, "tma.im2col.load: not in this run -> conforms (7,129,228 cases)")) << text;
  EXPECT_TRUE(contains(diff_html(diff, {"first", "next"}), "tma.im2col.load"));
}

}  // namespace
}  // namespace assay::report::old_results_test
