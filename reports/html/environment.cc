// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "reports/html/sections.h"

namespace assay::report::html {
namespace {

void pair(std::string& page, std::string_view name, std::string_view value) {
  page += "<tr><td>" + esc(name) + "</td><td class=\"name\">" + esc(value) + "</td></tr>";
}

}  // namespace

/// Evidence of a third kind. It has a section of its own, and no verdict of a device stands in it.
void published(std::string& page, const Results& results) {
  if (results.published.empty()) return;
  page +=
      "<h2 id=\"published\">Published by others</h2><details class=\"fail area\"><summary><b>What was "
      "measured elsewhere</b></summary><p class=\"lead body\">What others measured on silicon and "
      "published. Nothing of it was run by this project, on this device or any other: the last column says "
      "how many of the published results the reference model gives, bit for bit. No verdict in this report "
      "rests on it.</p><table class=\"t\" "
      "data-table=\"published\"><thead><tr><th>Evidence</th><th>Source</th><th>Instruction</th>"
      "<th class=\"num\">Published</th><th class=\"num\">The reference agrees</th></tr></thead><tbody>\n";
  for (const PublishedRow& row : results.published) {
    page += "<tr data-row data-status=\"published\"><td><span class=\"kind published\">" + esc(row.label) +
            "</span></td><td class=\"name\">" + esc(row.source) + "</td><td class=\"mono\">" +
            esc(row.instruction) + "</td><td class=\"num\">" + num(row.results) + "</td><td class=\"num\">" +
            num(row.agreeing);
    if (!row.differing.empty())
      page +=
          "<br><span class=\"v bad\">differs</span> <span class=\"soft\">" + esc(row.differing) + "</span>";
    page += "</td></tr>\n";
  }
  page += "</tbody></table></details>\n";
}

void findings(std::string& page, const Results& results) {
  page += "<h2 id=\"findings\">Findings</h2>";
  if (results.findings.empty()) {
    page += "<p class=\"lead\">No additional observations.</p>";
    return;
  }
  page += "<p class=\"lead\">Additional observations, which change no verdict.</p>";
  std::map<std::string, std::vector<const Finding*>> by_kind;
  for (const Finding& finding : results.findings) by_kind[finding.kind].push_back(&finding);
  for (const auto& [kind_of, all] : by_kind) {
    uint64_t times = 0;
    for (const Finding* finding : all) times += finding->times;
    page += "<details class=\"fail area\"><summary><b>" + esc(kind_of) + "</b> <span class=\"soft\">" +
            num(times) + "</span></summary><table class=\"t\" data-table=\"findings\"><tbody>\n";
    for (const Finding* finding : all) {
      page += "<tr data-row data-status=\"finding\" data-device=\"" + esc(finding->device) +
              "\"><td class=\"name\">" + esc(finding->words) +
              (finding->times > 1 ? " <span class=\"soft\">" + num(finding->times) + " times</span>" : "") +
              "</td><td class=\"where\">";
      for (const DeviceResult& device : results.devices)
        if (is_about(*finding, device)) page += kind(device) + "<br>";
      page += (finding->device.empty() ? "the run" : esc(finding->device)) + "</td></tr>\n";
    }
    page += "</tbody></table></details>\n";
  }
}

void waivers(std::string& page, const Results& results) {
  bool any = false;
  for (const DeviceResult& device : results.devices) any |= !device.waivers.empty();
  if (!any) return;
  page +=
      "<h2 id=\"waivers\">Waivers</h2><p class=\"lead\">Failures that have been reviewed. A waiver that has "
      "expired or is not needed fails the run.</p><table "
      "class=\"t\" "
      "data-table=\"waivers\"><thead><tr><th>Waiver</th><th>State</th><th>Device</th><th>Reason</th>"
      "<th>Until</th><th class=\"num\">Cases</th></tr></thead><tbody>\n";
  for (const DeviceResult& device : results.devices)
    for (const WaiverRow& waiver : device.waivers) {
      const bool bad = waiver.state == "expired" || waiver.state == "unneeded";
      page += "<tr data-row data-status=\"waiver " + esc(waiver.state) + "\"><td class=\"tag mono\">" +
              esc(waiver.id) + "</td><td><span class=\"v " + (bad ? "bad" : "note") + "\">" +
              esc(waiver.state) + "</span></td><td class=\"where\">" + kind(device) + "<br>" +
              esc(device.info.spec) + "</td><td class=\"name\">" + esc(waiver.reason) +
              "<br><span class=\"cite\">" + esc(waiver.link) + "</span></td><td>" + esc(waiver.expires) +
              "</td><td class=\"num\">" + num(waiver.cases) + "</td></tr>\n";
    }
  page += "</tbody></table>\n";
}

void environment(std::string& page, const Results& results) {
  page +=
      "<h2 id=\"environment\">Environment</h2><details class=\"fail area\"><summary><b>The "
      "run</b></summary><table class=\"t env\"><tbody>";
  pair(page, "run", results.run.run_id);
  pair(page, "host", results.run.host);
  pair(page, "version", results.run.version + " " + results.run.commit);
  pair(page, "started (UTC)", results.run.started_utc);
  pair(page, "finished (UTC)", results.finished ? results.finished_utc : "did not finish");
  for (const auto& [name, value] : results.run.environment) pair(page, name, value);
  page += "</tbody></table></details>";
  for (const DeviceResult& device : results.devices) {
    page += "<details class=\"fail area\"><summary>" + kind(device) + " <b>" + esc(device.info.name) +
            "</b> <span class=\"soft mono\">" + esc(device.info.spec) +
            "</span></summary><table class=\"t env\"><tbody>";
    pair(page, "evidence", device.info.evidence);
    pair(page, "architecture", device.info.architecture);
    if (!device.info.uuid.empty()) pair(page, "UUID", device.info.uuid);
    // The UUID names the board; its serial number is nobody's business who only gets the report.
    for (const auto& [name, value] : device.info.facts)
      if (name != "serial") pair(page, name, value);
    page += "</tbody></table></details>\n";
  }
}

}  // namespace assay::report::html
