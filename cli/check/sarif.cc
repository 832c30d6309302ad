// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <set>

#include "cli/check/outcome.h"
#include "cli/version.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

using nlohmann::json;

json text_of(const std::string& text) {
  return {{"text", report::well_formed(text)}};
}

json rules_of(const Outcome& outcome) {
  json rules = json::array();
  std::set<std::string> known;
  const auto add = [&](const std::string& id, const std::string& sentence, const std::string& section) {
    if (!known.insert(id).second) return;
    json rule = {{"id", id}, {"shortDescription", text_of(sentence)}};
    if (!section.empty()) rule["help"] = text_of("PTX ISA: " + section);
    rules.push_back(std::move(rule));
  };
  for (const Clause& clause : outcome.clauses) add(clause.id, clause.sentence, clause.section);
  for (const Finding& finding : outcome.findings.findings) add(finding.clause, finding.sentence, "");
  return rules;
}

json location_of(const Place& place) {
  json location = {{"logicalLocations",
                    {{{"fullyQualifiedName", report::well_formed(place.kernel)}, {"kind", "function"}}}}};
  if (!place.file.empty())
    location["physicalLocation"] = {{"artifactLocation", {{"uri", report::well_formed(place.file)}}},
                                    {"region", {{"startLine", place.source_line}}}};
  return location;
}

}  // namespace

std::string sarif(const Outcome& outcome) {
  json results = json::array();
  for (const Finding& finding : outcome.findings.findings)
    for (const Place& place : finding.places) {
      json result = {{"ruleId", finding.clause},
                     {"level", "error"},
                     {"message", text_of(finding.message.empty() ? finding.sentence : finding.message)},
                     {"locations", json::array({location_of(place)})},
                     {"occurrenceCount", std::max<uint64_t>(1, place.count)},
                     {"properties",
                      {{"ptxLine", place.line},
                       {"ptx", report::well_formed(place.text)},
                       {"thread", report::well_formed(place.thread)}}}};
      if (finding.is_suppressed) result["suppressions"] = json::array({{{"kind", "external"}}});
      results.push_back(std::move(result));
    }
  json notices = json::array();
  for (const Unsupported& one : outcome.findings.unsupported)
    notices.push_back(
        {{"level", "error"}, {"message", text_of("not supported: " + one.call + ": " + one.sentence)}});
  json run = {
      {"tool", {{"driver", {{"name", "assay check"}, {"version", version}, {"rules", rules_of(outcome)}}}}},
      {"invocations",
       {{{"executionSuccessful", why_not_checked(outcome).empty()},
         {"exitCode", outcome.runs.back().end.code},
         {"toolExecutionNotifications", notices}}}},
      {"results", results}};
  if (const ChildEnd& end = outcome.runs.back().end; end.signal != 0) {
    json& invocation = run["invocations"][0];
    invocation["exitCode"] = 128 + end.signal;
    invocation["exitSignalNumber"] = end.signal;
  }
  const json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", json::array({run})}};
  return document.dump(2) + "\n";
}

}  // namespace assay::cli::check
