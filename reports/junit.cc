// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "reports/blame.h"
#include "reports/overview.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

// In the strict profile no test case has properties or output of its own, as both public schemas want it;
// adopted readings and waivers are named in the suite's system-out.
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
        << shown(group.verdict) << ", " << group.count << (group.count == 1 ? " case" : " cases") << ": "
        << example.message << "\n";
    if (const std::string again = repeats(group); !again.empty()) out << again << "\n";
    if (!example.replay.empty()) out << "replay: " << example.replay << "\n";
    for (const auto& [field, value] : example.fields) out << "  " << field << " = " << value << "\n";
    if (const std::string blame = blame_line(group); !blame.empty()) out << blame << "\n";
    if (!example.detail.empty()) out << example.detail << "\n";
  }
  const std::string text = for_xml(out.str());
  return text.size() <= text_limit ? text
                                   : shortened(text, text_limit - 40) + "\n(the rest is in report.html)\n";
}

struct Tally {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

/// What is the same for all test cases of one writing.
struct Setting {
  const Results& results;
  const JunitOptions& options;
  std::filesystem::path folder;  ///< of the file: case files lie in cases/ below it
  double share = 1;              ///< running_share()
};

/// Whole milliseconds, rounded down: the sum of many is not above the run's time either.
double own_seconds(const Setting& setting, const PropertyResult& property) {
  return std::floor(seconds_ran(property, setting.share) * 1000) / 1000;
}

/// Case files of the property's failures that exist, as paths from where the run was started.
std::vector<std::string> attachments(const Setting& setting, const PropertyResult& property) {
  std::vector<std::string> files;
  for (const FailureGroup& group : property.failures)
    for (const CaseRow& example : group.examples)
      for (const char* extension : {".json", ".cu"}) {
        const auto file = setting.folder / "cases" / (example.case_id + extension);
        if (std::filesystem::exists(file)) files.push_back(file.string());
      }
  return files;
}

/// Jenkins and GitLab take [[ATTACHMENT|...]] from a test case's output, Testspace and others
/// [[PROPERTY|...]].
void add_rich(pugi::xml_node node, const Setting& setting, const DeviceResult& device,
              const PropertyResult& property) {
  const std::vector<std::string> files = attachments(setting, property);
  if (!files.empty()) {
    node.append_attribute("file") = for_xml(files.front()).c_str();
    node.append_attribute("line") = 1;
  }
  const std::pair<const char*, std::string> facts[] = {
      {"evidence", device.info.evidence},
      {"device", device.info.spec},
      {"seed", std::to_string(setting.results.run.seed)},
      {"verdict", std::string(name(property.verdict))},
      {"verdicts", counted(property.counts)},
      {"fingerprint", property.totals.fingerprint},
  };
  pugi::xml_node properties = node.append_child("properties");
  std::string out;
  for (const auto& [key, value] : facts) {
    add_property(properties, key, value);
    out += "[[PROPERTY|" + std::string(key) + "=" + for_xml(first_line(value)) + "]]\n";
  }
  out += outcome(property) + "\n";
  for (const FailureGroup& group : property.failures)
    if (group.verdict == Verdict::waived)
      out += "waived by " + group.waiver + ": " + signature_words(group.signature) + "\n";
  out = shortened(for_xml(out), text_limit / 2);
  // Each on a line of its own, after all other text; what does not fit in the limit is left out whole.
  for (const std::string& file : files) {
    const std::string line = "\n[[ATTACHMENT|" + for_xml(file) + "]]";
    if (out.size() + line.size() < text_limit) out += line;
  }
  node.append_child("system-out").text().set((out + "\n").c_str());
}

void add_flaky_failure(pugi::xml_node node, const Results& results, const DeviceResult& device,
                       const PropertyResult& property) {
  pugi::xml_node flaky = node.append_child("flakyFailure");
  flaky.append_attribute("message") = message(results, property).c_str();
  flaky.append_attribute("type") = "Flaky";
  flaky.append_child("stackTrace").text().set(body(results, device, property).c_str());
}

void add_case(pugi::xml_node suite, const Setting& setting, const DeviceResult& device,
              const std::string& label, const PropertyResult& property, Tally& tally) {
  const Results& results = setting.results;
  const bool rich = setting.options.profile == JunitProfile::rich;
  pugi::xml_node node = suite.append_child("testcase");
  const std::string name = token(property.info.name, "unnamed");
  const size_t dot = name.rfind('.');
  node.append_attribute("name") = name.c_str();
  node.append_attribute("classname") =
      (label + (dot == std::string::npos ? "" : "." + name.substr(0, dot))).c_str();
  node.append_attribute("time") = seconds(own_seconds(setting, property)).c_str();
  ++tally.tests;
  const VerdictRow& r = row(property.verdict);
  // What does not fail the run does not fail here.
  const bool tolerated = results.flaky_warns && property.verdict == Verdict::flaky && property.exit_code == 0;
  const JunitElement element = tolerated ? JunitElement::none : r.element;
  switch (element) {
    case JunitElement::none:
      if (rich && tolerated) add_flaky_failure(node, results, device, property);
      break;
    case JunitElement::skipped:
      ++tally.skipped;
      node.append_child("skipped").append_attribute("message") = message(results, property).c_str();
      break;
    case JunitElement::failure:
      ++tally.failures;
      break;
    case JunitElement::error:
      ++tally.errors;
      break;
  }
  if (element == JunitElement::failure || element == JunitElement::error) {
    pugi::xml_node bad = node.append_child(element == JunitElement::failure ? "failure" : "error");
    bad.append_attribute("message") = message(results, property).c_str();
    bad.append_attribute("type") = std::string(r.type).c_str();
    bad.text().set(body(results, device, property).c_str());
  }
  if (rich) add_rich(node, setting, device, property);
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
        out << "waived by " << group.waiver << ": " << signature_words(group.signature) << ", " << group.count
            << (group.count == 1 ? " case\n" : " cases\n");
    if (results.flaky_warns && property.verdict == Verdict::flaky)
      out << "flaky, which only warns: " << property.info.name << "\n";
  }
  for (const WaiverRow& waiver : device.waivers)
    out << "waiver " << waiver.id << " (" << waiver.state << ", " << waiver.cases << " cases, until "
        << waiver.expires << "): " << waiver.reason << " " << waiver.link << "\n";
  for (const std::string& where : where_it_fails(device)) out << where << "\n";
  for (const Finding& finding : results.findings)
    if (is_about(finding, device))
      out << "finding: " << finding.kind << ": " << finding.words << " (" << finding.times << ")\n";
  return shortened(for_xml(out.str()), text_limit);
}

