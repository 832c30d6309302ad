// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/earlier_results.h"

#include <algorithm>
#include <string>
#include <vector>

#include "reports/results_file.h"
#include "reports/written_reports.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;

/// When the run began, in letters that every file system takes.
std::string began(const fs::path& results) {
  Database db(results, SQLITE_OPEN_READONLY);
  Statement run(db, "SELECT started_utc FROM run ORDER BY id LIMIT 1");
  std::string text = run.step() ? run.text(0) : "unknown";
  std::replace(text.begin(), text.end(), ':', '-');
  std::erase_if(text, [](char c) { return c == '/' || c == '\0'; });
  return text;
}

/// A folder that holds no results yet: one where a move ended half-way is used again.
fs::path free_folder(const fs::path& beside, const std::string& name) {
  fs::path folder = beside / name;
  for (int i = 2; fs::exists(folder / "results.db"); ++i) folder = beside / (name + "-" + std::to_string(i));
  return folder;
}

bool is_of_run(const std::string& name) {
  return name == "cases" || is_written_report(name);
}

}  // namespace

std::optional<fs::path> set_earlier_aside(const fs::path& folder) {
  const fs::path results = folder / "results.db";
  std::error_code none;
  if (!fs::exists(results, none) || fs::file_size(results, none) == 0) return std::nullopt;
  release_results(results);
  const fs::path aside = free_folder(folder, "earlier-" + began(results));
  fs::create_directories(aside);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (is_of_run(entry.path().filename().string())) files.push_back(entry.path());
  // The results last: as long as they are there, a move that was cut short is gone on with.
  files.push_back(results);
  for (const fs::path& file : files) fs::rename(file, aside / file.filename());
  return aside;
}

}  // namespace assay::report
