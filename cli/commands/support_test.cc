// SPDX-License-Identifier: Apache-2.0
// docs/support.md: every rule by the section of the document that says it, with the operations that ask it
// and where it was seen to hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "reference/spec/rule.h"
#include "reports/detection.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"
#include "suites/run/field_coverage.h"
#include "suites/run/property.h"

namespace assay::cli {
namespace {

using namespace assay::spec;

/// Rules that cases of the latest whole run on an H200 exercised, in properties where none failed.
std::set<std::string> seen_on_silicon() {
  const report::Ended statements = report::shell("xz -dc " ASSAY_SOURCE_DIR "/docs/evidence/h200.sql.xz");
  EXPECT_EQ(statements.code, 0) << "xz (package xz-utils) is required";
  report::Database results(report::scratch_path("h200.db"), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  results.execute(statements.text.c_str());
  report::Statement rows(results, "SELECT DISTINCT rule FROM rules WHERE exercised > 0 AND failing = 0");
  std::set<std::string> seen;
  while (rows.step()) seen.insert(rows.text(0));
  return seen;
}

/// "tma.tiled" and so on: the operations whose first cases exercise each rule on the emulator.
std::map<std::string, std::set<std::string>> operations_of_rules() {
  std::map<std::string, std::set<std::string>> operations;
  for (const suites::Property* property : suites::all_properties())
    for (const std::string& rule : suites::rules_exercised_by(*property, suites::most_counted))
      operations[rule].insert(report::area_of(std::string(property->name)));
  return operations;
}

constexpr struct {
  std::string_view key, title;
  bool has_sections;  ///< that a reader finds there; others name an experiment or a page
} documents[] = {{"ptx", "PTX ISA", true},
                 {"driver", "CUDA Driver API", true},
                 {"guide", "CUDA C++ Programming Guide", true},
                 {"h200", "Measured or published", false}};

/// The first of the documents above that a rule cites, and the section: without details, but of a chapter
/// with one more word.
std::pair<size_t, std::string> section_of(const Rule& rule) {
  for (size_t i = 0; documents[i].has_sections; ++i)
    for (const Cite& cite : rule.cites) {
      if (cite.document != documents[i].key) continue;
      const std::string_view place = cite.place;
      size_t end = place.find_first_of(",:");
      if (place.starts_with("tcgen05, ") || place.starts_with("9.7."))
        end = place.find_first_of(",:", end + 1);
      return {i, std::string(place.substr(0, end))};
    }
  return {std::size(documents) - 1, "`" + std::string(rule.cites[0].document) + "`"};
}

struct Section {
  std::set<std::string> operations;
  std::string silicon, emulator, documented;  ///< rules by where they were seen
};

std::string page_of_support() {
  const std::set<std::string> silicon = seen_on_silicon();
  const auto operations = operations_of_rules();
  std::map<std::pair<size_t, std::string>, Section> sections;
  for (const Rule& rule : rules()) {
    const std::string id(rule.id);
    const auto asked = operations.find(id);
    Section& section = sections[section_of(rule)];
    const bool on_silicon = silicon.contains(id), asks = asked != operations.end();
    if (asks) section.operations.insert(asked->second.begin(), asked->second.end());
    (on_silicon ? section.silicon : asks ? section.emulator : section.documented) += ", " + id;
  }
  const std::string path = ASSAY_SOURCE_DIR "/docs/support.md";
  std::string page = report::read_whole_file(path);
  constexpr std::string_view mark = "<!-- generated below -->\n";
  page.erase(page.find(mark) + mark.size());
  size_t document = std::size(documents);
  for (const auto& [place, section] : sections) {
    if (document != place.first) page += "\n## " + std::string(documents[place.first].title) + "\n\n";
    document = place.first;
    std::string line = "- " + place.second + ".";
    for (const auto& [words, ids] : {std::pair<const char*, const std::string&>{"Silicon", section.silicon},
                                     {"Emulator", section.emulator},
                                     {"Documented", section.documented}})
      if (!ids.empty()) line += std::string(" ") + words + ": " + ids.substr(2) + ".";
    std::string by;
    for (const std::string& operation : section.operations) by += ", `" + operation + ".*`";
    if (!by.empty()) line += " By " + by.substr(2) + ".";
    page += report::wrapped(line, "  ") + "\n";
  }
  return page;
}

TEST(Support, ThePageHasEveryRuleWhereItWasSeen) {
  const std::string path = ASSAY_SOURCE_DIR "/docs/support.md", page = page_of_support();
  if (std::getenv("ASSAY_WRITE_SUPPORT") != nullptr) report::write_whole_file(path, page);
  EXPECT_EQ(report::read_whole_file(path), page) << "ASSAY_WRITE_SUPPORT=1 writes it";
}

}  // namespace
}  // namespace assay::cli
