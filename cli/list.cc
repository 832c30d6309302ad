#include <cstdio>

#include "cli/command.h"
#include "suites/property.h"

namespace assay::cli {
namespace {

std::vector<std::string> patterns;

int list() {
  for (const suites::Property* property : suites::select_properties(patterns))
    std::printf("%-48s %s\n", std::string(property->name).c_str(), std::string(property->claim).c_str());
  return as_expected;
}

const Registered command{
    {.order = 20,
     .name = "list",
     .help = "properties and what each claims",
     .declare =
         [](CommandLine& line) { line.option("glob", patterns, "patterns over dotted names; none: all"); },
     .run = list}};

}  // namespace
}  // namespace assay::cli
