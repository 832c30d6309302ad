// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/compare/run_diff.h"
#include "reports/html/sections.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/text.h"
#include "reports/written_reports.h"
#include "suites/run/verify.h"

namespace assay::cli {
namespace {

std::vector<std::string> sources, history;
std::string into, profile = "strict";
size_t junit_limit = 0;
bool tap = false, merge_as_json = false, partial = false, force = false;

void declare_formats(CommandLine& line) {
  line.flag("--json", merge_as_json,
            "print one line of JSON instead of the summary (docs/machine_readable.md)");
  line.option("--history", history,
              "results file of earlier nights, or a folder of them, for the history in the report; may be "
              "given several times")
      .one_word_each();
  line.option("--junit-profile", profile,
              "strict: what both public schemas accept; rich: attachments and more")
      .one_of({"strict", "rich"})
      .shows_default();
  line.option("--junit-limit", junit_limit,
              "list at most N failing properties in the JUnit file; 0: list all properties")
      .shows_default();
  line.flag("--force", force, "replace files of the reports' names that assay did not write");
  line.flag("--tap", tap, "print TAP version 13 instead of the summary").excludes({"--json"});
}

/// Reports of a results file go beside it: c.db gives c.xml and c.html.
int write_reports(const std::filesystem::path& database) {
  const auto beside = [&](const char* extension) {
    std::filesystem::path path = database;
    return path.replace_extension(extension);
  };
  report::JunitOptions junit;
  junit.profile = *report::parse_junit_profile(profile);
  junit.most_failures = junit_limit;
  report::write_beside(database, junit);
  if (merge_as_json) {
    std::cout << report::results_json(database) << "\n";
    return report::exit_code(database);
  }
  if (tap) {
    std::cout << report::tap_text(database);
    return report::exit_code(database);
  }
  std::cout << report::summary_text(database, shows_colour(STDOUT_FILENO)) << "report   "
            << beside(".html").string() << " (and " << beside(".xml").filename().string() << ", "
            << beside(".md").filename().string() << ", " << database.filename().string() << ")\n";
  return report::exit_code(database);
}

/// Earlier nights that --history names. Those that cannot be read are told and left out.
std::vector<report::NightRow> earlier_nights() {
  report::Nights found = report::nights_in(report::find_history({history.begin(), history.end()}));
  for (const report::Nights::Unread& unread : found.unread)
    std::cerr << "assay: left out of the history: " << report::for_terminal(unread.words) << "\n";
  for (const std::filesystem::path& place : report::absent_places({history.begin(), history.end()}))
    std::cerr << "assay: no history: " << report::for_terminal(place.string()) << " does not exist yet\n";
  return std::move(found.nights);
}

int merge() {
  report::refuse_foreign_reports_beside(into, force);
  std::vector<report::NightRow> nights = earlier_nights();
  report::merge_results({sources.begin(), sources.end()}, into, partial);
  if (!nights.empty()) report::add_history(into, std::move(nights));
  return write_reports(into);
}

int report_again() {
  report::refuse_foreign_reports_beside(into, force);
  if (std::vector<report::NightRow> nights = earlier_nights(); !nights.empty())
    report::add_history(into, std::move(nights));
  return write_reports(into);
}

const Registered merge_command{
    {.order = 50,
     .name = "merge",
     .help = "merge results of shards, nodes and nights into one file with reports",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("files", sources, "results.db files").required();
           line.option("-o,--output", into, "file to write; reports are written next to it").required();
           line.flag("--partial", partial, "accept missing shards");
           declare_formats(line);
         },
     .run = merge}};

const Registered report_command{{.order = 51,
                                 .name = "report",
                                 .help = "rewrite the reports next to a results file",
                                 .group = "Results",
                                 .declare =
                                     [](CommandLine& line) {
                                       line.option("file", into, "results.db").required();
                                       declare_formats(line);
                                     },
                                 .run = report_again}};

std::string before, after;
bool results_as_json = false;
std::string results_page;

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
  if (!results_page.empty())
    report::write_whole_file(results_page, report::diff_html(found, {before, after}));
  if (results_as_json)
    std::cout << report::to_json(found).dump() << "\n";
  else
    std::cout << report::words(found, {before, after});
  return found.is_empty() ? as_expected : violation;
}

const Registered diff_command{
    {.order = 54,
     .name = "diff",
     .help = "show how two runs differ: verdicts, failure signatures, output, readings",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("before", before, "results.db, or the folder that holds it").required();
           line.option("after", after, "results.db of the other run, or its folder").required();
           line.option("--html", results_page, "also write a side-by-side page to this file");
           line.flag("--json", results_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = diff}};

std::vector<std::string> places;

int trend() {
  const auto files = report::find_results({places.begin(), places.end()});
  const report::Trend trend = report::trend_of(files);
  if (!results_page.empty()) report::write_whole_file(results_page, report::trend_html(files));
  std::cout << (results_as_json ? report::trend_json(files) + "\n" : trend.text);
  // A damaged file among many nights is told above; a history of nothing, or without what was named, is none.
  const bool lacks_named = std::any_of(trend.unread.begin(), trend.unread.end(), [](const auto& file) {
    return std::find(places.begin(), places.end(), file.string()) != places.end();
  });
  return lacks_named || trend.unread.size() == files.size() ? could_not_run : as_expected;
}

const Registered trend_command{
    {.order = 52,
     .name = "trend",
     .help = "show the history in a set of results files",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("places", places, "folders, or results.db files").required();
           line.option("--html", results_page, "also write the history as a page to this file");
           line.flag("--json", results_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = trend}};

}  // namespace

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
