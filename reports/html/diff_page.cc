// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"
#include "reports/html/sections.h"
#include "reports/html/style.h"
#include "reports/signature_words.h"
#include "reports/text.h"

// Two runs side by side, as a page: what one says of a property and what the other says.
namespace assay::report {
namespace {

using html::esc;
using html::num;

void side(std::string& page, const std::optional<Verdict>& verdict, uint64_t cases) {
  page += "<td>";
  if (verdict)
    page += html::pill(*verdict) + "<br><span class=\"soft\">" + num(cases) +
            (cases == 1 ? " case" : " cases") + "</span>";
  else
    page += "<span class=\"soft\">not in this run</span>";
  page += "</td>";
}

void ways(std::string& page, const char* tone, const char* word, const std::vector<std::string>& signatures) {
  constexpr size_t most = 20;
  for (size_t i = 0; i < std::min(signatures.size(), most); ++i)
    page += "<p><span class=\"v " + std::string(tone) + "\">" + word + "</span> " +
            esc(shortened(well_formed(signature_words(signatures[i])), 300)) + "</p>";
  if (signatures.size() > most)
    page += "<p class=\"soft\">" + num(signatures.size() - most) + " more " + word + "</p>";
}

std::string device_markup(const DeviceInfo& device) {
  return esc(loud(device.evidence)) + " <span class=\"mono\">" + esc(device.spec) + "</span> " +
         esc(device.name);
}

void device_table(std::string& page, const DeviceDiff& device) {
  page += "<h2>" + device_markup(device.after) + "</h2>";
  if (device.before.spec != device.after.spec || device.before.name != device.after.name)
    page += "<p class=\"lead\">compared with " + device_markup(device.before) + "</p>";
  if (!device.properties.empty()) {
    page +=
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"t\" "
        "data-table=\"diff\"><thead><tr><th>Property</th><th>Before</th>"
        "<th>After</th><th>What changed</th></tr></thead><tbody>\n";
    for (const PropertyDiff& one : device.properties) {
      page += "<tr data-row><td class=\"name\"><b>" + esc(one.property) + "</b></td>";
      side(page, one.before, one.cases_before);
      side(page, one.after, one.cases_after);
      page += "<td class=\"name\">";
      ways(page, "bad", "new", one.fresh);
      ways(page, "ok", "gone", one.gone);
      if (!one.output.empty())
        page += "<p><span class=\"v note\">output changed</span> " + esc(one.output) + "</p>";
      page += "</td></tr>\n";
    }
    page += "</tbody></table></div>";
  }
  for (const ReadingDiff& reading : device.readings)
    page += "<p>Reading of " + esc(reading.question) + ": " +
            (reading.before.empty() ? "undecided" : esc(reading.before)) + " → " +
            (reading.after.empty() ? "undecided" : esc(reading.after)) + "</p>";
  page += "<p class=\"soft\">" + num(device.properties.size()) +
          (device.properties.size() == 1 ? " property differs, " : " properties differ, ") +
          num(device.alike) + (device.alike == 1 ? " does not.</p>" : " do not.</p>");
}

}  // namespace

std::string diff_html(const RunDiff& diff, const std::pair<std::string, std::string>& names) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>assay diff</title>\n"
      "<style>";
  page += html::style;
  page +=
      "</style></head>\n<body><header class=\"top\"><h1 class=\"brand\"><b>assay</b> diff of two runs</h1>"
      "<p>before <span class=\"mono\">" +
      esc(names.first) + "</span>, after <span class=\"mono\">" + esc(names.second) +
      "</span></p></header><main>\n";
  for (const DeviceDiff& device : diff.devices) device_table(page, device);
  for (const DeviceInfo& device : diff.only_before)
    page += "<p>Only before: " + device_markup(device) + "</p>";
  for (const DeviceInfo& device : diff.only_after) page += "<p>Only after: " + device_markup(device) + "</p>";
  if (diff.is_empty()) page += "<p class=\"lead\">Nothing differs.</p>";
  return page + "</main></body></html>\n";
}

}  // namespace assay::report
