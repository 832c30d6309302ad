// SPDX-License-Identifier: Apache-2.0
#include "reports/coverage_table.h"

#include <gtest/gtest.h>

#include "reports/scratch_test.h"
#include "reports/tables.h"

namespace assay::report {
namespace {
using Cells = std::vector<CoverageCell>;

class CoverageTable : public testing::Test {
 protected:
  CoverageTable() : db_(scratch_path("coverage.db"), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {
    db_.execute("CREATE TABLE properties(id INTEGER PRIMARY KEY); INSERT INTO properties VALUES(1),(2)");
  }
  void write(int64_t property, const Cells& cells) {
    writer_.write(property, cells);
    writer_.settle();
  }
  Cells read(int64_t property) { return CoverageReader(db_).read(property); }

  Database db_;
  CoverageWriter writer_{db_};
};
}  // namespace

bool operator==(const CoverageCell& a, const CoverageCell& b) {
  return a.dimension == b.dimension && a.cell == b.cell && a.count == b.count && a.reachable == b.reachable;
}

namespace {

const Cells all = {{"type x rank", "f16/1", 3, true},
                   {"type x rank", "f16/2", 0, true},
                   {"type x rank", "f32/1", 1ull << 40, true},
                   {"end", "done", 0, true},
                   {"end", "fault \"719\"", 2, false}};
const Cells some = {{"type x rank", "f16/2", 7, true}, {"type x rank", "f64/1", 1, false}};

TEST_F(CoverageTable, GivesBackWhatWasWritten) {
  db_.execute(coverage_tables);
  write(1, all);
  write(2, some);
  EXPECT_EQ(read(1), all);
  EXPECT_EQ(read(2), some);
  EXPECT_EQ(db_.word("SELECT cells FROM coverage_names WHERE name='type x rank'"),
            R"([[0,"f16/",0],[2,"f32/",1],[3,"f64/",1]])");
  Cells more = all;
  more[1].count = 5;
  write(1, more);
  EXPECT_EQ(read(1), more);
  write(1, some);
  EXPECT_EQ(read(1), some);
  EXPECT_EQ(read(2), some);
  EXPECT_EQ(db_.number("SELECT COUNT(*) FROM coverage_names"), 2);
}

TEST_F(CoverageTable, TheViewHasARowForEachCell) {
  db_.execute(coverage_tables);
  write(1, all);
  write(2, some);
  Statement rows(db_,
                 "SELECT dimension,cell,count,reachable FROM coverage WHERE property=? ORDER BY ordinal");
  for (const auto& [property, want] : {std::pair{1, all}, std::pair{2, some}}) {
    Cells seen;
    rows.bind(property);
    while (rows.step()) seen.push_back({rows.text(0), rows.text(1), rows.count(2), rows.integer(3) != 0});
    EXPECT_EQ(seen, want);
  }
}

TEST_F(CoverageTable, WhatWasRolledBackIsWrittenAgain) {
  db_.execute(coverage_tables);
  write(1, all);
  db_.execute("BEGIN");
  writer_.write(1, some);
  db_.execute("ROLLBACK");
  write(2, some);
  EXPECT_EQ(read(1), all);
  EXPECT_EQ(read(2), some);
  write(1, some);
  EXPECT_EQ(read(1), some);
}

TEST_F(CoverageTable, OlderFilesAreReadAndRenewed) {
  const char* const table =
      "CREATE TABLE coverage(property, ordinal, dimension, cell, count, reachable);"
      "INSERT INTO coverage VALUES(1,0,'type x rank','f16/2',7,1),(1,1,'type x rank','f64/1',1,0)";
  const char* const rows =
      "CREATE TABLE coverage_dimensions(id INTEGER PRIMARY KEY, name);"
      "CREATE TABLE coverage_cells(property, ordinal, dimension, cell, count, reachable,"
      "  PRIMARY KEY(property, ordinal)) WITHOUT ROWID;"
      "CREATE VIEW coverage AS SELECT property, ordinal, name AS dimension, cell, count, reachable"
      "  FROM coverage_cells JOIN coverage_dimensions ON id=coverage_cells.dimension;"
      "INSERT INTO coverage_dimensions VALUES(4,'type x rank');"
      "INSERT INTO coverage_cells VALUES(1,0,4,'f16/2',7,1),(1,1,4,'f64/1',1,0)";
  for (const char* const form : {table, rows}) {
    db_.execute(form);
    EXPECT_EQ(read(1), some);
    renew_coverage_tables(db_);
    EXPECT_EQ(read(1), some);
    EXPECT_EQ(db_.number("SELECT COUNT(*) FROM sqlite_master WHERE name='coverage_dimensions'"), 0);
    CoverageWriter(db_).write(2, all);
    EXPECT_EQ(read(2).size(), all.size());
    db_.execute(
        "DROP VIEW coverage; DROP VIEW coverage_cells; DROP TABLE coverage_counts; DROP TABLE "
        "coverage_names");
  }
}

TEST_F(CoverageTable, DamageIsNamed) {
  for (const char* const how :
       {"UPDATE coverage_counts SET counts='[1,2,3,4,5]'", "UPDATE coverage_counts SET counts='[1,'",
        "UPDATE coverage_counts SET counts='{}'", "UPDATE coverage_counts SET unreachable='[\"a\"]'",
        "UPDATE coverage_names SET cells='[1,2]'", "UPDATE coverage_names SET cells='[[0,\"f16/\",7]]'",
        "UPDATE coverage_names SET cells='[[1,\"f16/\",0]]'", "UPDATE coverage_names SET ends='[[1]]'",
        "DELETE FROM coverage_names"}) {
    db_.execute(coverage_tables);
    CoverageWriter(db_).write(2, some);
    db_.execute(how);
    try {
      read(2);
      ADD_FAILURE() << how;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("the coverage tables are damaged"), std::string::npos) << how;
    }
    db_.execute(
        "DROP VIEW coverage; DROP VIEW coverage_cells; DROP TABLE coverage_counts; DROP TABLE "
        "coverage_names");
  }
}

}  // namespace
}  // namespace assay::report
