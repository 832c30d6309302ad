// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include "reports/causes.h"
#include "reports/compare/history.h"
#include "reports/fleet_vote.h"
#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/words.h"

// What is on the screen before anybody scrolls: the verdict, on which device and what kind of evidence that
// is, what failed first, and the line that replays it.
namespace assay::report::html {
namespace {

constexpr size_t causes_shown = 3, signatures_shown = 3;

/// Seed, size, time and command: one line under the verdict.
void run_line(std::string& page, const Results& results, uint64_t cases) {
  const auto item = [&](const std::string& words) { page += "<span>" + words + "</span> "; };
  std::string started = results.run.started_utc;
  if (is_timestamp(started)) started[10] = ' ';
  page += "<p class=\"run\">";
  item("seed <b class=\"mono\">" + std::to_string(results.run.seed) + "</b>");
  item("<b data-cases>" + num(cases) + "</b>" + (cases == 1 ? " case" : " cases") + " judged");
  item("started <b>" + esc(started) + "</b> UTC");
  const double took = seconds_taken(results);
  if (!results.finished)
    item("<b>did not finish</b>");
  else if (took >= 0)
    item("took <b>" + duration(took) + "</b>");
  item("on <b>" + esc(results.run.host) + "</b>");
  item("assay <b>" + esc(results.run.version + " " + results.run.commit) + "</b>");
  page += "</p><code class=\"command\" tabindex=\"0\">" + esc(results.run.command_line) + "</code>";
}

/// "tma 181,578 · driver 2.1M": cases by the first word of the properties' names, most first.
std::string cases_by_area(const DeviceResult& device) {
  std::map<std::string, uint64_t> cases;
  for (const PropertyResult& property : device.properties)
    if (property.cases() != 0)
      cases[property.info.name.substr(0, property.info.name.find('.'))] += property.cases();
  std::vector<std::pair<std::string, uint64_t>> areas(cases.begin(), cases.end());
  std::stable_sort(areas.begin(), areas.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [area, count] : areas)
    text += "<span class=\"area\">" + esc(area) + " <b>" +
            (count < 100'000 ? num(count) : compact(static_cast<double>(count))) + "</b></span> ";
  return text.empty() ? "–" : text;
}

/// A command to type next: the first failure again, or what did not come to its end.
std::string next_step(const Results& results, const DeviceResult& device, size_t d) {
  for (const FailurePlace& at : failures_in_reading_order(results))
    if (at.device == d && fails(group_at(results, at).verdict))
      if (const std::string& replay = group_at(results, at).examples.front().replay; !replay.empty())
        return replay;
  std::string again;
  for (const PropertyResult& property : device.properties)
    if (property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete)
      again += " '" + property.info.name + "'";
  return again.empty() ? again : "assay run" + again + " --device " + device.info.spec;
}

/// What failed shall be on the screen beside several devices: their rows say the least then.
bool is_one_of_many(const Results& results) {
  return results.devices.size() > 2;
}

/// Of a fleet: what failed comes first, and what conforms takes a line.
bool is_one_of_a_fleet(const Results& results) {
  return results.devices.size() > 4;
}

void device_row(std::string& page, const Results& results, size_t d) {
  const DeviceResult& device = results.devices[d];
  uint64_t known = 0, unfinished = 0;
  for (const PropertyResult& property : device.properties) {
    unfinished += property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete;
    for (const FailureGroup& group : property.failures) known += group.verdict == Verdict::waived;
  }
  const HistoryNight* own = own_night(results, d);
  const auto since = [&](auto SinceBefore::*what) {
    return own == nullptr || !own->since ? std::string("–") : num((*own->since.*what).size());
  };
  page += "<tr class=\"device " + std::string(device.is_silicon ? "silicon" : "emulator") +
          "\" data-evidence=\"" + esc(device.info.evidence) + "\"><td class=\"tag\">" + pill(device.verdict) +
          "</td><td class=\"name\">" + kind(device) + " <a href=\"#" + device_anchor(results, d) + "\"><b>" +
          esc(device.info.name) + "</b></a>" + (is_one_of_many(results) ? " " : "<br>") +
          "<span class=\"id mono\">" + esc(device.info.spec);
  if (!device.info.uuid.empty()) page += " · " + esc(device.info.uuid);
  page += "</span>";
  if (!device.is_silicon && !is_one_of_many(results))
    page += "<br><span class=\"id\">A software model of the GPU: no evidence about silicon.</span>";
  const std::string next = next_step(results, device, d);
  const bool is_terse = is_one_of_a_fleet(results) && next.empty();
  VerdictCounts counts{};
  for (const PropertyResult& property : device.properties) ++counts[static_cast<size_t>(property.verdict)];
  page += is_terse ? " " : "<p class=\"sum\">Properties: ";
  auto by_severity = verdicts;
  std::sort(by_severity.begin(), by_severity.end(),
            [](const VerdictRow& a, const VerdictRow& b) { return a.severity > b.severity; });
  for (const VerdictRow& r : by_severity)
    if (const uint64_t n = counts[static_cast<size_t>(r.verdict)]; n != 0)
      page += "<span class=\"v " + std::string(tone(r.verdict)) + "\">" + num(n) + " " +
              std::string(r.shown) + "</span> ";
  if (!is_terse) page += "</p>";
  if (!is_one_of_many(results))
    for (const std::string& where : where_it_fails(device)) page += "<p class=\"sum\">" + esc(where) + "</p>";
  page += "</td><td class=\"num\">" + since(&SinceBefore::fresh) + "</td><td class=\"num x\">" + num(known) +
          "</td><td class=\"num x\">" + since(&SinceBefore::gone) + "</td><td class=\"num x\">" +
          num(unfinished) + "</td><td class=\"areas x\">" + cases_by_area(device) + "</td></tr>\n";
  if (!next.empty())
    page += "<tr class=\"next\"><td class=\"tag soft\">next</td><td colspan=\"6\"><code class=\"replay\">" +
            esc(next) + "</code></td></tr>\n";
}

void devices(std::string& page, const Results& results) {
  if (results.devices.empty()) {
    page += "<p>No device was opened.</p>";
    return;
  }
  page +=
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"t "
      "devices\"><thead><tr><th>Verdict</th><th>Device</th>"
      "<th class=\"num\" title=\"failure signatures that the night before did not have\">New</th>"
      "<th class=\"num x\" title=\"failure signatures that a waiver covers\">Known</th>"
      "<th class=\"num x\" title=\"failure signatures that the night before had\">Gone</th>"
      "<th class=\"num x\" title=\"properties that did not come to their end\">Incomplete</th>"
      "<th class=\"x\">Cases</th></tr></thead><tbody>\n";
  std::vector<size_t> order(results.devices.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (is_one_of_a_fleet(results))
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return row(results.devices[a].verdict).severity > row(results.devices[b].verdict).severity;
    });
  for (const size_t d : order) device_row(page, results, d);
  page += "</tbody></table></div>";
  const bool any_emulator = std::any_of(results.devices.begin(), results.devices.end(),
                                        [](const DeviceResult& device) { return !device.is_silicon; });
  if (is_one_of_many(results) && any_emulator)
    page += "<p class=\"soft\">An emulator is a software model of the GPU: no evidence about silicon.</p>";
}

/// The verdict stands beside it; which rules an unexplained failure exercises is told with its entry.
std::string title_of(const Cause& cause, const CaseRow& example, const FailureGroup& group) {
  if (cause.words.empty()) return example.property;
  if (!group.blame.was_sought || group.blame.suspects.empty()) return example.property + ", unexplained";
  const std::string verdict = std::string(name(Verdict::violates)) + " ";
  return shortened(
      well_formed(cause.words.starts_with(verdict) ? cause.words.substr(verdict.size()) : cause.words), 300);
}

void cause_item(std::string& page, const Results& results, const Cause& cause) {
  const FailurePlace first = cause.places.front();
  const FailureGroup& group = group_at(results, first);
  const CaseRow& example = group.examples.front();
  page += "<li>" + pill(group.verdict) + " <b>" + esc(title_of(cause, example, group)) +
          "</b> <span class=\"soft\">" + num(cause.places.size()) +
          (cause.places.size() == 1 ? " failure signature, " : " failure signatures, ") + num(cause.cases) +
          (cause.cases == 1 ? " case" : " cases");
  if (cause.properties.size() > 1) page += " of " + num(cause.properties.size()) + " properties";
  page += "</span>";
  for (size_t i = 0; i < std::min(cause.places.size(), signatures_shown); ++i) {
    const size_t d = cause.places[i].device;
    const FailureGroup& one = group_at(results, cause.places[i]);
    const CaseRow& shown = one.examples.front();
    page += "<p><a href=\"#" + failure_anchor(results, cause.places[i]) + "\">" + esc(shown.property) +
            "</a> on " + kind(results.devices[d]) + " " + esc(shown.device);
    if (const std::string again = repeats(one); !again.empty()) page += ", " + again;
    if (one.count > 1) page += " <span class=\"soft\">" + num(one.count) + " cases</span>";
    page += "<br>" + esc(headline(shown)) + "</p>";
  }
  if (const size_t more = cause.places.size() - std::min(cause.places.size(), signatures_shown); more != 0)
    page += "<p class=\"soft\">" + num(more) + " more below</p>";
  if (!example.replay.empty()) page += "<code class=\"replay\">" + esc(example.replay) + "</code>";
  page += "</li>";
}

void first_failures(std::string& page, const Results& results) {
  const std::vector<Cause> causes = causes_of(results);
  if (causes.empty()) return;
  page += "<h2>What failed</h2><ul class=\"first\">";
  for (size_t i = 0; i < std::min(causes.size(), causes_shown); ++i) cause_item(page, results, causes[i]);
  if (const size_t more = causes.size() - std::min(causes.size(), causes_shown); more != 0)
    page +=
        "<li><a href=\"#failures\">" + num(more) + (more == 1 ? " more cause" : " more causes") + "</a></li>";
  page += "</ul>";
}

/// What a green run has to say beside its verdict, in one line.
void findings_and_gaps(std::string& page, const Results& results) {
  std::map<std::string, uint64_t> found;
  for (const Finding& finding : results.findings)
    if (finding.kind != "baseline") found[finding.kind] += finding.times;
  uint64_t reachable = 0, missed = 0, properties = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      if (property.verdict == Verdict::declined) continue;
      uint64_t here = 0;
      for (const CoverageCell& cell : property.coverage)
        if (cell.reachable) ++reachable, here += cell.count == 0;
      missed += here;
      properties += here != 0;
    }
  std::string text;
  for (const auto& [kind, times] : found)
    text += (text.empty() ? "" : ", ") + esc(kind) + " (" + num(times) + ")";
  if (!text.empty())
    page += "<p><span class=\"v note\">findings</span> <a href=\"#findings\">" + text + "</a></p>";
  if (missed != 0)
    page += "<p><span class=\"v note\">coverage</span> <a href=\"#coverage\">" + num(missed) + " of " +
            num(reachable) + " reachable cells never hit, in " + num(properties) +
            (properties == 1 ? " property" : " properties") + "</a></p>";
}

}  // namespace

