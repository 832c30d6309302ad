// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>

#include "reports/record.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;

constexpr WrittenReport rows[] = {
    {"junit.xml", ".xml",
     [](const fs::path& db, const fs::path& file, const JunitOptions& options) {
       write_junit(db, file, options);
     }},
    {"report.html", ".html",
     [](const fs::path& db, const fs::path& file, const JunitOptions&) { write_html(db, file); }},
    {"summary.md", ".md",
     [](const fs::path& db, const fs::path& file, const JunitOptions&) { write_markdown(db, file); }},
};

/// An empty file has nothing to lose.
bool is_marked(const fs::path& file) {
  std::string beginning(256, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<size_t>(in.gcount()));
  return in.eof() && beginning.empty() ? true : beginning.find(report_mark) != std::string::npos;
}

/// Of the files of a folder those that are named after `report`.
void refuse_foreign(const fs::path& folder, const std::string& report, bool force) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (!is_report_or_part(entry.path().filename().string(), report)) continue;
    if (entry.is_directory(none))
      throw std::runtime_error(entry.path().string() + " is a folder, and a report is to be written there");
    if (!force && entry.is_regular_file(none) && !is_marked(entry.path()))
      throw std::runtime_error(
          entry.path().string() +
          " was not written by assay and would be replaced; move it away, choose another "
          "folder, or give --force");
  }
}

}  // namespace

std::span<const WrittenReport> written_reports() {
  return rows;
}

void write_in_folder(const fs::path& db, const JunitOptions& junit) {
  for (const WrittenReport& row : rows) row.write(db, db.parent_path() / row.name, junit);
}

void write_beside(const fs::path& db, const JunitOptions& junit) {
  for (const WrittenReport& row : rows) {
    fs::path file = db;
    row.write(db, file.replace_extension(row.extension), junit);
  }
}

bool is_written_report(std::string_view name) {
  return std::ranges::any_of(rows,
                             [name](const WrittenReport& row) { return is_report_or_part(name, row.name); });
}

bool is_report_or_part(std::string_view name, std::string_view report) {
  const size_t point = std::min(report.rfind('.'), report.size());
  const std::string_view stem = report.substr(0, point), extension = report.substr(point);
  if (name.size() < report.size() || !name.starts_with(stem) || !name.ends_with(extension)) return false;
  const std::string_view part = name.substr(stem.size(), name.size() - report.size());
  static const std::regex numbered("-[0-9]+-of-[0-9]+");
  return part.empty() || std::regex_match(part.begin(), part.end(), numbered);
}

void refuse_foreign_reports_in(const fs::path& folder, bool force) {
  for (const WrittenReport& row : rows) refuse_foreign(folder, std::string(row.name), force);
}

void refuse_foreign_reports_beside(const fs::path& db, bool force) {
  const fs::path folder = db.has_parent_path() ? db.parent_path() : fs::path(".");
  for (const WrittenReport& row : rows) {
    fs::path file = db.filename();
    refuse_foreign(folder, file.replace_extension(row.extension).string(), force);
  }
}

}  // namespace assay::report
