// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <gtest/gtest.h>

#include "reports/results.h"
#include "reports/sample_test.h"

namespace assay::report {
namespace {

/// All rows of all tables, with the ids of rows replaced by what they name: what a merged file means.
std::string meaning(const std::filesystem::path& file) {
  Database db = open_results(file);
  std::string text;
  Statement tables(
      db, "SELECT name,sql LIKE '%WITHOUT ROWID' FROM sqlite_schema WHERE type='table' ORDER BY name");
  while (tables.step()) {
    const std::string order = tables.integer(1) != 0 ? "property, ordinal" : "rowid";
    Statement rows(db, "SELECT * FROM \"" + tables.text(0) + "\" ORDER BY " + order);
    while (rows.step()) {
      text += tables.text(0);
      // Ids are positions: files with the same parts in the same order have the same ones.
      Statement info(db, "SELECT COUNT(*) FROM pragma_table_info('" + tables.text(0) + "')");
      info.step();
      for (int column = 0; column < info.integer(0); ++column) text += "|" + rows.text(column);
      text += "\n";
    }
  }
  return text;
}

/// A shard: `conforming` cases, `failing` of kind `signature`.
void write_part(const std::filesystem::path& file, int shard, int shards, uint64_t conforming,
                uint64_t failing, const std::string& host, int generation = 0) {
  RunInfo run = sample_run();
  run.run_id = "run-" + std::to_string(shard);
  run.host = host, run.shard = shard, run.shards = shards, run.generation = generation;
  const auto recorder = Recorder::create(file, run);
  recorder->add_device({"emulator:sm_90a", "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan("emulator:sm_90a", {"tma.tiled.load", "claim", {"TILE-R01"}}, conforming + failing);
  PropertyState state;
  state.totals.planned = state.totals.issued = conforming + failing;
  state.totals.counts = {{Verdict::conforms, conforming}};
  if (failing != 0) state.totals.counts.emplace_back(Verdict::violates, failing);
  state.totals.fingerprint = "00000000000000f" + std::to_string(shard);
  state.totals.complete = true;
  state.rules = {{"TILE-R01", "w", "c", conforming + failing, failing, ""},
                 {"TILE-R02", "w", "c", failing + 1, failing, ""}};
  state.coverage = {{"d", "c", conforming, true}};
  state.ranges = {{0, 4096, conforming, 5}};
  state.places = {{3, conforming + failing, failing}};
  if (failing != 0) {
    FailureKindRow kind;
    kind.signature = "tma.tiled.load|done|done|tile";
    kind.count = failing, kind.indexes = {static_cast<uint64_t>(shard)},
    kind.rules = {"TILE-R01", "TILE-R02"};
    kind.blame = {true, {{"TILE-R02", "there were no upper bound"}}};
    state.kinds = {kind};
    CaseRow row;
    row.property = "tma.tiled.load", row.device = "emulator:sm_90a", row.index = static_cast<uint64_t>(shard);
    row.signature = kind.signature, row.case_id = "id" + std::to_string(shard), row.rules = {"TILE-R01"};
    row.fields = {{"a", std::to_string(shard)}};
    recorder->add_case(row);
  }
  recorder->set_state("emulator:sm_90a", "tma.tiled.load", state);
  recorder->add_finding("emulator:sm_90a", "kind", "words");
  recorder->add_finding("", "kind", "of the run");
  recorder->finish(failing != 0, "2026-11-21T02:14:31");
}

class Merge : public testing::Test {
 protected:
  void SetUp() override {
    write_part(scratch / "a.db", 1, 3, 100, 0, "x");
    write_part(scratch / "b.db", 2, 3, 90, 10, "y");
    write_part(scratch / "c.db", 3, 3, 80, 20, "z");
  }
  std::string merged(std::vector<const char*> names, const char* into) {
    std::vector<std::filesystem::path> files;
    for (const char* name : names) files.push_back(scratch / name);
    merge_results(files, scratch / into);
    return meaning(scratch / into);
  }
  Scratch scratch;
};

TEST_F(Merge, OrderStepsAndRepetitionsMakeNoDifference) {
  const std::string all = merged({"a.db", "b.db", "c.db"}, "abc.db");
  EXPECT_EQ(merged({"c.db", "a.db", "b.db"}, "cab.db"), all);
  merged({"a.db", "b.db"}, "ab.db");
  EXPECT_EQ(merged({"ab.db", "c.db"}, "ab_c.db"), all);
  merged({"b.db", "c.db"}, "bc.db");
  EXPECT_EQ(merged({"a.db", "bc.db"}, "a_bc.db"), all);
  EXPECT_EQ(merged({"abc.db", "abc.db", "b.db"}, "again.db"), all);
  EXPECT_EQ(merged({"abc.db", "a.db"}, "abc.db"), all) << "into one of its sources";
  EXPECT_NE(merged({"a.db", "b.db"}, "ab.db"), all);
}

// Two boards of two machines have one name, cuda:0: what was noticed of one is not told of the other.
TEST_F(Merge, AFindingIsToldOfItsOwnBoard) {
  for (const char* name : {"first", "second"}) {
    RunInfo run = sample_run();
    run.run_id = std::string("run-") + name;
    const auto recorder = Recorder::create(scratch / (std::string(name) + ".db").c_str(), run);
    recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "GPU", std::string("GPU-") + name, {}});
    recorder->add_finding("cuda:0", "kind", std::string("seen on the ") + name);
    recorder->finish(0, "2026-11-28T02:00:00");
  }
  const std::vector<std::filesystem::path> files{scratch / "first.db", scratch / "second.db"};
  merge_results(files, scratch / "both.db");
  const Results results = read_results(scratch / "both.db");
  ASSERT_EQ(results.devices.size(), 2u);
  for (const DeviceResult& device : results.devices) {
    std::string told;
    for (const Finding& finding : results.findings)
      if (finding.kind == "kind" && is_about(finding, device)) told += finding.words + "\n";
    EXPECT_EQ(told, "seen on the " + device.info.uuid.substr(4) + "\n");
  }
}

TEST_F(Merge, AMissingShardIsNamedAndMakesTheFileIncomplete) {
  const auto missing = [&](const Results& results) {
    std::string words;
    for (const Finding& found : results.findings)
      if (found.kind == "missing shard") words += found.words + "\n";
    return words;
  };
  merged({"a.db", "b.db", "c.db"}, "abc.db");
  const int whole = read_results(scratch / "abc.db").exit_code;
  EXPECT_EQ(missing(read_results(scratch / "abc.db")), "");
  EXPECT_NE(whole, 4);
  write_part(scratch / "good.db", 2, 3, 100, 0, "y");
  ASSERT_EQ(read_results(scratch / "good.db").exit_code, 0) << "a shard's own results are its own";
  merged({"good.db"}, "one.db");
  const Results one = read_results(scratch / "one.db");
  EXPECT_EQ(one.exit_code, 4);
  EXPECT_EQ(one.verdict, Verdict::incomplete);
  EXPECT_EQ(missing(one),
            "shard 1 of 3 of seed 17 is not among the merged files\n"
            "shard 3 of 3 of seed 17 is not among the merged files\n");
  merged({"a.db", "one.db"}, "two.db");
  EXPECT_EQ(missing(read_results(scratch / "two.db")),
            "shard 3 of 3 of seed 17 is not among the merged files\n");
  merge_results({scratch / "good.db"}, scratch / "part.db", true);
  EXPECT_EQ(read_results(scratch / "part.db").exit_code, 0);
  EXPECT_EQ(missing(read_results(scratch / "part.db")), "");
}

/// As files were written before the names of dimensions had a table of their own.
TEST_F(Merge, TakesAFileWhoseCoverageIsATable) {
  {
    Database old(scratch / "b.db", SQLITE_OPEN_READWRITE);
    old.execute(
        "CREATE TABLE kept AS SELECT * FROM coverage; DROP VIEW coverage; DROP VIEW coverage_cells; DROP "
        "TABLE coverage_counts; "
        "DROP TABLE coverage_names; ALTER TABLE kept RENAME TO coverage;");
  }
  EXPECT_EQ(read_results(scratch / "b.db").devices.at(0).properties.at(0).coverage.at(0).dimension, "d");
  merged({"a.db", "b.db", "c.db"}, "abc.db");
  EXPECT_EQ(read_results(scratch / "abc.db").devices.at(0).properties.at(0).coverage.at(0).count, 270u);
}

TEST_F(Merge, CountsOfShardsAddUp) {
  merged({"a.db", "b.db", "c.db"}, "abc.db");
  const Results results = read_results(scratch / "abc.db");
  EXPECT_EQ(results.runs.size(), 3u);
  ASSERT_EQ(results.devices.size(), 1u);
  ASSERT_EQ(results.devices[0].properties.size(), 1u);
  const PropertyResult& p = results.devices[0].properties[0];
  EXPECT_EQ(p.planned, 300u);
  EXPECT_EQ(p.counts[static_cast<size_t>(Verdict::conforms)], 270u);
  EXPECT_EQ(p.counts[static_cast<size_t>(Verdict::violates)], 30u);
  EXPECT_EQ(p.counts[static_cast<size_t>(Verdict::incomplete)], 0u);
  EXPECT_EQ(p.totals.fingerprint, "00000000000002d6");  // f1 + f2 + f3
  ASSERT_EQ(p.failures.size(), 1u);
  EXPECT_EQ(p.failures[0].rows, 2u);
  EXPECT_EQ(p.failures[0].count, 30u);
  EXPECT_EQ(p.coverage.at(0).count, 270u);
  EXPECT_EQ(p.ranges.at(0).fingerprint, 15u);
  EXPECT_EQ(p.places.at(0).failing, 30u);
  EXPECT_EQ(results.exit_code, 1);
  EXPECT_EQ(results.findings.at(0).times, 3u);
  EXPECT_NE(results.run.host.find("y"), std::string::npos);
  write_junit(scratch / "abc.db", scratch / "abc.xml");
  write_html(scratch / "abc.db", scratch / "abc.html");
  EXPECT_NE(summary_text(scratch / "abc.db", false).find("   300 cases   "), std::string::npos);
}

TEST_F(Merge, OfTwoStatesOfOneRunTheLaterCounts) {
  write_part(scratch / "old.db", 2, 3, 40, 5, "y");
  write_part(scratch / "new.db", 2, 3, 90, 10, "y", 1);
  const std::string want = merged({"new.db"}, "want.db");
  EXPECT_EQ(merged({"old.db", "new.db"}, "1.db"), want);
  EXPECT_EQ(merged({"new.db", "old.db"}, "2.db"), want);
}

TEST_F(Merge, ARuleThatExplainsAFailureAloneIsViolated) {
  const PropertyResult p = read_results(scratch / "b.db").devices.at(0).properties.at(0);
  ASSERT_EQ(p.rules.size(), 2u);
  EXPECT_EQ(p.rules[0].rule, "TILE-R01");
  EXPECT_EQ(p.rules[0].violated, 0u);
  EXPECT_EQ(p.rules[0].implicated, 10u);
  EXPECT_EQ(p.rules[1].violated, 10u);
  EXPECT_EQ(p.rules[1].implicated, 0u);
}

TEST_F(Merge, ForeignFilesAreRefusedAndLeftAlone) {
  EXPECT_THROW(merge_results({scratch / "none.db"}, scratch / "o.db"), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(scratch / "o.db"));
}

}  // namespace
}  // namespace assay::report