void first_screen(std::string& page, const Results& results) {
  uint64_t cases = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) cases += property.cases();

  page += "<header class=\"top\"><h1 class=\"brand\"><b>assay</b> conformance report</h1><div class=\"call " +
          std::string(tone(results.verdict)) + "\"><strong data-verdict=\"" +
          std::string(name(results.verdict)) + "\">" + std::string(name(results.verdict)) + "</strong><p>" +
          esc(outcome(results)) + "</p><p class=\"exit\">exit code <b data-exit=\"" +
          std::to_string(results.exit_code) + "\">" + std::to_string(results.exit_code) + "</b></p>";
  run_line(page, results, cases);
  page += "</div>";
  devices(page, results);
  for (const Finding& finding : results.findings)
    if (finding.kind == "baseline")
      page += "<p><span class=\"v note\">baseline</span> " + esc(finding.device) + ": " + esc(finding.words) +
              "</p>";
  if (const std::string line = history_line(results); !line.empty())
    page += "<p><span class=\"v note\">history</span> <a href=\"#history\">" + esc(line) + "</a></p>";
  for (const std::string& odd : odd_ones_out(results))
    page += "<p><span class=\"v bad\">fleet</span> " + esc(odd) + "</p>";
  first_failures(page, results);
  findings_and_gaps(page, results);
  if (results.recorded_exit && *results.recorded_exit != results.exit_code)
    page += "<p><span class=\"v warn\">note</span> The program left with exit code " +
            std::to_string(*results.recorded_exit) + "; the verdicts in the file give " +
            std::to_string(results.exit_code) + ".</p>";
  page += "</header>\n";
}

}  // namespace assay::report::html
