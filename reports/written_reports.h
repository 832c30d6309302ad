#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "reports/junit.h"

/// The reports that every results file gets: one row a report, written at the end of a run, of one that is
/// resumed when it was over, and of merged files.
namespace assay::report {

struct WrittenReport {
  std::string_view name;       ///< in the folder of a run
  std::string_view extension;  ///< beside a file of merged results, whose name it takes
  /// Throws std::runtime_error with one sentence.
  void (*write)(const std::filesystem::path& db, const std::filesystem::path& file, const JunitOptions&);
};
std::span<const WrittenReport> written_reports();

/// Writes all of them: beside results.db of a run by their names, or beside c.db as c.html, c.xml, ...
void write_in_folder(const std::filesystem::path& db, const JunitOptions&);
void write_beside(const std::filesystem::path& db, const JunitOptions&);

/// Whether a file of a run's folder is one of them, or a part of one that was split ("junit-1-of-3.xml").
bool is_written_report(std::string_view name);

}  // namespace assay::report
