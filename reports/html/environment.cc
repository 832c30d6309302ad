// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sections.h"

namespace assay::report::html {
namespace {

void pair(std::string& page, std::string_view name, std::string_view value) {
  page += "<tr><td>" + esc(name) + "</td><td class=\"name\">" + esc(value) + "</td></tr>";
}

}  // namespace

void findings(std::string& page, const Results& results) {
  page += "<h2 id=\"findings\">Findings</h2>";
  if (results.findings.empty()) {
    page += "<p class=\"lead\">No additional observations.</p>";
    return;
  }
  page +=
      "<p class=\"lead\">Additional observations, which change no verdict.</p><div class=\"scroll\" "
      "tabindex=\"0\"><table class=\"t\" "
      "data-table=\"findings\"><thead><tr><th>Kind</th><th>Device</th><th>Finding</th><th "
      "class=\"num\">Times</th>"
      "</tr></thead><tbody>\n";
  for (const Finding& finding : results.findings) {
    page += "<tr data-row data-status=\"finding\" data-device=\"" + esc(finding.device) + "\"><td>" +
            esc(finding.kind) + "</td><td class=\"where\">";
    for (const DeviceResult& device : results.devices)
      if (is_about(finding, device)) page += kind(device) + "<br>";
    page += finding.device.empty() ? "the run" : esc(finding.device);
    page += "</td><td class=\"name\">" + esc(finding.words) + "</td><td class=\"num\">" + num(finding.times) +
            "</td></tr>\n";
  }
  page += "</tbody></table></div>\n";
}

void waivers(std::string& page, const Results& results) {
  bool any = false;
  for (const DeviceResult& device : results.devices) any |= !device.waivers.empty();
  if (!any) return;
  page +=
      "<h2 id=\"waivers\">Waivers</h2><p class=\"lead\">Failures that have been reviewed. A waiver that has "
      "expired or is not needed fails the run.</p><div class=\"scroll\" tabindex=\"0\"><table "
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
  page += "</tbody></table></div>\n";
}

void environment(std::string& page, const Results& results) {
  page +=
      "<h2 id=\"environment\">Environment</h2><div class=\"scroll\" tabindex=\"0\"><table class=\"t "
      "env\"><tbody>";
  pair(page, "run", results.run.run_id);
  pair(page, "host", results.run.host);
  pair(page, "version", results.run.version + " " + results.run.commit);
  pair(page, "started (UTC)", results.run.started_utc);
  pair(page, "finished (UTC)", results.finished ? results.finished_utc : "did not finish");
  for (const auto& [name, value] : results.run.environment) pair(page, name, value);
  page += "</tbody></table></div>";
  for (const DeviceResult& device : results.devices) {
    page += "<h3>" + kind(device) + " " + esc(device.info.name) + " <span class=\"soft mono\">" +
            esc(device.info.spec) +
            "</span></h3><div class=\"scroll\" tabindex=\"0\"><table class=\"t env\"><tbody>";
    pair(page, "evidence", device.info.evidence);
    pair(page, "architecture", device.info.architecture);
    if (!device.info.uuid.empty()) pair(page, "UUID", device.info.uuid);
    // The UUID names the board; its serial number is nobody's business who only gets the report.
    for (const auto& [name, value] : device.info.facts)
      if (name != "serial") pair(page, name, value);
    for (const PropertyResult& property : device.properties)
      if (!property.totals.fingerprint.empty())
        pair(page, "output fingerprint of " + property.info.name, property.totals.fingerprint);
    page += "</tbody></table></div>\n";
  }
}

}  // namespace assay::report::html