/// The test cases of one device in one file.
struct DevicePart {
  const DeviceResult* device = nullptr;
  std::string label;
  std::vector<const PropertyResult*> properties;
};
using File = std::vector<DevicePart>;

void add_suite(pugi::xml_node root, const Setting& setting, const DevicePart& part, int id) {
  const Results& results = setting.results;
  const DeviceResult& device = *part.device;
  pugi::xml_node suite = root.append_child("testsuite");
  suite.append_attribute("package") = part.label.c_str();
  suite.append_attribute("id") = id;
  suite.append_attribute("name") = part.label.c_str();
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
  for (const PropertyResult* property : part.properties) {
    add_case(suite, setting, device, part.label, *property, tally);
    total += own_seconds(setting, *property);
  }
  tests = tally.tests, failures = tally.failures, errors = tally.errors, skipped = tally.skipped;
  time = seconds(total).c_str();
  std::string output = remarks(results, device);
  if (const size_t left = device.properties.size() - part.properties.size(); left != 0)
    output += std::to_string(left) + " of " + std::to_string(device.properties.size()) +
              " properties are not in this suite; all are in report.html\n";
  suite.append_child("system-out").text().set(output.c_str());
  suite.append_child("system-err").text().set(results.finished ? "" : "the run has not finished");
}

