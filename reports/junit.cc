#include <algorithm>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "reports/results.h"
#include "reports/text.h"
#include "reports/whole_file.h"
#include "reports/words.h"

// The strict profile: what both public schemas accept (reports/schema/), so no test case has properties or
// output of its own; adopted readings and waivers are named in the suite's system-out.
namespace assay::report {
namespace {

constexpr size_t message_limit = 200;    // bytes of the message attribute: lists show about so much
constexpr size_t text_limit = 8 * 1024;  // bytes of text a case

std::string seconds(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f", value < 0 || !(value < 1e12) ? 0.0 : value);
  return text;
}

std::string token(std::string_view bytes, std::string_view otherwise) {
  const std::string text = for_xml(bytes);
  return text.find_first_not_of(" \t\r\n") == std::string::npos ? std::string(otherwise) : text;
}

void add_property(pugi::xml_node properties, const char* name, std::string_view value) {
  pugi::xml_node node = properties.append_child("property");
  node.append_attribute("name") = name;
  node.append_attribute("value") = for_xml(value).c_str();
}

const CaseRow* first_example(const PropertyResult& property) {
  for (const FailureGroup& group : property.failures)
    if (group.verdict == property.verdict && !group.examples.empty()) return &group.examples.front();
  return nullptr;
}

/// Self-sufficient in a list that shows nothing else: what failed, and how to see it again.
std::string message(const Results& results, const PropertyResult& property) {
  const CaseRow* example = first_example(property);
  const std::string what = example != nullptr ? headline(*example) : outcome(property);
  const std::string text = for_xml(first_line(property.info.name + ": " + what));
  if (property.verdict == Verdict::declined) return shortened(text, message_limit);
  // The replay line where it fits; it stands in the text below in any case.
  const std::string replay = example == nullptr ? "" : "; " + for_xml(first_line(example->replay));
  const std::string seed = "; seed " + std::to_string(results.run.seed);
  const std::string& tail = replay.size() > 2 && text.size() + replay.size() <= message_limit ? replay : seed;
  return shortened(text, message_limit - tail.size()) + tail;
}

std::string body(const Results& results, const DeviceResult& device, const PropertyResult& property) {
  std::ostringstream out;
  out << property.info.name << " on " << device.info.evidence << " (" << device.info.spec << ")\n"
      << property.info.claim << "\n"
      << outcome(property) << "\n"
      << "verdicts: " << counted(property.counts) << "\nseed: " << results.run.seed << "\n";
  for (const FailureGroup& group : property.failures) {
    if (!fails(group.verdict) || group.examples.empty()) continue;
    const CaseRow& example = group.examples.front();
    out << "\n"
        << name(group.verdict) << ", " << group.rows << (group.rows == 1 ? " case" : " cases")
        << " recorded: " << example.message << "\n";
    if (!example.replay.empty()) out << "replay: " << example.replay << "\n";
    for (const auto& [field, value] : example.fields) out << "  " << field << " = " << value << "\n";
    if (!example.rules.empty()) {
      out << "rules:";
      for (const std::string& rule : example.rules) out << ' ' << rule;
      out << "\n";
    }
    if (!example.detail.empty()) out << example.detail << "\n";
  }
  const std::string text = for_xml(out.str());
  return text.size() <= text_limit ? text
                                   : shortened(text, text_limit - 40) + "\n(the rest is in report.html)\n";
}

struct Tally {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

void add_case(pugi::xml_node suite, const Results& results, const DeviceResult& device,
              const std::string& label, const PropertyResult& property, Tally& tally) {
  pugi::xml_node node = suite.append_child("testcase");
  const std::string name = token(property.info.name, "unnamed");
  const size_t dot = name.rfind('.');
  node.append_attribute("name") = name.c_str();
  node.append_attribute("classname") =
      (label + (dot == std::string::npos ? "" : "." + name.substr(0, dot))).c_str();
  node.append_attribute("time") = seconds(property.totals.seconds).c_str();
  ++tally.tests;
  const VerdictRow& r = row(property.verdict);
  switch (r.element) {
    case JunitElement::none:
      return;
    case JunitElement::skipped:
      ++tally.skipped;
      node.append_child("skipped").append_attribute("message") = message(results, property).c_str();
      return;
    case JunitElement::failure:
      ++tally.failures;
      break;
    case JunitElement::error:
      ++tally.errors;
      break;
  }
  pugi::xml_node bad = node.append_child(r.element == JunitElement::failure ? "failure" : "error");
  bad.append_attribute("message") = message(results, property).c_str();
  bad.append_attribute("type") = std::string(r.type).c_str();
  bad.text().set(body(results, device, property).c_str());
}

std::string remarks(const Results& results, const DeviceResult& device) {
  std::ostringstream out;
  out << "evidence: " << device.info.evidence << "\n";
  for (const ReadingRow& reading : device.readings)
    if (is_adopted(reading)) out << "adopted reading: " << reading_line(reading) << "\n";
  for (const PropertyResult& property : device.properties) {
    if (property.verdict == Verdict::adopted_reading)
      out << "adopted-reading: " << property.info.name << "\n";
    for (const FailureGroup& group : property.failures)
      if (group.verdict == Verdict::waived)
        out << "waived: " << property.info.name << ", " << group.rows << " x " << group.signature << "\n";
  }
  for (const Finding& finding : results.findings)
    if (finding.device == device.info.spec)
      out << "finding: " << finding.kind << ": " << finding.words << " (" << finding.times << ")\n";
  return shortened(for_xml(out.str()), text_limit);
}

void add_suite(pugi::xml_node root, const Results& results, const DeviceResult& device, int id,
               const std::string& label) {
  pugi::xml_node suite = root.append_child("testsuite");
  suite.append_attribute("package") = label.c_str();
  suite.append_attribute("id") = id;
  suite.append_attribute("name") = label.c_str();
  suite.append_attribute("timestamp") =
      is_timestamp(results.run.started_utc) ? results.run.started_utc.c_str() : "1970-01-01T00:00:00";
  suite.append_attribute("hostname") = token(results.run.host, "localhost").c_str();
  pugi::xml_attribute tests = suite.append_attribute("tests"), failures = suite.append_attribute("failures"),
                      errors = suite.append_attribute("errors"), skipped = suite.append_attribute("skipped"),
                      time = suite.append_attribute("time");

  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "evidence", device.info.evidence);
  add_property(properties, "device", device.info.spec);
  add_property(properties, "architecture", device.info.architecture);
  add_property(properties, "device.name", device.info.name);
  if (!device.info.uuid.empty()) add_property(properties, "device.uuid", device.info.uuid);
  add_property(properties, "seed", std::to_string(results.run.seed));
  add_property(properties, "run", results.run.run_id);
  add_property(properties, "command", results.run.command_line);
  add_property(properties, "version", results.run.version + " " + results.run.commit);
  add_property(properties, "finished", results.finished ? "yes" : "no");
  add_property(properties, "exit", std::to_string(results.exit_code));

