// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <algorithm>
#include <set>

#include "reports/blame.h"
#include "reports/html/sections.h"
#include "reports/results_file.h"
#include "reports/text.h"

namespace assay::report::html {
namespace {

/// Nights shown of a device, and of all devices together; the rest is counted.
constexpr size_t most_nights = 60, most_rows = 600, fewest_nights = 5;
/// What changed in a night is named so often, the run's own changes oftener, and no more once the section is
/// of this size.
constexpr size_t names_of_own = 20, names_of_earlier = 3, section_budget = 400'000;

using Nights = std::vector<const HistoryNight*>;  ///< newest first

/// The nights that the run's own on a device is compared with: of the same device and shards.
Nights nights_before(const Results& results, const HistoryNight& own) {
  Nights nights;
  for (const HistoryNight& entry : results.history)
    if (is_same_device(entry.night.device, own.night.device) && entry.night.part == own.night.part)
      nights.push_back(&entry);
  std::reverse(nights.begin(), nights.end());
  return nights;
}

std::string day(const NightRow& night) {
  std::string text = night.started_utc;
  if (is_timestamp(text)) text[10] = ' ';
  return text;
}

std::string nights(size_t n) {
  return num(n) + (n == 1 ? " night" : " nights");
}

void names(std::string& page, const char* tone, const char* word, const std::vector<std::string>& all,
           size_t most) {
  for (size_t i = 0; i < std::min(all.size(), most); ++i)
    page += "<p><span class=\"v " + std::string(tone) + "\">" + word + "</span> <span>" +
            esc(shortened(well_formed(all[i]), 300)) + "</span></p>";
  if (all.size() > most)
    page += "<p class=\"soft\">" + num(all.size() - std::min(all.size(), most)) +
            (most == 0 ? " " : " more ") + word + "</p>";
}

void changes(std::string& page, const HistoryNight& entry, size_t most) {
  if (!entry.since) {
    page += "<span class=\"soft\">the first known night</span>";
    return;
  }
  const SinceBefore& since = *entry.since;
  const auto in_words = [](const std::vector<std::string>& signatures) {
    std::vector<std::string> all;
    for (const std::string& one : signatures) all.push_back(signature_words(one));
    return all;
  };
  names(page, "bad", "new", in_words(since.fresh), most);
  names(page, "ok", "gone", in_words(since.gone), most);
  names(page, "note", "not seen", in_words(since.unseen), most);
  std::vector<std::string> bits;
  for (const OtherBits& one : since.other_bits) bits.push_back(other_bits_words(one));
  names(page, "note", "output changed", bits, most);
  if (since.fresh.empty() && since.gone.empty() && since.unseen.empty() && bits.empty())
    page += "<span class=\"soft\">nothing</span>";
}

/// A row names its driver where the one below has another.
void night_row(std::string& page, const HistoryNight& entry, const HistoryNight* below, bool is_own,
               size_t most_names) {
  const NightRow& night = entry.night;
  const uint64_t cases = cases_of(night);
  const auto cell = [&](const char* what, const std::string& text) {
    page += "<td class=\"num\" data-label=\"" + std::string(what) + "\" data-night-" + std::string(what) +
            ">" + text + "</td>";
  };
  page += "<tr data-row data-status=\"night " + std::string(name(night.verdict)) + "\" data-device=\"" +
          esc(night.device.spec + " " + night.device.evidence) + "\"><td class=\"tag\"><b>" +
          esc(day(night)) + "</b>" + (is_own ? "<br>this run" : "");
  if (!night.driver.empty() && (is_own || below == nullptr || below->night.driver != night.driver))
    page += "<br><span class=\"soft\">driver " + esc(night.driver) + "</span>";
  page += "</td><td class=\"tag\">" + pill(night.verdict) + "</td><td class=\"name\">";
  changes(page, entry, most_names);
  page += "</td>";
  cell("cases", num(cases));
  cell("other", num(cases - conforming_of(night)));
  cell("ways", num(night.ways.size()));
  cell("new", entry.since ? num(entry.since->fresh.size()) : "–");
  cell("gone", entry.since ? num(entry.since->gone.size()) : "–");
  page += "<td class=\"num\" data-label=\"rate\">" +
          (night.seconds > 0 ? compact(static_cast<double>(cases) / night.seconds) + "/s" : "–") +
          "</td></tr>\n";
}

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
  std::string words = entry.night.started_utc + ": " + std::string(shown(entry.night.verdict)) + ", " +
                      num(cases_of(entry.night)) + " cases, " + num(entry.night.ways.size()) +
                      (entry.night.ways.size() == 1 ? " failure signature" : " failure signatures");
  if (entry.since)
    words += ", " + num(entry.since->fresh.size()) + " new, " + num(entry.since->gone.size()) + " gone";
  return words;
}

/// What is stored and not shown, so that nothing is missing in silence.
void left_out(std::string& page, const Results& results) {
  std::set<std::string> absent;
  size_t other_shards = 0;
  for (const HistoryNight& entry : results.history) {
    bool is_here = false, same_part = false;
    for (size_t d = 0; d < results.devices.size(); ++d)
      if (is_same_device(entry.night.device, results.devices[d].info)) {
        is_here = true;
        same_part |= entry.night.part == own_night(results, d)->night.part;
      }
    if (!is_here)
      absent.insert(entry.night.device.name + " " + entry.night.device.spec);
    else
      other_shards += !same_part;
  }
  if (other_shards != 0)
    page += "<p class=\"soft\">Not shown: " + nights(other_shards) + " of other shards.</p>";
  if (absent.empty()) return;
  constexpr size_t most = 8;
  std::string list;
  size_t n = 0;
  for (const std::string& device : absent)
    if (n++ < most) list += (list.empty() ? "" : ", ") + esc(device);
  if (absent.size() > most) list += " and " + num(absent.size() - most) + " more";
  page += "<p class=\"soft\">Tested on earlier nights, not in this run: " + list + ".</p>";
}

}  // namespace

