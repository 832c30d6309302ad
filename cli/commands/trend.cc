// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/trend.h"

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "reports/json.h"
#include "reports/whole_file.h"

namespace assay::cli::command_trend {
namespace {

std::vector<std::string> places;
bool as_json = false;
std::string page;

int trend() {
  const auto files = report::find_results({places.begin(), places.end()});
  const report::Trend trend = report::trend_of(files);
  if (!page.empty()) report::write_whole_file(page, report::trend_html(files));
  std::cout << (as_json ? report::trend_json(files) + "\n" : trend.text);
  // A damaged file among many nights is told above; a history of nothing, or without what was named, is none.
  const bool lacks_named = std::any_of(trend.unread.begin(), trend.unread.end(), [](const auto& file) {
    return std::find(places.begin(), places.end(), file.string()) != places.end();
  });
  return lacks_named || trend.unread.size() == files.size() ? could_not_run : as_expected;
}

const Registered command{{.order = 52,
                          .name = "trend",
                          .help = "show the history in a set of results files",
                          .group = "Results",
                          .declare =
                              [](CommandLine& line) {
                                line.option("places", places, "folders, or results.db files").required();
                                line.option("--html", page, "also write the history as a page to this file");
                                line.flag("--json", as_json,
                                          "print one line of JSON (docs/machine_readable.md)");
                              },
                          .run = trend}};

}  // namespace
}  // namespace assay::cli::command_trend
