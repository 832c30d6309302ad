#include "reports/trend.h"

#include <algorithm>
#include <iostream>

#include "cli/command.h"

namespace assay::cli {
namespace {

std::vector<std::string> places;

int trend() {
  const auto files = report::find_results({places.begin(), places.end()});
  const report::Trend trend = report::trend_of(files);
  std::cout << trend.text;
  // A damaged file among many nights is told above; a history of nothing, or without what was named, is none.
  const bool lacks_named = std::any_of(trend.unread.begin(), trend.unread.end(), [](const auto& file) {
    return std::find(places.begin(), places.end(), file.string()) != places.end();
  });
  return lacks_named || trend.unread.size() == files.size() ? could_not_run : as_expected;
}

const Registered command{
    {.order = 52,
     .name = "trend",
     .help = "history of the results files under some folders",
     .declare =
         [](CommandLine& line) { line.option("places", places, "folders, or results.db files").required(); },
     .run = trend}};

}  // namespace
}  // namespace assay::cli
