// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/record.h"
#include "reports/sqlite.h"

/// The coverage cells of properties in a results file (coverage_tables of reports/tables.h).
namespace assay::report {

/// Makes the tables of a file that has older ones, with what they hold. Within a transaction of the caller's.
void renew_coverage_tables(Database& db);

class CoverageReader {
 public:
  /// schema: "", or the name of an attached file with its dot.
  explicit CoverageReader(Database& db, std::string schema = "");

  /// Cells by dimension, in the order in which the file names them. Throws std::runtime_error where the file
  /// is damaged.
  std::vector<CoverageCell> read(int64_t property);

 private:
  std::vector<CoverageCell> read_rows(int64_t property);

  Database& db_;
  const std::string schema_;
  const bool has_lists_;
  std::map<int64_t, std::pair<std::string, std::vector<std::string>>> names_;  ///< by dimension
};

/// Writes only what changed. What it wrote counts once settle() was called, after the caller's commit; a
/// write that follows one that was not settled looks at the file anew.
class CoverageWriter {
 public:
  explicit CoverageWriter(Database& db) : db_(db) {}
  void write(int64_t property, const std::vector<CoverageCell>& cells);
  void settle() { is_settled_ = true; }

 private:
  struct Dimension {
    int64_t id = 0;
    std::vector<std::string> cells;
    std::unordered_map<std::string, size_t> places;
    bool grew = false;
  };
  /// A row of coverage_counts, as it is in the file.
  struct Row {
    int64_t dimension = 0;
    std::string counts, unreachable;
    auto operator<=>(const Row&) const = default;
  };
  void look_at_file();
  Dimension& dimension(const std::string& name);

  Database& db_;
  bool is_settled_ = false;
  std::map<std::string, Dimension> dimensions_;  ///< by name
  std::map<int64_t, std::vector<Row>> rows_;     ///< by property
};

}  // namespace assay::report
