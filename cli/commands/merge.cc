// SPDX-License-Identifier: Apache-2.0
#include "reports/merge.h"

#include <unistd.h>

#include <iostream>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/compare/history.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/lines.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/written_reports.h"

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

}  // namespace
}  // namespace assay::cli
