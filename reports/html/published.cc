// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sections.h"

// Evidence of a third kind. It has a section of its own, and no verdict of a device stands in it.
namespace assay::report::html {

void published(std::string& page, const Results& results) {
  if (results.published.empty()) return;
  page +=
      "<h2 id=\"published\">Published by others</h2><p class=\"lead\">What others measured on silicon and "
      "published. Nothing of it was run by this project, on this device or any other: the last column says "
      "how many of the published results the reference model gives, bit for bit. No verdict in this report "
      "rests on it.</p><div class=\"scroll\" tabindex=\"0\"><table class=\"t\" "
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
  page += "</tbody></table></div>\n";
}

}  // namespace assay::report::html
