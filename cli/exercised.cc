#include <iostream>
#include <map>

#include "cli/command.h"
#include "reference/spec/arch.h"
#include "reports/results.h"
#include "reports/whole_file.h"

namespace assay::cli::command_exercised {
namespace {

std::vector<std::string> sources;
std::string table;

/// Cases and counts of one property on one architecture.
struct Row {
  uint64_t cases = 0;
  std::vector<std::pair<std::string, uint64_t>> rules;
};

/// By property and architecture.
using Rows = std::map<std::pair<std::string, spec::Arch>, Row>;

/// Devices that are no emulator are left out: the table says what the cases exercise, and every machine makes
/// the same ones.
void add(const report::Results& results, Rows& rows) {
  for (const report::DeviceResult& device : results.devices) {
    const auto arch = spec::parse_arch(device.info.architecture);
    if (device.is_silicon || !arch) continue;
    for (const report::PropertyResult& property : device.properties) {
      Row row;
      row.cases = property.cases();
      for (const report::RuleCount& rule : property.rules)
        if (rule.exercised != 0) row.rules.emplace_back(rule.rule, rule.exercised);
      if (row.cases != 0 && !row.rules.empty()) rows[{property.info.name, *arch}] = row;
    }
  }
}

/// As suites/run/exercised.cc includes them.
std::string text_of(const Rows& rows) {
  std::string text;
  for (const auto& [key, row] : rows) {
    text += "{\"" + key.first + "\", \"" + std::string(name(key.second)) + "\", " +
            std::to_string(row.cases) + ",";
    size_t width = 1000;
    for (const auto& [rule, count] : row.rules) {
      const std::string word = rule + ":" + std::to_string(count);
      if (width + word.size() > 100) {
        text += (width == 1000 ? "" : " \"") + std::string("\n \"");
        width = 0;
      } else {
        text += " ";
      }
      text += word;
      width += word.size() + 1;
    }
    text += "\"},\n";
  }
  return text;
}

int exercised() {
  Rows rows;
  for (const std::string& source : sources) add(report::read_results(source), rows);
  report::write_whole_file(table, text_of(rows));
  return as_expected;
}

const Registered command{
    {.order = 48,
     .name = "exercised",
     .help = "make the table of rules that each property exercises, from a run on the emulator",
     .group = "Results",
     .declare =
         [](CommandLine& line) {
           line.option("results", sources, "results files of runs on every emulated architecture").required();
           line.option("--table", table, "suites/run/exercised_rows.inc").required();
         },
     .run = exercised}};

}  // namespace
}  // namespace assay::cli::command_exercised
