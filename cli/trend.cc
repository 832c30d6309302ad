#include "reports/trend.h"

#include <iostream>

#include "cli/command.h"

namespace assay::cli {
namespace {

std::vector<std::string> places;

int trend() {
  std::cout << report::trend_text(report::find_results({places.begin(), places.end()}));
  return as_expected;
}

const Registered command{{.order = 52,
                          .declare =
                              [](CLI::App& app) {
                                CLI::App* sub = app.add_subcommand(
                                    "trend", "history of the results files under some folders");
                                sub->add_option("places", places, "folders, or results.db files")->required();
                                return sub;
                              },
                          .run = trend}};

}  // namespace
}  // namespace assay::cli
