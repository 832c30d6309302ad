// SPDX-License-Identifier: Apache-2.0
#include "reports/detection.h"
#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/whole_file.h"

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
