// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "reports/compare/history.h"
#include "reports/html/sections.h"
#include "reports/join.h"
#include "reports/text.h"

namespace assay::report::html {
namespace {

/// Columns: the newest days.
constexpr size_t most_days = 30;

std::string day_of(const NightRow& night) {
  return night.started_utc.substr(0, 10);
}

/// What a cell says in a character beside its colour.
std::string mark_of(const HistoryNight& entry) {
  if (entry.since && !entry.since->fresh.empty()) return "+" + num(entry.since->fresh.size());
  if (fails(entry.night.verdict)) return num(entry.night.ways.size());
  if (entry.since && !entry.since->gone.empty()) return "−" + num(entry.since->gone.size());
  return tone(entry.night.verdict) == "ok" ? "✓" : "~";
}

std::string sentence_of(const HistoryNight& entry) {
  std::string words = entry.night.started_utc + ": " + std::string(name(entry.night.verdict)) + ", " +
                      num(cases_of(entry.night)) + " cases, " + num(entry.night.ways.size()) +
                      (entry.night.ways.size() == 1 ? " failure signature" : " failure signatures");
  if (entry.since)
    words += ", " + num(entry.since->fresh.size()) + " new, " + num(entry.since->gone.size()) + " gone";
  return words;
}

}  // namespace

void night_grid(std::string& page, const Results& results) {
  std::set<std::string> all_days;
  for (const HistoryNight& entry : results.history) all_days.insert(day_of(entry.night));
  if (all_days.size() < 2 || results.devices.empty()) return;
  std::vector<std::string> days(all_days.begin(), all_days.end());
  if (days.size() > most_days) days.erase(days.begin(), days.end() - static_cast<ptrdiff_t>(most_days));
  page +=
      "<figure class=\"pic\"><div class=\"scroll\" tabindex=\"0\"><table class=\"map grid\" "
      "data-table=\"nights\"><thead><tr><th>"
      "device</th>";
  for (const std::string& day : days) page += "<th>" + esc(day.size() == 10 ? day.substr(5) : day) + "</th>";
  page += "</tr></thead><tbody>\n";
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const HistoryNight* const own = own_night(results, d);
    if (own == nullptr) continue;
    page += "<tr><th><a href=\"#" + device_anchor(results, d) + "\">" +
            esc(shortened(well_formed(own->night.device.spec), 40)) + "</a></th>";
    for (const std::string& day : days) {
      // The last of a day speaks for it.
      const HistoryNight* last = nullptr;
      for (const HistoryNight& entry : results.history)
        if (is_same_device(entry.night.device, own->night.device) && entry.night.part == own->night.part &&
            day_of(entry.night) == day)
          last = &entry;
      if (last == nullptr)
        page += "<td class=\"never\">·</td>";
      else
        page += "<td class=\"v " + std::string(tone(last->night.verdict)) + "\" title=\"" +
                esc(sentence_of(*last)) + "\">" + mark_of(*last) + "</td>";
    }
    page += "</tr>\n";
  }
  page +=
      "</tbody></table></div><figcaption class=\"soft\">One column per day, the newest at the right. ✓: as "
      "expected; +2: two new failure signatures; n: n failure signatures, none new; −1: one gone; ~: "
      "neither; "
      "·: not run.</figcaption></figure>";
}

}  // namespace assay::report::html
