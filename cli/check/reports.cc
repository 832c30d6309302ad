// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <algorithm>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "cli/check/outcome.h"
#include "cli/command.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

std::string plural(uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

class Page {
 public:
  Page(const Outcome& outcome, bool has_colour) : outcome_(outcome), has_colour_(has_colour) {}
  std::string bold(const std::string& text) const { return coloured("\033[1m", text); }
  std::string red(const std::string& text) const { return coloured("\033[1;31m", text); }
  std::string yellow(const std::string& text) const { return coloured("\033[1;33m", text); }

  /// Orders of a launch that leave other bytes behind.
  std::string other_bytes(const Explored& one) const {
    return "assay: " + short_name(one.kernel) + ", launch " + std::to_string(one.launch) + ": " +
           std::to_string(one.others) + " of " + plural(one.orders, "order") +
           (one.others == 1 ? " leaves" : " leave") + " other bytes in global memory than the first, from " +
           one.other_bytes + " on\n    " + replay(one.other_schedule) + "\n";
  }
  std::string finding(const Finding& finding) const {
    const Place& first = finding.places[0];
    // A race or a warning says itself what happened; a clause says first what ought to hold.
    const std::string what = finding.says_itself       ? first.what
                             : finding.message.empty() ? finding.sentence
                                                       : finding.message;
    std::string text = bold(report::for_terminal(spelling(first))) + ": " +
                       (finding.is_warning ? yellow("warning: " + finding.clause) : red(finding.clause)) +
                       ": ";
    text += indented(what) + "\n";
    if (!first.text.empty()) text += "    " + report::for_terminal(report::shortened(first.text, 160)) + "\n";
    std::string where;
    const std::string calls = calls_of(first);
    if (!calls.empty()) where = calls + ", ";
    if (!first.inlined_file.empty())
      where += "inlined from " + first.inlined_file + ":" + std::to_string(first.inlined_line) + ", ";
    if (first.line != 0 && !first.file.empty())
      where += "PTX line " + std::to_string(first.line) + " of " + short_name(first.kernel) + ", ";
    where += first.thread;
    if (finding.count() > 1) where += (where.empty() ? "" : ", ") + plural(finding.count(), "time");
    if (finding.places.size() > 1) where += " in " + plural(finding.places.size(), "place");
    if (!where.empty()) text += "    " + indented(where) + "\n";
    if (!finding.schedule.empty())
      text += "    seen under schedule=" + finding.schedule + "; " + replay(finding.schedule) + "\n";
    if (!finding.says_itself && !first.what.empty()) text += "    " + indented(first.what) + "\n";
    if (!first.why.empty()) text += "    " + indented(first.why) + "\n";
    for (const Place& other : first.other)
      text += "  " + report::for_terminal(other.what) + ": " + report::for_terminal(spelling(other)) + ", " +
              report::for_terminal((calls_of(other).empty() ? "" : calls_of(other) + ", ") + other.thread) +
              "\n    " + report::for_terminal(report::shortened(other.text, 160)) + "\n";
    return text;
  }

 private:
  std::string replay(const std::string& schedule) const {
    std::string words = "to replay: assay check --device " + outcome_.device + ",schedule=" + schedule;
    for (const std::string& word : outcome_.replay) words += " " + report::for_terminal(for_shell(word));
    return words;
  }
  static std::string for_shell(const std::string& word) {
    const auto is_plain = [](unsigned char one) {
      return std::isalnum(one) || std::strchr("_-+=./,:@%", one);
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    std::string quoted = "'";
    for (const char one : word) quoted += one == '\'' ? std::string("'\\''") : std::string(1, one);
    return quoted + "'";
  }
  /// A deadlock report has several lines.
  static std::string indented(std::string text) {
    std::string made;
    for (size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
      made += report::for_terminal(text.substr(0, end)) + "\n    ";
    return made + report::for_terminal(text);
  }
  std::string coloured(const char* colour, const std::string& text) const {
    return has_colour_ ? colour + text + "\033[0m" : text;
  }
  const Outcome& outcome_;
  const bool has_colour_;
};

/// What the orders of the launches came to: "all 12 orders of 2 launches".
std::string orders_tried(const std::vector<Explored>& explored) {
  uint64_t orders = 0;
  const Explored* unfinished = nullptr;
  for (const Explored& one : explored) {
    orders += one.orders;
    if (unfinished == nullptr && !one.why_not_all.empty()) unfinished = &one;
  }
  const std::string of =
      " of " + std::to_string(explored.size()) + (explored.size() == 1 ? " launch" : " launches");
  if (unfinished == nullptr)
    return orders == explored.size() ? "the only order" + of + " that can differ"
                                     : "all " + plural(orders, "order") + of + " that can differ";
  return plural(orders, "order") + of + ", of an unknown number: " + unfinished->why_not_all + " in launch " +
         std::to_string(unfinished->launch) + ", of " + short_name(unfinished->kernel);
}

std::string unsupported_line(const Unsupported& one) {
  std::string text = "assay: not supported: " + short_name(one.call);
  if (one.line != 0) text += (one.call.empty() ? "PTX line " : ", PTX line ") + std::to_string(one.line);
  text += ": " + report::for_terminal(one.sentence) + "\n";
  if (!one.text.empty()) text += "    " + report::for_terminal(report::shortened(one.text, 160)) + "\n";
  return text;
}

}  // namespace

const ChildEnd& end_of(const Outcome& outcome) {
  for (const ScheduledRun& run : outcome.runs) {
    const ChildEnd& end = run.end;
    if (!end.has_started || end.stopped_by != 0 || end.signal != 0 || end.code != 0) return end;
  }
  return outcome.runs.front().end;
}

static size_t loud(const Outcome& outcome, bool are_warnings) {
  const auto& all = outcome.findings.findings;
  return static_cast<size_t>(std::count_if(all.begin(), all.end(), [&](const Finding& one) {
    return !one.is_suppressed && one.is_warning == are_warnings;
  }));
}

size_t loud_findings(const Outcome& outcome) {
  return loud(outcome, false);
}

size_t loud_warnings(const Outcome& outcome) {
  return loud(outcome, true);
}

std::string counted(const Outcome& outcome) {
  const size_t warnings = loud_warnings(outcome);
  return plural(loud_findings(outcome), "finding") +
         (warnings == 0 ? "" : ", " + plural(warnings, "warning"));
}

std::string why_not_checked(const Outcome& outcome) {
  if (!end_of(outcome).has_started) return end_of(outcome).why_not;
  const Findings& findings = outcome.findings;
  if (!findings.unsupported.empty())
    return plural(findings.unsupported.size(), "thing") + " that the program needs " +
           (findings.unsupported.size() == 1 ? "is" : "are") + " not supported";
  if (!findings.has_begun)
    return "the program never called the CUDA driver, so nothing was checked (is it linked statically, or "
           "did it exit before?)";
  return {};
}

int exit_code(const Outcome& outcome) {
  if (loud_findings(outcome) != 0) return violation;
  const ChildEnd& end = end_of(outcome);
  if (end.stopped_by != 0) return 128 + end.stopped_by;
  if (!why_not_checked(outcome).empty()) return could_not_run;
  if (end.signal != 0) return 128 + end.signal;
  if (end.code != 0) return end.code;
  return as_expected;
}

std::string in_words(const ChildEnd& end) {
  if (end.stopped_by != 0)
    return "was stopped by signal " + std::to_string(end.stopped_by) + " (" + strsignal(end.stopped_by) + ")";
  if (end.signal != 0)
    return "was killed by signal " + std::to_string(end.signal) + " (" + strsignal(end.signal) + ")";
  return "exited with " + std::to_string(end.code);
}

bool end_alike(const ChildEnd& one, const ChildEnd& other) {
  return in_words(one) == in_words(other);
}

/// Which schedules ran, and why no more of them.
static std::string schedules_of(const Outcome& outcome) {
  if (!outcome.findings.explored.empty()) return "; " + orders_tried(outcome.findings.explored);
  if (!outcome.why_one.empty()) return "; one schedule, " + outcome.runs[0].schedule + ": " + outcome.why_one;
  std::string names;
  for (const ScheduledRun& run : outcome.runs) names += (names.empty() ? "" : ", ") + run.schedule;
  return outcome.runs.size() > 1 ? "; schedules " + names : "";
}

std::string summary(const Outcome& outcome, bool has_colour) {
  const Page page(outcome, has_colour);
  std::string text;
  size_t suppressed = 0;
  for (const Finding& finding : outcome.findings.findings) {
    suppressed += finding.is_suppressed;
    if (!finding.is_suppressed) text += page.finding(finding);
  }
  for (const Explored& one : outcome.findings.explored)
    if (one.others != 0) text += page.other_bytes(one);
  for (const Unsupported& one : outcome.findings.unsupported) text += unsupported_line(one);
  for (const Suppression& one : outcome.suppressions)
    if (!one.is_used)
      text += "assay: " + outcome.suppression_file + ":" + std::to_string(one.line) +
              ": suppresses nothing in this run\n";
  // Many programs only look which there are: of interest where it ended badly.
  const bool ended_badly = end_of(outcome).code != 0 || end_of(outcome).signal != 0;
  if (ended_badly && !outcome.findings.asked.empty()) {
    text += "assay: looked for and not found:";
    for (const std::string& name : outcome.findings.asked) text += " " + report::for_terminal(name);
    text += "\n";
  }
  const bool are_alike = std::all_of(outcome.runs.begin(), outcome.runs.end(), [&](const ScheduledRun& run) {
    return end_alike(run.end, outcome.runs[0].end);
  });
  if (!are_alike)
    for (const ScheduledRun& run : outcome.runs)
      text += "assay: schedule=" + run.schedule + ": the program " + in_words(run.end) + "\n";
  const uint64_t launches = outcome.findings.launches();
  const std::string why = why_not_checked(outcome);
  if (launches == 0 && outcome.findings.findings.empty() && !why.empty())
    text += "assay: nothing was checked";
  else
    text += "assay: " + counted(outcome) +
            (suppressed == 0 ? "" : ", " + std::to_string(suppressed) + " suppressed") + " in " +
            std::to_string(launches) + (launches == 1 ? " launch" : " launches");
  if (are_alike && outcome.runs[0].end.has_started) text += "; the program " + in_words(outcome.runs[0].end);
  text += " (" + outcome.device + (outcome.is_strict ? "" : ", not strict") +
          report::for_terminal(schedules_of(outcome)) + ")\n";
  if (!why.empty()) text += "assay: " + report::for_terminal(why) + "\n";
  return text;
}

namespace {

pugi::xml_node add_case(pugi::xml_node suite, const std::string& name, const std::string& kernel) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("name") = report::for_xml(name).c_str();
  node.append_attribute("classname") = report::for_xml(kernel).c_str();
  node.append_attribute("time") = "0";
  return node;
}

void fill(pugi::xml_node node, const std::string& message, const std::string& text) {
  node.append_attribute("message") = report::for_xml(report::shortened(message, 200)).c_str();
  node.append_attribute("type") = "assay";
  node.text() = report::for_xml(text).c_str();
}

std::string places_of(const Finding& finding) {
  std::string text = finding.sentence + "\n";
  for (const Place& place : finding.places)
    text += spelling(place) + ": " + place.text + " (" +
            (place.called_from.empty() ? "" : calls_of(place) + ", ") + place.thread + ", " +
            std::to_string(place.count) + " times)\n";
  return text;
}

}  // namespace

std::string junit(const Outcome& outcome) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = ("assay check " + outcome.device).c_str();
  size_t tests = 1, failures = 0, errors = 0, skipped = 0;
  for (const char* count : {"tests", "failures", "errors", "skipped"}) suite.append_attribute(count) = "";
  for (const Finding& finding : outcome.findings.findings) {
    ++tests;
    pugi::xml_node node = add_case(suite, finding.clause + " " + spelling(finding.places[0]),
                                   short_name(finding.places[0].kernel));
    const std::string message = finding.message.empty() ? finding.sentence : finding.message;
    if (finding.is_warning && !finding.is_suppressed) {
      const std::string text = "warning: " + finding.places[0].what + "\n" + places_of(finding);
      node.append_child("system-out").text() = report::for_xml(text).c_str();
    } else if (finding.is_suppressed) {
      ++skipped;
      node.append_child("skipped").append_attribute("message") = "suppressed";
    } else {
      ++failures;
      fill(node.append_child("failure"), message, places_of(finding));
    }
  }
  for (const Unsupported& one : outcome.findings.unsupported) {
    ++tests;
    ++errors;
    fill(add_case(suite, "supported", short_name(one.call)).append_child("error"), one.sentence, one.text);
  }
  pugi::xml_node program = add_case(suite, "program", outcome.command[0]);
  const ChildEnd& end = end_of(outcome);
  if (const std::string why = why_not_checked(outcome);
      !why.empty() && outcome.findings.unsupported.empty()) {
    ++errors;
    fill(program.append_child("error"), why, why);
  } else if (end.signal != 0 || end.code != 0) {
    ++failures;
    fill(program.append_child("failure"), "the program " + in_words(end), "");
  }
  suite.attribute("tests") = std::to_string(tests).c_str();
  suite.attribute("failures") = std::to_string(failures).c_str();
  suite.attribute("errors") = std::to_string(errors).c_str();
  suite.attribute("skipped") = std::to_string(skipped).c_str();
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

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
  json location = json::object();
  if (!place.kernel.empty())
    location["logicalLocations"] = {
        {{"fullyQualifiedName", report::well_formed(place.kernel)}, {"kind", "function"}}};
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
                     {"level", finding.is_warning ? "warning" : "error"},
                     {"message", text_of((!place.what.empty()       ? place.what
                                          : finding.message.empty() ? finding.sentence
                                                                    : finding.message) +
                                         (place.why.empty() ? "" : "; " + place.why))},
                     {"locations", json::array({location_of(place)})},
                     {"occurrenceCount", std::max<uint64_t>(1, place.count)},
                     {"properties",
                      {{"ptxLine", place.line},
                       {"ptx", report::well_formed(place.text)},
                       {"thread", report::well_formed(place.thread)}}}};
      if (!finding.schedule.empty()) result["properties"]["schedule"] = finding.schedule;
      json related = json::array();
      const auto relate = [&](const Place& one, const std::string& message) {
        json location = location_of(one);
        location["id"] = related.size() + 1;
        location["message"] = text_of(message);
        related.push_back(std::move(location));
      };
      for (const Place& other : place.other) {
        relate(other, other.what + ", by " + other.thread + ", PTX line " + std::to_string(other.line) +
                          ": " + other.text);
        for (const Place& call : other.called_from) relate(call, other.what + ", called from here");
      }
      for (const Place& call : place.called_from) relate(call, "called from here");
      if (!related.empty()) result["relatedLocations"] = std::move(related);
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
         {"exitCode", end_of(outcome).code},
         {"toolExecutionNotifications", notices}}}},
      {"results", results}};
  if (const ChildEnd& end = end_of(outcome); end.signal != 0) {
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
