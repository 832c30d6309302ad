// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "reports/html/sections.h"
#include "reports/seen_rate.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report::html {
namespace {

std::string percent(double part, double whole) {
  return whole > 0 && part > 0 ? std::to_string(static_cast<int>(std::lround(100 * part / whole))) + "\u202F%"
                               : "–";
}

std::string bytes(uint64_t n) {
  if (n == 0) return "–";
  std::string text = compact(static_cast<double>(n));
  return text.insert(text.find_last_of("0123456789") + 1, "\u202F") + "B";
}

void property_row(std::string& page, const Results& results, size_t d, size_t p) {
  const DeviceResult& device = results.devices[d];
  const PropertyResult& property = device.properties[p];
  const PropertyTotals& totals = property.totals;
  const uint64_t cases = property.cases();
  const uint64_t as_expected = property.counts[static_cast<size_t>(Verdict::conforms)];
  std::string listed;
  for (const std::string& rule : property.info.rules) listed += rule + " ";
  page += "<tr data-row data-status=\"" + std::string(name(property.verdict)) + "\" data-device=\"" +
          esc(device.info.spec + " " + device.info.evidence) + "\" data-property=\"" +
          esc(property.info.name) + "\" data-rule=\"" + esc(listed) + "\" id=\"" +
          property_anchor(results, d, p) + "\"><td class=\"tag\">" + pill(property.verdict) +
          "</td><td class=\"name\"><b>" + esc(property.info.name) + "</b><br><span class=\"soft\">" +
          esc(property.info.claim) + "</span>";
  if (!property.info.rules.empty()) {
    page += "<br>";
    for (const std::string& id : property.info.rules)
      page += "<a class=\"chip\" href=\"#" + rule_anchor(id) + "\">" + esc(id) + "</a>";
  }
  // What a reader must know beyond the verdict's word: why, and how many of what.
  const auto kinds =
      std::count_if(property.counts.begin(), property.counts.end(), [](uint64_t n) { return n != 0; });
  std::string why;
  if (kinds > 1)
    why = counted(property.counts);
  else if (property.verdict != Verdict::conforms)
    why = outcome(property);
  if (!property.reason.empty() && why.find(property.reason) == std::string::npos)
    why += (why.empty() ? "" : "; ") + property.reason;
  if (!why.empty()) page += "<p>" + esc(why) + "</p>";
  if (!property.failures.empty())
    page += "<p><a href=\"#" + failure_anchor(results, {d, p, 0}) + "\">" +
            (property.failures.size() == 1 ? "one failure signature"
                                           : num(property.failures.size()) + " failure signatures") +
            "</a></p>";
  const uint64_t one_in = seen_one_in(telling_cases(property));
  page += "</td><td class=\"num\" data-cases>" + num(cases) + "</td><td class=\"num\" data-other>" +
          num(cases - as_expected) + "</td><td class=\"num\" data-seen>" +
          (one_in == 0 ? "–" : "1 in " + num(one_in)) + "</td><td class=\"num\">";
  page +=
      totals.seconds > 0 && cases != 0 ? compact(static_cast<double>(cases) / totals.seconds) + "/s" : "–";
  page += "</td><td class=\"num x\">" + bytes(totals.tile_bytes) + "</td><td class=\"num x\">" +
          percent(totals.device_busy_seconds, totals.seconds) + "</td><td class=\"num x\">";
  char cores[32];
  std::snprintf(cores, sizeof cores, "%.1f",
                totals.seconds > 0 ? totals.host_busy_seconds / totals.seconds : 0);
  page += totals.host_busy_seconds > 0 ? cores : "–";
  page += "</td><td class=\"num\">" + (totals.seconds > 0 ? duration(totals.seconds) : "–") + "</td></tr>\n";
}

}  // namespace

void properties(std::string& page, const Results& results) {
  page +=
      "<h2 id=\"properties\">Properties</h2><p class=\"lead\">One verdict for each property on each device: "
      "the most "
      "severe one among its cases. “Other” counts judged cases that do not simply conform. “Would see” is "
      "the rarest fault, one case in "
      "N, that the cases would have shown with 95\u202F% confidence.</p>";
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const DeviceResult& device = results.devices[d];
    page += "<h3 id=\"" + device_anchor(results, d) + "\">" + kind(device) + " " + esc(device.info.name) +
            " <span class=\"soft mono\">" + esc(device.info.spec) + "</span></h3>";
    if (const std::string seen = seen_line(device); !seen.empty())
      page += "<p class=\"soft\">" + esc(seen) + "</p>";
    if (results.devices.size() > 2)
      for (const std::string& where : where_it_fails(device))
        page += "<p class=\"soft\">" + esc(where) + "</p>";
    page +=
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"t\" "
        "data-table=\"properties\"><thead><tr><th>Verdict</th>"
        "<th>Property</th><th class=\"num\">Cases</th><th class=\"num\">Other</th>"
        "<th class=\"num\">Would see</th><th class=\"num\">Rate</th>"
        "<th class=\"num x\">Compared</th><th class=\"num x\">Device busy</th><th class=\"num x\">Host "
        "cores</th>"
        "<th class=\"num\">Time</th></tr></thead><tbody>\n";
    for (size_t p = 0; p < device.properties.size(); ++p) property_row(page, results, d, p);
    page += "</tbody></table></div>\n";
  }
}

}  // namespace assay::report::html
