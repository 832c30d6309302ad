// SPDX-License-Identifier: Apache-2.0
#include "suites/run/verify.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/html/page.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/whole_file.h"

namespace assay::cli {
namespace {

std::string report_file, database;
uint64_t most_ranges = 2;
bool verify_as_json = false;

/// Where the report is not what the results file makes, or nothing.
std::string compare_report() {
  const std::string is = report::read_whole_file(report_file), should = report::html_text(database);
  if (is == should) return {};
  const auto [a, b] = std::mismatch(is.begin(), is.end(), should.begin(), should.end());
  const auto line = [](const std::string& text, std::string::const_iterator at) {
    const auto begin = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
    const auto from = std::max(begin, at - std::min<std::ptrdiff_t>(at - text.begin(), 40));
    return report::for_terminal(std::string(from, std::min(std::find(at, text.end(), '\n'), from + 100)));
  };
  return report_file + ", line " + std::to_string(1 + std::count(is.begin(), a, '\n')) + " is not what " +
         database + " makes: it says '" + line(is, a) + "' instead of '" + line(should, b) +
         "' (or another version of assay wrote it)";
}

int verify() {
  suites::Verification found = suites::verify_results(database, most_ranges);
  if (std::string why = compare_report(); !why.empty()) found.wrong.push_back(std::move(why));
  const report::Results results = report::read_results(database, {1, 1});
  if (results.finished && results.runs.size() == 1 && results.recorded_exit &&
      *results.recorded_exit != results.exit_code)
    found.wrong.push_back("the run is said to have ended with exit code " +
                          std::to_string(*results.recorded_exit) + ", its verdicts give " +
                          std::to_string(results.exit_code));
  if (verify_as_json) {
    print_json({{"format", "assay-verify/1"},
                {"confirmed", found.wrong.empty()},
                {"wrong", found.wrong},
                {"properties", found.properties},
                {"failing_cases", found.rows},
                {"conforming_cases", found.cases},
                {"ranges", found.ranges},
                {"ranges_left", found.ranges_left}});
    return found.wrong.empty() ? as_expected : violation;
  }
  for (const std::string& sentence : found.wrong) std::cout << "not confirmed: " << sentence << "\n";
  const auto counted = [](uint64_t n, const std::string& one, const std::string& many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
  };
  std::cout << (found.wrong.empty() ? "confirmed" : "NOT CONFIRMED") << ": the counts of "
            << counted(found.properties, "property", "properties")
            << "; predicted again: " << counted(found.rows, "failing case", "failing cases") << " and "
            << counted(found.cases, "passing case", "passing cases") << " in "
            << counted(found.ranges, "range", "ranges");
  if (found.ranges_left != 0)
    std::cout << "; not predicted again: " << counted(found.ranges_left, "range", "ranges")
              << ", which are too large, hold failing cases or exceed --ranges";
  std::cout << "\n";
  return found.wrong.empty() ? as_expected : violation;
}

const Registered verify_command{
    {.order = 53,
     .name = "verify",
     .help = "recompute the verdicts of a results file and confirm its report",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("report", report_file, "report.html").required();
           line.option("results", database, "results.db").required();
           line.option("--ranges", most_ranges,
                       "number of ranges of passing cases to predict again for each property");
           line.flag("--json", verify_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = verify}};

}  // namespace
}  // namespace assay::cli
