// SPDX-License-Identifier: Apache-2.0
#include "reports/lines.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report {
namespace {

/// A description may not hold '#', which begins a directive, nor begin with a number.
std::string description(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(bytes)) {
    if (c == '#' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

/// A YAML scalar in single quotes.
std::string yaml_text(std::string_view bytes) {
  std::string text;
  for (const char c : for_terminal(first_line(bytes))) {
    if (c == '\'') text += '\'';
    text += c;
  }
  return "'" + text + "'";
}

void add_diagnosis(std::string& out, const PropertyResult& property) {
  out += "  ---\n  verdict: " + yaml_text(name(property.verdict)) +
         "\n  message: " + yaml_text(outcome(property)) + "\n";
  for (const FailureGroup& group : property.failures) {
    if (!fails(group.verdict) || group.examples.empty()) continue;
    out += "  first: " + yaml_text(headline(group.examples.front())) + "\n";
    if (!group.examples.front().replay.empty())
      out += "  replay: " + yaml_text(group.examples.front().replay) + "\n";
    break;
  }
  out += "  ...\n";
}

}  // namespace

std::string tap_text(const std::filesystem::path& db) {
  const Results results = read_results(db, {1, 60});
  size_t points = 0;
  for (const DeviceResult& device : results.devices) points += device.properties.size();
  std::string out = "TAP version 13\n1.." + std::to_string(points) + "\n";
  size_t number = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      const bool bad = property.exit_code != 0;
      out += std::string(bad ? "not ok " : "ok ") + std::to_string(++number) + " - " +
             description(property.info.name + " on " + device.info.evidence + ", " + device.info.spec);
      if (property.verdict == Verdict::declined)
        out += " # SKIP " + description(property.reason);
      else if (property.verdict != Verdict::conforms)
        out += ": " + std::string(shown(property.verdict));
      out += "\n";
      if (bad) add_diagnosis(out, property);
    }
  for (const std::string& line : {std::string(shown(results.verdict)) + ", " + outcome(results) +
                                  "; exit code " + std::to_string(results.exit_code)})
    out += "# " + for_terminal(line) + "\n";
  return out;
}

}  // namespace assay::report