void night_bars(std::string& page, const Nights& oldest_first) {
  if (oldest_first.size() < 2) return;
  constexpr size_t height = 34, gap = 8;
  const size_t step = std::clamp<size_t>(400 / oldest_first.size(), 12, 40), width = step - 3;
  double most_failures = 1, most_rate = 0;
  const auto rate = [](const NightRow& night) {
    return night.seconds > 0 ? static_cast<double>(cases_of(night)) / night.seconds : 0;
  };
  for (const HistoryNight* entry : oldest_first) {
    most_failures = std::max(most_failures, static_cast<double>(entry->night.ways.size()));
    most_rate = std::max(most_rate, rate(entry->night));
  }
  const std::string across = std::to_string(oldest_first.size() * step),
                    down = std::to_string(2 * height + gap);
  page +=
      "<figure class=\"pic nights\"><svg role=\"img\" aria-label=\"Failure signatures and rate per night, "
      "oldest first\" width=\"" +
      across + "\" height=\"" + down + "\" viewBox=\"0 0 " + across + " " + down + "\">";
  const auto bar = [&](const char* tone, size_t i, size_t bottom, double share) {
    const auto tall = static_cast<size_t>(std::max(1.0, static_cast<double>(height) * share));
    page += "<rect class=\"t-" + std::string(tone) + "\" x=\"" + std::to_string(i * step + 1) + "\" y=\"" +
            std::to_string(bottom - tall) + "\" width=\"" + std::to_string(width) + "\" height=\"" +
            std::to_string(tall) + "\"/>";
  };
  for (size_t i = 0; i < oldest_first.size(); ++i) {
    const NightRow& night = oldest_first[i]->night;
    page += "<g><title>" + esc(sentence_of(*oldest_first[i])) + "</title>";
    bar(night.ways.empty() ? "off" : "bad", i, height,
        static_cast<double>(night.ways.size()) / most_failures);
    bar("note", i, 2 * height + gap, most_rate > 0 ? rate(night) / most_rate : 0);
    page += "</g>";
  }
  page += "</svg><figcaption class=\"soft\">Above: failure signatures a night, at most " +
          compact(most_failures) + "; below: cases per second, at most " + compact(most_rate) +
          ". Oldest first.</figcaption></figure>";
}

