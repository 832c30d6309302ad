// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/detection.h"
#include "reports/html/sections.h"
#include "reports/overview.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report::html {
namespace {

/// What a reader must know beyond the verdict's word: why, and how many of what.
std::string why(const PropertyResult& property) {
  const auto kinds =
      std::count_if(property.counts.begin(), property.counts.end(), [](uint64_t n) { return n != 0; });
  std::string text;
  if (kinds > 1)
    text = counted(property.counts);
  else if (property.verdict != Verdict::conforms)
    text = outcome(property);
  if (!property.reason.empty() && text.find(property.reason) == std::string::npos)
    text += (text.empty() ? "" : "; ") + property.reason;
  return text;
}

void property_row(std::string& page, const Results& results, size_t d, size_t p, double share) {
  const DeviceResult& device = results.devices[d];
  const PropertyResult& property = device.properties[p];
  const uint64_t cases = property.cases();
  const double seconds = seconds_ran(property, share);
  std::string listed, links;
  for (const std::string& rule : property.info.rules) {
    listed += rule + " ";
    links += (links.empty() ? "" : " ") + ("<a href=\"#" + rule_anchor(rule) + "\">" + esc(rule) + "</a>");
  }
  page += "<tr data-row data-status=\"" + std::string(name(property.verdict)) + " " +
          std::string(shown(property.verdict)) + "\" data-device=\"" +
          esc(device.info.spec + " " + device.info.evidence) + "\" data-property=\"" +
          esc(property.info.name) + "\" data-rule=\"" + esc(listed) + "\" id=\"" +
          property_anchor(results, d, p) + "\"><td class=\"tag\">" + pill(property.verdict) +
          "</td><td class=\"name\"><b>" + esc(property.info.name) + "</b> <span class=\"soft\">" +
          esc(property.info.claim) + "</span><br>";
  if (const std::string words = why(property); !words.empty()) page += "<p>" + esc(words) + "</p>";
  if (!property.failures.empty())
    page += "<p><a href=\"#" + failure_anchor(results, {d, p, 0}) + "\">" +
            (property.failures.size() == 1 ? "one failure signature"
                                           : num(property.failures.size()) + " failure signatures") +
            "</a></p>";
  if (!links.empty())
    page += "<details class=\"more\"><summary>" + num(property.info.rules.size()) +
            (property.info.rules.size() == 1 ? " rule" : " rules") + "</summary>" + links + "</details>";
  page += "</td><td class=\"num\" data-label=\"cases\" data-cases>" + num(cases) +
          "</td><td class=\"num\" data-label=\"sensitivity\">" + sensitivity(telling_cases(property)) +
          "</td><td class=\"num\" data-label=\"rate\">" +
          (seconds > 0 && cases != 0 ? compact(static_cast<double>(cases) / seconds) + "/s" : "–") +
          "</td></tr>\n";
}

void open_table(std::string& page) {
  page +=
      "<table class=\"t\" data-table=\"properties\"><thead><tr><th>Verdict</th><th>Property</th><th "
      "class=\"num\">Cases</th><th class=\"num\">Sensitivity</th><th "
      "class=\"num\">Rate</th></tr></thead><tbody>\n";
}

/// An area of which nothing failed: a line, with its properties behind it.
void area_block(std::string& page, const Results& results, size_t d, const Area& area,
                const std::vector<size_t>& properties, double share) {
  const DeviceResult& device = results.devices[d];
  Verdict verdict = Verdict::declined;
  uint64_t cases = 0, fewest = ~uint64_t{0};
  VerdictCounts counts{};
  for (const size_t p : properties) {
    if (const uint64_t telling = telling_cases(device.properties[p]); telling != 0)
      fewest = std::min(fewest, telling);
    verdict = worse(verdict, device.properties[p].verdict);
    cases += device.properties[p].cases();
    ++counts[static_cast<size_t>(device.properties[p].verdict)];
  }
  page += "<details class=\"fail area\"><summary>" + pill(verdict) + " <b>" + esc(area.name) +
          "</b> <span class=\"soft\">" + esc(counted(counts)) + " · " + num(cases) +
          (cases == 1 ? " case" : " cases") + "</span>" +
          (fewest == ~uint64_t{0} ? ""
                                  : " <span class=\"weakest\">" + sensitivity(fewest) + " or better</span>") +
          "</summary>";
  open_table(page);
  for (const size_t p : properties) property_row(page, results, d, p, share);
  page += "</tbody></table></details>\n";
}

void skipped(std::string& page, const Results& results, size_t d) {
  const DeviceResult& device = results.devices[d];
  const std::vector<Skips> skips = skips_of(device);
  if (skips.empty()) return;
  size_t all = 0;
  for (const Skips& skip : skips) all += skip.properties.size();
  page += "<details class=\"fail area\"><summary>" + pill(Verdict::declined) + " <b>" + num(all) +
          (all == 1 ? " property" : " properties") + "</b></summary><table class=\"t\"><tbody>\n";
  for (const Skips& skip : skips) {
    std::string names;
    for (const size_t p : skip.properties)
      names += (names.empty() ? "" : ", ") + ("<span id=\"" + property_anchor(results, d, p) + "\">" +
                                              esc(device.properties[p].info.name) + "</span>");
    page += "<tr data-row data-status=\"declined skipped\" data-device=\"" +
            esc(device.info.spec + " " + device.info.evidence) + "\"><td class=\"num\">" +
            num(skip.properties.size()) + "</td><td class=\"name\">" + esc(skip.reason) +
            "<br><span class=\"soft\">" + names + "</span></td></tr>\n";
  }
  page += "</tbody></table></details>\n";
}

}  // namespace