/// Bytes of a test case as it is written.
size_t written_size(const Setting& setting, const DevicePart& part, const PropertyResult& property) {
  pugi::xml_document document;
  Tally ignored;
  add_case(document, setting, *part.device, part.label, property, ignored);
  std::ostringstream out;
  document.save(out, " ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return out.str().size() + 64;  // deeper indentation
}

/// Splits the test cases into files that stay below the limits. A device without properties has a suite too.
std::vector<File> divide(const Setting& setting) {
  constexpr size_t suite_bytes = 2 * text_limit + 8192;  // its properties and output
  const JunitOptions& options = setting.options;
  std::vector<File> files(1);
  size_t bytes = 0, cases = 0, failures = 0;
  std::map<std::string, int> used;
  for (const DeviceResult& device : setting.results.devices) {
    std::string label = device_label(device.info);
    if (const int n = ++used[label]; n > 1) label += "_" + std::to_string(n);
    files.back().push_back({&device, label, {}});
    bytes += suite_bytes;
    for (const PropertyResult& property : device.properties) {
      if (options.most_failures != 0 && (property.exit_code == 0 || ++failures > options.most_failures))
        continue;
      const size_t size = written_size(setting, files.back().back(), property);
      if (cases != 0 && (bytes + size > options.most_bytes || cases + 1 > options.most_cases)) {
        if (files.back().back().properties.empty()) files.back().pop_back();
        files.push_back({{&device, label, {}}});
        bytes = suite_bytes, cases = 0;
      }
      files.back().back().properties.push_back(&property);
      bytes += size;
      ++cases;
    }
  }
  return files;
}

std::string text_of(const Setting& setting, const File& file) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  // The library writes the "<!--" and "-->" of a comment.
  const std::string mark(report_mark.substr(4, report_mark.size() - 7));
  document.append_child(pugi::node_comment).set_value(mark.c_str());
  pugi::xml_node root = document.append_child("testsuites");
  int id = 0;
  for (const DevicePart& part : file) add_suite(root, setting, part, id++);
  std::ostringstream out;
  document.save(out, " ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

/// junit.xml and junit-1-of-3.xml beside it, whichever are there.
std::vector<std::filesystem::path> earlier_files(const std::filesystem::path& xml) {
  std::vector<std::filesystem::path> found;
  const auto folder = xml.has_parent_path() ? xml.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::filesystem::path name = entry.path().filename();
    if (is_report_or_part(name.string(), xml.filename().string())) found.push_back(xml.parent_path() / name);
  }
  return found;
}

}  // namespace

std::optional<JunitProfile> parse_junit_profile(std::string_view text) {
  if (text == "strict") return JunitProfile::strict;
  if (text == "rich") return JunitProfile::rich;
  return std::nullopt;
}

std::vector<std::filesystem::path> write_junit(const std::filesystem::path& db,
                                               const std::filesystem::path& xml,
                                               const JunitOptions& options) {
  const Results results = read_results(db, {1, 60});
  const Setting setting{results, options, xml.parent_path(), running_share(results)};
  const std::vector<File> files = divide(setting);
  std::vector<std::filesystem::path> written;
  for (size_t k = 0; k < files.size(); ++k) {
    std::filesystem::path path = xml;
    if (files.size() > 1)
      path.replace_filename(xml.stem().string() + "-" + std::to_string(k + 1) + "-of-" +
                            std::to_string(files.size()) + xml.extension().string());
    write_whole_file(path, text_of(setting, files[k]));
    written.push_back(std::move(path));
  }
  // A glob over junit*.xml must not count a case twice.
  for (const auto& old : earlier_files(xml))
    if (std::find(written.begin(), written.end(), old) == written.end()) std::filesystem::remove(old);
  return written;
}

void write_junit(const std::filesystem::path& db, const std::filesystem::path& xml) {
  write_junit(db, xml, JunitOptions{});
}

}  // namespace assay::report
