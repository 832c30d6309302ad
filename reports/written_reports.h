// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// strict: what both public schemas accept (reports/schema/). rich: for readers that know more (GitLab,
/// Jenkins, Azure): test cases have properties, output with attachments, a file and flakyFailure elements.
enum class JunitProfile { strict, rich };
/// "strict" or "rich".
std::optional<JunitProfile> parse_junit_profile(std::string_view);

struct JunitOptions {
  JunitProfile profile = JunitProfile::strict;
  /// Larger files are split into junit-1-of-3.xml and so on: GitLab stops at 30 MB and 500,000 cases.
  size_t most_bytes = 25'000'000;
  size_t most_cases = 60'000;
  /// 0: all test cases. Else only the first so many that fail; the suite's output says what was left out.
  size_t most_failures = 0;
};

/// Writes the file, or its parts beside it, and removes those of an earlier writing. Returns what it wrote.
/// Throws std::runtime_error with one sentence.
std::vector<std::filesystem::path> write_junit(const std::filesystem::path& db,
                                               const std::filesystem::path& xml, const JunitOptions&);

// The reports that every results file gets: one row a report, written at the end of a run, of one that is
// resumed when it was over, and of merged files.

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

/// A results file as one line of JSON (docs/machine_readable.md says each member): run, devices with their
/// properties and failure signatures, readings, findings, verdict and exit code. Throws std::runtime_error
/// with one sentence where the file cannot be read.
std::string results_json(const std::filesystem::path& db);

/// What trend_of() tells, as one line of JSON: an array of nights in the order of their start.
std::string trend_json(const std::vector<std::filesystem::path>& files);

/// The results as GitHub-flavoured Markdown for a comment or a job summary, at most 60,000 bytes: a check
/// takes 65,535. Names and messages cannot add markup of their own. Throws std::runtime_error with one
/// sentence where the file cannot be read.
std::string markdown_text(const std::filesystem::path& db);
void write_markdown(const std::filesystem::path& db, const std::filesystem::path& file);

/// TAP version 13: one test point a property on a device, with what failed in a YAML block. Throws likewise.
std::string tap_text(const std::filesystem::path& db);

}  // namespace assay::report
