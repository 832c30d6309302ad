// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>

#include "reports/compare/run_diff.h"
#include "reports/overview.h"
#include "reports/record.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

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

namespace {

constexpr size_t byte_limit = 60'000;
constexpr size_t causes_shown = 20;

/// Text that is no markup: punctuation that could be any is an entity.
std::string plain(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(first_line(bytes)))
    if (std::string_view("<>&\\`*_{}[]()#|~@!").find(c) != std::string_view::npos)
      text += "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
    else
      text += c;
  return text;
}

/// Text between code marks; one of the text's own cannot end it, nor can a bar end a table's cell.
std::string code(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(first_line(bytes))) {
    if (c == '`')
      text += '\'';
    else if (c == '|')
      text += "\\|";
    else
      text += c;
  }
  return "`" + text + "`";
}

void add_devices(std::string& out, const Results& results) {
  out += "| device | evidence | verdict | properties | cases |\n|---|---|---|---:|---:|\n";
  for (const DeviceResult& device : results.devices) {
    uint64_t cases = 0;
    for (const PropertyResult& property : device.properties) cases += property.cases();
    out += "| " + code(device.info.spec) + " " + plain(device.info.name) + " | " +
           plain(loud(device.info.evidence)) + " | " + std::string(shown(device.verdict)) + " | " +
           std::to_string(device.properties.size()) + " | " + grouped(cases, ",") + " |\n";
  }
}

void add_changes(std::string& out, const Results& results) {
  for (const Finding& finding : results.findings)
    if (finding.kind.find("baseline") != std::string::npos)
      out += "- " + plain(finding.kind == "baseline" ? finding.words : finding.kind + ": " + finding.words) +
             "\n";
  if (const std::string line = history_line(results); !line.empty())
    out += "- history: " + plain(line) + "\n";
}

/// A cause with its first failure; which others it has is told in report.html.
std::string entry_of(const Results& results, const Cause& cause) {
  const FailurePlace& at = cause.places.front();
  const FailureGroup& group = group_at(results, at);
  const CaseRow& example = group.examples.front();
  const std::string named = title(cause);
  std::string entry = "- **" + std::string(shown(group.verdict)) + "** ";
  if (!named.empty()) entry += plain(named) + ": ";
  entry += grouped(cause.cases, ",") + (cause.cases == 1 ? " case of " : " cases of ");
  entry += cause.properties.size() == 1 ? code(example.property)
                                        : grouped(cause.properties.size(), ",") + " properties";
  entry += "\n  <br>" + code(example.property) + " on " + plain(results.devices[at.device].info.evidence);
  if (const std::string again = repeats(group); !again.empty()) entry += ", " + plain(again);
  entry += ": " + plain(headline(example)) + "\n";
  for (const std::string& where : places_of(cause, results)) entry += "  <br>" + plain(where) + "\n";
  if (!cause.replay.empty()) entry += "  <br>" + code(cause.replay) + "\n";
  return entry;
}

void add_failures(std::string& out, const Results& results) {
  const std::vector<Cause> causes = causes_of(results);
  if (causes.empty()) return;
  out += "### What failed\n\n";
  size_t listed = 0;
  for (; listed < std::min(causes.size(), causes_shown); ++listed) {
    const std::string entry = entry_of(results, causes[listed]);
    if (out.size() + entry.size() > byte_limit - 1000) break;
    out += entry;
  }
  if (listed < causes.size())
    out += "\nand " + grouped(causes.size() - listed, ",") + " more causes, in report.html\n";
  out += "\n";
}

void add_remarks(std::string& out, const Results& results) {
  std::string more;
  for (const DeviceResult& device : results.devices) {
    for (const PropertyResult& property : device.properties)
      if (fails(property.verdict) && property.failures.empty())
        more += "- " + code(property.info.name) + ": " + std::string(shown(property.verdict)) + ", " +
                plain(outcome(property)) + "\n";
    for (const ReadingRow& reading : device.readings)
      if (is_adopted(reading)) more += "- adopted reading " + plain(reading_line(reading)) + "\n";
    for (const WaiverRow& waiver : device.waivers)
      more += "- waiver " + plain(waiver.id) + " is " + plain(waiver.state) + ", until " +
              plain(waiver.expires) + ": " + plain(waiver.reason) + "\n";
  }
  for (const std::string& odd : odd_ones_out(results)) more += "- " + plain(odd) + "\n";
  if (more.empty()) return;
  out += "\n### Notes\n\n" + shortened(more, byte_limit - std::min(byte_limit - 100, out.size()));
}

}  // namespace

std::string markdown_text(const std::filesystem::path& db) {
  const Results results = read_results(db, {1, 60});
  std::string out = std::string(report_mark) + "\n## assay: " + std::string(shown(results.verdict)) + "\n\n" +
                    plain(outcome(results)) + "; exit code " + std::to_string(results.exit_code) + "; seed " +
                    std::to_string(results.run.seed) + "\n\n";
  add_failures(out, results);
  add_devices(out, results);
  out += "\n";
  add_changes(out, results);
  add_remarks(out, results);
  return out;
}

void write_markdown(const std::filesystem::path& db, const std::filesystem::path& file) {
  write_whole_file(file, markdown_text(db));
}

namespace {

/// A description may not hold '#', which begins a directive, nor begin with a number.
std::string description(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(bytes)) {
    if (c == '#' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

/// A YAML scalar in single quotes.
std::string yaml_text(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(first_line(bytes))) {
    if (c == '\'') text += '\'';
    text += c;
  }
  return "'" + text + "'";
}

void add_diagnosis(std::string& out, const PropertyResult& property) {
  out += "  ---\n  verdict: " + yaml_text(name(property.verdict)) +
         "\n  message: " + yaml_text(outcome(property)) + "\n";
  for (const FailureGroup& group : property.failures) {
    if (!fails(group.verdict) || group.examples.empty()) continue;
    out += "  first: " + yaml_text(headline(group.examples.front())) + "\n";
    if (!group.examples.front().replay.empty())
      out += "  replay: " + yaml_text(group.examples.front().replay) + "\n";
    break;
  }
  out += "  ...\n";
}

}  // namespace

std::string tap_text(const std::filesystem::path& db) {
  const Results results = read_results(db, {1, 60});
  size_t points = 0;
  for (const DeviceResult& device : results.devices) points += device.properties.size();
  std::string out = "TAP version 13\n1.." + std::to_string(points) + "\n";
  size_t number = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      const bool bad = property.exit_code != 0;
      out += std::string(bad ? "not ok " : "ok ") + std::to_string(++number) + " - " +
             description(property.info.name + " on " + device.info.evidence + ", " + device.info.spec);
      if (property.verdict == Verdict::declined)
        out += " # SKIP " + description(property.reason);
      else if (property.verdict == Verdict::not_assembled)
        out += " # SKIP " + description(outcome(property));
      else if (property.verdict != Verdict::conforms)
        out += ": " + std::string(shown(property.verdict));
      out += "\n";
      if (bad) add_diagnosis(out, property);
    }
  for (const std::string& line : {std::string(shown(results.verdict)) + ", " + outcome(results) +
                                  "; exit code " + std::to_string(results.exit_code)})
    out += "# " + for_terminal(line) + "\n";
  return out;
}

}  // namespace assay::report
