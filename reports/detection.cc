// SPDX-License-Identifier: Apache-2.0
#include "reports/detection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "reports/text.h"

namespace assay::report {
namespace {

void add_areas(std::string& text, const std::vector<DetectionRow>& rows) {
  std::map<std::string, std::vector<uint64_t>> areas;
  for (const DetectionRow& row : rows)
    if (row.detected == Detected::caught || row.detected == Detected::adopted)
      areas[area_of(row.property)].push_back(row.cases);
  text += "\n| properties that caught | tests | cases, median | cases, most |\n|---|---:|---:|---:|\n";
  for (auto& [area, cases] : areas) {
    std::sort(cases.begin(), cases.end());
    text += "| `" + area + ".*` | " + std::to_string(cases.size()) + " | " +
            grouped(cases[cases.size() / 2], ",") + " | " + grouped(cases.back(), ",") + " |\n";
  }
}

}  // namespace

std::string area_of(const std::string& property) {
  const size_t first = property.find('.'), second = property.find('.', first + 1);
  return property.substr(0, second == std::string::npos ? first : second);
}

std::string faults_words(const std::vector<DetectionRow>& rows) {
  std::set<std::string_view> names;
  for (const DetectionRow& row : rows) names.insert(row.fault);
  return std::to_string(names.size()) + (names.size() == 1 ? " fault" : " faults") + ", tested " +
         std::to_string(rows.size()) + (rows.size() == 1 ? " time" : " times") +
         " on the architectures that have the affected feature";
}

bool is_whole(const std::vector<DetectionRow>& rows) {
  return std::none_of(rows.begin(), rows.end(), [](const DetectionRow& row) {
    return row.detected == Detected::survived || row.detected == Detected::refuted;
  });
}

std::string detection_markdown(const DetectionHeader& header, const std::vector<DetectionRow>& rows) {
  std::map<Detected, size_t> counts;
  std::array<size_t, 4> within{};  // 10, 100, 1000, 10000 cases
  std::vector<uint64_t> cases;
  for (const DetectionRow& row : rows) {
    ++counts[row.detected];
    if (row.detected != Detected::caught && row.detected != Detected::adopted) continue;
    cases.push_back(row.cases);
    uint64_t limit = 10;
    for (size_t& count : within) {
      count += row.cases <= limit;
      limit *= 10;
    }
  }
  std::sort(cases.begin(), cases.end());
  const size_t seen = cases.size();
  std::string text =
      "# What the suites detect\n\n" +
      wrapped(
          "`devices/faults` lists known defects of hardware, driver or kernel, one row each, injected below "
          "the seam of the emulated device. Each row names the properties that must catch it and the number "
          "of cases that they need; the tests `Fault` and `FaultLong` check that "
          "([testing.md](testing.md)).") +
      "\n\n" +
      wrapped(
          "This page is a measurement of the whole catalogue. On every architecture that has the affected "
          "feature, each fault was tested with every property that the device can run, as in `assay run`, "
          "until the first failed. Case counts are those of that property alone. Cases are made from seed " +
          std::to_string(header.seed) +
          ", so the figures are the same on every machine. All results are from the emulator, none from "
          "silicon. The command, which also writes a page with every row:") +
      "\n\n```sh\n" + header.command + "\n```\n\n";
  std::string outcomes = faults_words(rows) + ": " + std::to_string(counts[Detected::caught]) + " caught, " +
                         std::to_string(counts[Detected::adopted]) +
                         " reported as another reading of an open question, which is what they are, " +
                         std::to_string(counts[Detected::survived]) + " survived (" + header.budget +
                         " each on one core, " + header.rare_budget + " for rare ones), " +
                         std::to_string(counts[Detected::unobservable]) +
                         " change nothing that a program can observe (argued below, and not caught)";
  if (counts[Detected::refuted] != 0)
    outcomes += ", " + std::to_string(counts[Detected::refuted]) + " claimed to be unobservable but caught";
  text += wrapped(outcomes + ".") + "\n";
  if (seen != 0)
    text +=
        "\n" +
        wrapped("Seen within 10 cases: " + std::to_string(within[0]) +
                "; 100 cases: " + std::to_string(within[1]) + "; 1,000 cases: " + std::to_string(within[2]) +
                "; 10,000 cases: " + std::to_string(within[3]) + " of " + std::to_string(seen) + ". Median " +
                std::to_string(cases[seen / 2]) + ", maximum " + grouped(cases.back(), ",") + ".") +
        "\n";
  add_areas(text, rows);
  if (counts[Detected::unobservable] + counts[Detected::refuted] != 0) {
    text += "\n## Not observable\n\n";
    std::set<std::string_view> argued;
    for (const DetectionRow& row : rows)
      if (!row.reason.empty() && argued.insert(row.fault).second)
        text += wrapped("- `" + row.fault + "`: " + row.reason, "  ") + "\n";
  }
  return text;
}

namespace {

const double log_of_miss = std::log(0.05);

}  // namespace

uint64_t seen_one_in(uint64_t cases) {
  if (cases == 0) return 0;
  return static_cast<uint64_t>(-1 / std::expm1(log_of_miss / static_cast<double>(cases)));
}

uint64_t cases_to_see(uint64_t one_in) {
  if (one_in <= 1) return 1;
  return static_cast<uint64_t>(std::ceil(log_of_miss / std::log1p(-1 / static_cast<double>(one_in))));
}

uint64_t telling_cases(const PropertyResult& property) {
  return property.cases() - property.counts[static_cast<size_t>(Verdict::no_demand)];
}

std::string seen_words(uint64_t cases) {
  const uint64_t one_in = seen_one_in(cases);
  if (one_in == 0) return "would have caught no defect";
  if (one_in == 1) return "would have caught only a defect of every case (95 % confidence)";
  return "would have caught a 1-in-" + grouped(one_in, ",") + " defect (95 % confidence)";
}

std::string seen_line(const DeviceResult& device) {
  uint64_t asked = 0, enough = 0;
  for (const PropertyResult& property : device.properties) {
    const uint64_t cases = telling_cases(property);
    if (cases == 0) continue;  // its verdict says why
    ++asked;
    enough += cases >= cases_to_see(night_rate);
  }
  if (asked == 0) return {};
  const std::string who = enough == 0 ? "No property"
                          : enough == asked
                              ? "Every property"
                              : grouped(enough, ",") + " of " + grouped(asked, ",") + " properties";
  return who + " ran enough cases to catch a 1-in-" + grouped(night_rate, ",") +
         " defect at 95 % confidence (" + grouped(cases_to_see(night_rate), ",") + " needed).";
}

Absence absence(uint64_t failed, uint64_t of, uint64_t now, bool same_cases) {
  if (same_cases) return {true, {}};
  const std::string seen = "not seen in " + grouped(now, ",") + (now == 1 ? " case" : " cases");
  if (failed == 0 || of == 0) return {false, seen};
  const double expected = static_cast<double>(failed) / static_cast<double>(of) * static_cast<double>(now);
  // Of independent cases none fails with probability e^-expected.
  if (std::exp(-expected) < 0.01) return {true, {}};
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", expected);
  return {false, seen + ", " + digits + " expected"};
}

}  // namespace assay::report
