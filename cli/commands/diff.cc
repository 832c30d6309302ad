// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "reports/compare/run_diff.h"
#include "reports/whole_file.h"

namespace assay::cli::command_diff {
namespace {

std::string before, after;
bool as_json = false;
std::string page;

/// A folder stands for the results file in it.
std::filesystem::path results_at(const std::string& place) {
  const std::filesystem::path path(place);
  std::error_code none;
  return std::filesystem::is_directory(path, none) ? path / "results.db" : path;
}

int diff() {
  const report::ReadLimits limits{1, 60};
  const report::RunDiff found = report::diff_of(report::read_results(results_at(before), limits),
                                                report::read_results(results_at(after), limits));
  if (!page.empty()) report::write_whole_file(page, report::diff_html(found, {before, after}));
  if (as_json)
    std::cout << report::to_json(found).dump() << "\n";
  else
    std::cout << report::words(found, {before, after});
  return found.is_empty() ? as_expected : violation;
}

const Registered command{
    {.order = 54,
     .name = "diff",
     .help = "show how two runs differ: verdicts, failure signatures, output, readings",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("before", before, "results.db, or the folder that holds it").required();
           line.option("after", after, "results.db of the other run, or its folder").required();
           line.option("--html", page, "also write a side-by-side page to this file");
           line.flag("--json", as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = diff}};

}  // namespace
}  // namespace assay::cli::command_diff