  Tally tally;
  double total = 0;
  for (const PropertyResult& property : device.properties) {
    add_case(suite, results, device, label, property, tally);
    total += property.totals.seconds;
  }
  tests = tally.tests, failures = tally.failures, errors = tally.errors, skipped = tally.skipped;
  // Properties share the device: their times overlap, and the suite took no longer than the run.
  const double whole = seconds_between(results.run.started_utc, results.finished_utc);
  time = seconds(whole >= 0 ? std::min(total, whole + 1) : total).c_str();
  suite.append_child("system-out").text().set(remarks(results, device).c_str());
  suite.append_child("system-err").text().set(results.finished ? "" : "the run has not finished");
}

}  // namespace

void write_junit(const std::filesystem::path& db, const std::filesystem::path& xml) {
  const Results results = read_results(db, {1, 60});
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  std::map<std::string, int> used;
  int id = 0;
  for (const DeviceResult& device : results.devices) {
    std::string label = device_label(device.info);
    if (const int n = ++used[label]; n > 1) label += "_" + std::to_string(n);
    add_suite(root, results, device, id++, label);
  }
  std::ostringstream out;
  document.save(out, " ", pugi::format_indent, pugi::encoding_utf8);
  write_whole_file(xml, out.str());
}

}  // namespace assay::report
