// SPDX-License-Identifier: Apache-2.0
#include <pugixml.hpp>
#include <sstream>

#include "cli/check/outcome.h"
#include "reports/text.h"

namespace assay::cli::check {
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
    text += spelling(place) + ": " + place.text + " (" + place.thread + ", " + std::to_string(place.count) +
            " times)\n";
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
    if (finding.is_suppressed) {
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
  const ChildEnd& end = outcome.runs.back().end;
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

}  // namespace assay::cli::check