void properties(std::string& page, const Results& results) {
  page +=
      "<h2 id=\"properties\">Properties</h2><p class=\"lead\">A property is one sentence that must hold of "
      "every case; its verdict is the most severe one among its cases. Sensitivity: the rarest defect, one "
      "case in N, that its cases would have shown with 95\u202F% confidence; the mark is at 1 in " +
      num(night_rate) + ". Rate: cases per second of the time that the property ran.</p>";
  const double share = running_share(results);
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const DeviceResult& device = results.devices[d];
    page += "<h3 id=\"" + device_anchor(results, d) + "\">" + kind(device) + " " + esc(device.info.name) +
            " <span class=\"soft mono\">" + esc(device.info.spec) + "</span></h3>";
    const std::vector<Area> areas = areas_of(device, share);
    const auto is_red = [&](size_t p) { return fails(device.properties[p].verdict); };
    if (std::any_of(areas.begin(), areas.end(), [](const Area& area) { return fails(area.verdict); })) {
      open_table(page);
      for (const Area& area : areas)
        for (const size_t p : area.properties)
          if (is_red(p)) property_row(page, results, d, p, share);
      page += "</tbody></table>\n";
    }
    for (const Area& area : areas) {
      std::vector<size_t> rest;
      for (const size_t p : area.properties)
        if (!is_red(p) && device.properties[p].verdict != Verdict::declined) rest.push_back(p);
      if (!rest.empty()) area_block(page, results, d, area, rest, share);
    }
    skipped(page, results, d);
  }
}

}  // namespace assay::report::html

namespace assay::report {
namespace {

using html::esc;

std::string outcome_pill(const DetectionRow& row) {
  switch (row.detected) {
    case Detected::caught:
      return "<span class=\"v ok\">caught</span>";
    case Detected::adopted:
      return "<span class=\"v note\">another reading</span>";
    case Detected::survived:
      return "<span class=\"v bad\">survived</span>";
    case Detected::unobservable:
      return "<span class=\"v off\">not observable</span>";
    case Detected::refuted:
      return "<span class=\"v bad\">claim refuted</span>";
  }
  return {};
}

std::string table_row(const DetectionRow& row) {
  std::string text = "<tr><td class=\"tag\">" + outcome_pill(row) + (row.rare ? "<br>rare" : "") +
                     "</td><td class=\"name\"><b>" + esc(row.fault) + "</b><br><span class=\"soft\">" +
                     esc(row.wrong) + " <i>" + esc(row.clause) + "</i></span><br><span class=\"soft mono\">" +
                     esc(row.spec) + "</span>";
  if (!row.reason.empty()) text += "<p>Not observable: " + esc(row.reason) + "</p>";
  text += "</td><td>" + esc(row.property);
  if (!row.how.empty()) text += "<p class=\"soft\">" + esc(row.how) + "</p>";
  if (!row.also.empty()) {
    text += "<p class=\"soft\">also";
    for (const std::string& other : row.also) text += " " + esc(other);
    text += "</p>";
  }
  if (!row.replay.empty())
    text +=
        "<code class=\"replay\">assay replay '" + esc(row.replay) + "' --device " + esc(row.spec) + "</code>";
  if (!row.shrunk_words.empty()) text += "<p class=\"soft\">" + esc(row.shrunk_words) + "</p>";
  if (!row.case_file.empty()) text += "<p class=\"soft mono\">" + esc(row.case_file) + "</p>";
  return text + "</td><td class=\"num\">" + (row.cases == 0 ? "–" : html::num(row.cases)) +
         "</td><td class=\"num\">" + html::num(row.all_cases) + "</td><td class=\"num\">" +
         duration(row.seconds) + "</td></tr>\n";
}

}  // namespace

void write_detection_html(const DetectionHeader& header, const std::vector<DetectionRow>& rows,
                          const std::filesystem::path& file) {
  size_t seen = 0, within = 0;
  for (const DetectionRow& row : rows) {
    const bool is_seen = row.detected == Detected::caught || row.detected == Detected::adopted;
    seen += is_seen;
    within += is_seen && row.cases <= 1000;
  }
  std::string page = html::page_head("assay faults", "what the suites detect");
  page += "<p class=\"lead\">" + esc(faults_words(rows)) + "; caught " + html::num(seen) + " times, " +
          html::num(within) + " within 1,000 cases. Seed " + std::to_string(header.seed) + ", " +
          esc(header.budget) + " each, " + esc(header.rare_budget) +
          " for rare ones. <span class=\"kind emulator\">EMULATOR</span></p><code class=\"replay\">" +
          esc(header.command) +
          "</code>\n<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"t\"><thead><tr><th>Outcome</th><th>Fault</th>"
          "<th>Caught by</th><th class=\"num\">Cases</th><th class=\"num\">Of all</th>"
          "<th class=\"num\">Time</th></tr></thead><tbody>\n";
  for (const DetectionRow& row : rows) page += table_row(row);
  page += "</tbody></table></div>" + std::string(html::page_end);
  write_whole_file(file, page);
}

}  // namespace assay::report
