// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reports/blame.h"
#include "reports/causes.h"
#include "reports/compare/run_diff.h"
#include "reports/html/sections.h"
#include "reports/html/style.h"
#include "reports/overview.h"
#include "reports/results_file.h"
#include "reports/text.h"

// Two runs side by side, and many nights, as pages.
namespace assay::report {
namespace {

using html::esc;
using html::num;

void side(std::string& page, const std::optional<Verdict>& verdict, uint64_t cases) {
  page += "<td class=\"tag\">";
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
        "<table class=\"t\" "
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
    page += "</tbody></table>";
  }
  for (const ReadingDiff& reading : device.readings)
    page += "<p>Reading of " + esc(reading.question) + ": " +
            (reading.before.empty() ? "undecided" : esc(reading.before)) + " → " +
            (reading.after.empty() ? "undecided" : esc(reading.after)) + "</p>";
  page += "<p class=\"soft\">" + num(device.properties.size()) +
          (device.properties.size() == 1 ? " property differs, " : " properties differ, ") +
          num(device.alike) + (device.alike == 1 ? " does not.</p>" : " do not.</p>");
}

/// "12 cases before, 40 after", "new, 40 cases", "gone, 12 cases".
std::string change_words(const CauseDiff& cause) {
  const auto cases = [](uint64_t n) { return num(n) + (n == 1 ? " case" : " cases"); };
  if (cause.cases_before == 0) return "new, " + cases(cause.cases_after);
  if (cause.cases_after == 0) return "gone, " + cases(cause.cases_before);
  return cases(cause.cases_before) + " before, " + num(cause.cases_after) + " after";
}

/// Of a board, what failed in its newest night.
struct Newest {
  DeviceInfo device;
  std::string started;
  std::vector<CauseDiff> causes;
};

std::vector<Newest> newest_nights(const std::vector<std::filesystem::path>& files) {
  std::vector<Newest> boards;
  for (const std::filesystem::path& file : files) try {
      const Results results = read_results(file, {1, 60, false});
      for (size_t d = 0; d < results.devices.size(); ++d) {
        const DeviceInfo& device = results.devices[d].info;
        auto at = std::find_if(boards.begin(), boards.end(),
                               [&](const Newest& one) { return is_same_device(one.device, device); });
        if (at != boards.end() && at->started >= results.run.started_utc) continue;
        if (at == boards.end()) at = boards.insert(boards.end(), Newest{});
        *at = {device, results.run.started_utc, {}};
        for (const Cause& cause : causes_of(results)) {
          const FailurePlace& first = cause.places.front();
          if (first.device != d) continue;
          const std::string named = title(cause);
          at->causes.push_back({named.empty() ? cause.properties.front() : named,
                                group_at(results, first).verdict, cause.replay, 0, cause.cases});
        }
      }
    } catch (const std::exception&) {  // named among those that cannot be read
    }
  return boards;
}

}  // namespace

std::string html::page_head(std::string_view title, std::string_view heading) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      esc(title) + "</title>\n<style>";
  page += style;
  return page + "</style></head>\n<body><header class=\"top\"><h1 class=\"brand\"><b>assay</b> " +
         esc(heading) + "</h1></header><main>\n";
}

void html::cause_line(std::string& page, Verdict verdict, std::string_view words, std::string_view counts,
                      std::string_view replay) {
  page += "<li>" + pill(verdict) + " <b>" + esc(words) + "</b> <span class=\"soft\">" + std::string(counts) +
          "</span>";
  if (!replay.empty()) page += "<code class=\"replay\">" + esc(replay) + "</code>";
  page += "</li>";
}

std::string diff_html(const RunDiff& diff, const std::pair<std::string, std::string>& names) {
  std::string page = html::page_head("assay diff", "diff of two runs");
  page += "<p>before <span class=\"mono\">" + esc(names.first) + "</span>, after <span class=\"mono\">" +
          esc(names.second) + "</span></p>\n";
  if (!diff.causes.empty()) {
    page += "<h2>Causes</h2><ul class=\"first\">";
    for (const CauseDiff& cause : diff.causes)
      html::cause_line(page, cause.verdict, cause.words, change_words(cause), cause.replay);
    page += "</ul>";
  }
  for (const DeviceDiff& device : diff.devices) device_table(page, device);
  for (const DeviceInfo& device : diff.only_before)
    page += "<p>Only before: " + device_markup(device) + "</p>";
  for (const DeviceInfo& device : diff.only_after) page += "<p>Only after: " + device_markup(device) + "</p>";
  if (diff.is_empty()) page += "<p class=\"lead\">Nothing differs.</p>";
  return page.append(html::page_end);
}

std::string trend_html(const std::vector<std::filesystem::path>& files) {
  Nights found = nights_in(files);
  const std::vector<HistoryNight> nights = compared(std::move(found.nights));
  std::string page =
      html::page_head("assay trend", "history of " + std::to_string(nights.size()) + " nights");
  html::board_by_night(page, nights);
  const std::vector<Newest> boards = newest_nights(files);
  for (const Newest& board : boards) {
    page += "<h2>" + device_markup(board.device) + "</h2>";
    std::vector<const HistoryNight*> own;
    for (const HistoryNight& entry : nights)
      if (is_same_device(entry.night.device, board.device)) own.push_back(&entry);
    constexpr size_t most_nights = 60;
    if (own.size() > most_nights) own.erase(own.begin(), own.end() - most_nights);
    html::night_bars(page, own);
    page += "<h3>What failed in the night of " + esc(board.started) + " UTC</h3>";
    if (board.causes.empty()) page += "<p class=\"soft\">Nothing.</p>";
    if (!board.causes.empty()) page += "<ul class=\"first\">";
    for (const CauseDiff& cause : board.causes)
      html::cause_line(page, cause.verdict, cause.words,
                       num(cause.cases_after) + (cause.cases_after == 1 ? " case" : " cases"), cause.replay);
    if (!board.causes.empty()) page += "</ul>";
    std::string changed;
    for (auto entry = own.rbegin(); entry != own.rend(); ++entry) {
      if (!(*entry)->since || ((*entry)->since->fresh.empty() && (*entry)->since->gone.empty())) continue;
      changed += "<h3>" + esc((*entry)->night.started_utc) + "</h3>";
      ways(changed, "bad", "new", (*entry)->since->fresh);
      ways(changed, "ok", "gone", (*entry)->since->gone);
    }
    if (!changed.empty())
      page +=
          "<details class=\"fail area\"><summary><b>What changed, night by night</b></summary><div "
          "class=\"body\">" +
          changed + "</div></details>\n";
  }
  for (const Nights::Unread& unread : found.unread)
    page += "<p><span class=\"v warn\">not read</span> " + esc(unread.words) + "</p>";
  return page.append(html::page_end);
}

}  // namespace assay::report