void board_by_night(std::string& page, const std::vector<HistoryNight>& nights) {
  constexpr size_t days_on_a_phone = 7;
  std::set<std::string> all_days;
  for (const HistoryNight& entry : nights) all_days.insert(day_of(entry.night));
  if (all_days.size() < 2) return;
  std::vector<std::string> days(all_days.begin(), all_days.end());
  if (days.size() > most_days) days.erase(days.begin(), days.end() - static_cast<ptrdiff_t>(most_days));
  std::vector<Nights> boards;  // nights of one board and part, oldest first
  for (const HistoryNight& entry : nights) {
    const auto same = [&](const Nights& board) {
      return is_same_device(board.front()->night.device, entry.night.device) &&
             board.front()->night.part == entry.night.part;
    };
    if (const auto at = std::find_if(boards.begin(), boards.end(), same); at != boards.end())
      at->push_back(&entry);
    else
      boards.push_back({&entry});
  }
  // A phone has room for the newest alone.
  const auto hidden = [&](size_t i) { return i + days_on_a_phone < days.size() ? " class=\"x\"" : ""; };
  page +=
      "<h2>Boards by night</h2><figure class=\"pic\"><table class=\"map grid\" "
      "data-table=\"nights\"><thead><tr><th>board</th>";
  for (size_t i = 0; i < days.size(); ++i)
    page += "<th" + std::string(hidden(i)) + ">" + esc(days[i].size() == 10 ? days[i].substr(5) : days[i]) +
            "</th>";
  page += "</tr></thead><tbody>\n";
  for (const Nights& board : boards) {
    const NightRow& night = board.back()->night;
    page +=
        "<tr><th>" +
        esc(shortened(well_formed(night.device.spec + (night.part.empty() ? "" : " " + night.part)), 40)) +
        "</th>";
    for (size_t i = 0; i < days.size(); ++i) {
      // The last of a day speaks for it.
      const auto last = std::find_if(board.rbegin(), board.rend(), [&](const HistoryNight* entry) {
        return day_of(entry->night) == days[i];
      });
      const std::string old = *hidden(i) == 0 ? "" : " x";
      if (last == board.rend())
        page += "<td class=\"never" + old + "\">·</td>";
      else
        page += "<td class=\"v " + std::string(tone((*last)->night.verdict)) + old + "\" title=\"" +
                esc(sentence_of(**last)) + "\">" + mark_of(**last) + "</td>";
    }
    page += "</tr>\n";
  }
  page +=
      "</tbody></table><figcaption class=\"soft\">A column a day, the newest at the right. ✓: passed; +2: "
      "two new failure "
      "signatures; n: n failure signatures, none new; −1: one gone; ~: neither; ·: not "
      "run.</figcaption></figure>";
}

void history(std::string& page, const Results& results) {
  page += "<h2 id=\"history\">History</h2>";
  if (results.history.empty()) {
    page +=
        "<p class=\"lead\">No history. Pass <span class=\"mono\">--history DIR</span>, a folder with the "
        "results files of earlier nights.</p>";
    return;
  }
  page +=
      "<p class=\"lead\">Nights on the same device, newest first. What is new, gone, or changed its output "
      "is "
      "compared with the row below. “Other” counts judged cases that do not conform.</p>";
  const size_t begin = page.size();
  const size_t most =
      std::clamp(most_rows / std::max<size_t>(1, results.devices.size()), fewest_nights, most_nights);
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const HistoryNight& own = *own_night(results, d);
    Nights shown = nights_before(results, own);
    const size_t all = shown.size();
    shown.resize(std::min(all, most));
    page += "<h3>" + kind(results.devices[d]) + " " + esc(own.night.device.name) +
            " <span class=\"soft mono\">" + esc(own.night.device.spec) + "</span></h3>";
    night_bars(page, {shown.rbegin(), shown.rend()});
    page +=
        "<table class=\"t\" "
        "data-table=\"history\"><thead><tr><th>Started (UTC)</th>"
        "<th>Verdict</th><th>What changed</th><th class=\"num\">Cases</th><th class=\"num\">Other</th>"
        "<th class=\"num\">Failures</th><th class=\"num\">New</th><th class=\"num\">Gone</th>"
        "<th class=\"num x\">Rate</th></tr></thead><tbody>\n";
    for (size_t n = 0; n < shown.size(); ++n) {
      const bool is_own = shown[n] == &own, has_room = page.size() - begin < section_budget;
      night_row(page, *shown[n], n + 1 < shown.size() ? shown[n + 1] : nullptr, is_own,
                !has_room ? 0
                : is_own  ? names_of_own
                          : names_of_earlier);
    }
    page += "</tbody></table>\n";
    if (all > shown.size())
      page += "<p class=\"soft\" data-nights-left=\"" + std::to_string(all - shown.size()) +
              "\">Not shown: " + nights(all - shown.size()) +
              " before these; they are in the results file.</p>";
  }
  left_out(page, results);
}

}  // namespace assay::report::html
