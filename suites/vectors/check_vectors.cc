// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/check_vectors.h"

#include <algorithm>
#include <map>
#include <optional>

#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

RowResult check_row(const FileFormat& format, const CsvRow& row) {
  RowResult result;
  result.line = row.line;
  result.id = row.cells[0];
  if (row.cells.size() != format.header.size()) {
    result.detail = "the row has " + std::to_string(row.cells.size()) + " cells instead of " +
                    std::to_string(format.header.size());
    return result;
  }
  try {
    format.check(row, result);
  } catch (const RowError& error) {
    result.verdict = RowVerdict::malformed;
    result.detail = error.message;
  }
  return result;
}

/// Rows that are cases, a line each.
void check_lines(std::string_view text, RowRunner* runner, VectorReport& report) {
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view row = text.substr(0, end); !row.empty()) {
      RowResult& result = report.rows.emplace_back();
      result.line = line;
      check_case_row(row, runner, result);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

const spec::Format& format_named(const std::string& name) {
  const spec::Format* format = spec::find_format(name);
  if (format == nullptr) throw RowError{"'" + name + "' is not an element format"};
  return *format;
}

}  // namespace assay::vectors

namespace assay {

std::string_view name(RowVerdict verdict) {
  switch (verdict) {
    case RowVerdict::pass:
      return "pass";
    case RowVerdict::fail:
      return "fail";
    case RowVerdict::informative:
      return "informative";
    case RowVerdict::unknown_kind:
      return "unknown kind";
    case RowVerdict::malformed:
      return "malformed";
  }
  return "?";
}

void RowResult::settle(std::string differences, std::string_view open) {
  detail = std::move(differences);
  verdict = !open.empty() ? RowVerdict::informative : detail.empty() ? RowVerdict::pass : RowVerdict::fail;
  if (!open.empty()) detail = std::string(open) + ", " + (detail.empty() ? "the reference agrees" : detail);
}

VectorReport check_vectors(std::string_view file, std::string_view text, Device* device) {
  VectorReport report;
  report.name = file;
  std::optional<vectors::RowRunner> runner;
  if (device != nullptr) runner.emplace(*device);
  if (text.starts_with('{')) {
    vectors::check_lines(text, runner ? &*runner : nullptr, report);
    return report;
  }
  const std::vector<CsvRow> rows = parse_csv(text);
  if (rows.empty()) {
    report.problem = "the file is empty; it would have a case in JSON a line, or columns with their names";
    return report;
  }
  const vectors::FileFormat* format = vectors::find_file_format(rows[0].cells);
  if (format == nullptr) {
    report.problem =
        "the first line is neither a case in JSON nor the names of columns of a format of vectors that this "
        "program knows";
    return report;
  }
  for (size_t i = 1; i < rows.size(); ++i) {
    report.rows.push_back(vectors::check_row(*format, rows[i]));
    if (device != nullptr) report.rows.back().left_out = "no probe has a case for it";
  }
  return report;
}

size_t VectorReport::count(RowVerdict verdict) const {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const RowResult& row) { return row.verdict == verdict; }));
}

size_t VectorReport::ran() const {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [](const RowResult& row) { return row.ran; }));
}

bool VectorReport::ok() const {
  return problem.empty() && count(RowVerdict::fail) == 0 && count(RowVerdict::malformed) == 0;
}

std::string VectorReport::text() const {
  if (!problem.empty()) return name + ": " + problem + "\n";
  std::string out;
  for (const RowResult& row : rows)
    if (row.verdict != RowVerdict::pass)
      out += name + ":" + std::to_string(row.line) + ": " + row.id + " " + row.kind + ": " +
             std::string(assay::name(row.verdict)) + ": " + row.detail + "\n";
  out += name + ": " + std::to_string(rows.size()) + " rows";
  for (const RowVerdict verdict : {RowVerdict::pass, RowVerdict::fail, RowVerdict::informative,
                                   RowVerdict::unknown_kind, RowVerdict::malformed})
    if (count(verdict) != 0)
      out += ", " + std::to_string(count(verdict)) + " " + std::string(assay::name(verdict));
  if (ran() != 0) out += "; the device ran " + std::to_string(ran()) + " of them";
  out += "\n";
  std::map<std::string, size_t> left_out;
  for (const RowResult& row : rows)
    if (!row.left_out.empty()) ++left_out[row.left_out];
  for (const auto& [why, count] : left_out)
    out += "  not run: " + std::to_string(count) + (count == 1 ? " row, " : " rows, ") + why + "\n";
  return out;
}

}  // namespace assay

namespace assay::vectors {

const FileFormat* find_file_format(const std::vector<std::string>& first_line) {
  for (const FileFormat* format : {&sheet_format, &descriptors_format, &wgmma_format, &mbarrier_format,
                                   &raw_map_format, &map_faults_format})
    if (std::equal(first_line.begin(), first_line.end(), format->header.begin(), format->header.end()))
      return format;
  return nullptr;
}

const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column) {
  const auto at = std::find(format.header.begin(), format.header.end(), column);
  return row.cells.at(static_cast<size_t>(at - format.header.begin()));
}

}  // namespace assay::vectors
