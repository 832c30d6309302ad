// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/terminal.h"
#include "suites/run/exercised.h"
#include "suites/run/property.h"

namespace assay::cli {
namespace {

std::vector<std::string> patterns;
bool list_as_json = false;

int run_list() {
  if (list_as_json) {
    nlohmann::json document = {{"format", "assay-list/1"}, {"properties", nlohmann::json::array()}};
    for (const suites::Property* property : suites::select_properties(patterns))
      document["properties"].push_back(
          {{"name", property->name},
           {"claim", property->claim},
           {"rules", suites::rules_exercised_by(*property, suites::most_listed)}});
    print_json(document);
    return as_expected;
  }
  for (const suites::Property* property : suites::select_properties(patterns))
    std::printf("%-48s %s\n", std::string(property->name).c_str(), std::string(property->claim).c_str());
  return as_expected;
}

const Registered list_command{
    {.order = 20,
     .name = "list",
     .help = "list properties and what each says",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option("glob", patterns, "patterns for property names (default: all)");
           line.flag("--json", list_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = run_list}};

}  // namespace
}  // namespace assay::cli
