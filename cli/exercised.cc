// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
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

/// The file of the rows of a property: by the beginning of its name, of copies of tensors by the next word
/// too.
std::string area_of(const std::string& property) {
  const size_t point = property.find('.');
  return property.substr(0, property.starts_with("tma.") ? property.find('.', point + 1) : point) + ".inc";
}

/// As suites/run/exercised.cc includes them, file by file.
std::map<std::string, std::string> texts_of(const Rows& rows) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, row] : rows) {
    std::string& text = texts[area_of(key.first)];
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
  return texts;
}

int exercised() {
  Rows rows;
  for (const std::string& source : sources) add(report::read_results(source), rows);
  for (const auto& [file, text] : texts_of(rows))
    report::write_whole_file(std::filesystem::path(table) / file, text);
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
           line.option(
                   "--table", table,
                   "folder of the rows, suites/run/exercised: files of the areas that ran are written anew")
               .required();
         },
     .run = exercised}};

}  // namespace
}  // namespace assay::cli::command_exercised
