// SPDX-License-Identifier: Apache-2.0
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
/// The same of the report `report`: "junit.xml".
bool is_report_or_part(std::string_view name, std::string_view report);

/// Near the beginning of each of them, in the form of a comment that XML, HTML and Markdown share.
inline constexpr std::string_view report_mark = "<!-- report written by assay -->";

/// Throws std::runtime_error with one sentence where one of the reports would take the place of a folder or,
/// unless `force`, of a file without the mark, which assay did not write. Changes nothing.
void refuse_foreign_reports_in(const std::filesystem::path& folder, bool force);
void refuse_foreign_reports_beside(const std::filesystem::path& db, bool force);

}  // namespace assay::report
