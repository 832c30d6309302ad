// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include "reports/causes.h"
#include "reports/compare/run_diff.h"
#include "reports/detection.h"
#include "reports/html/sections.h"
#include "reports/overview.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

// What is on the screen before anybody scrolls: the verdict, what failed and why, the line that replays it,
// on which device, and what kind of evidence that is.
namespace assay::report::html {
namespace {

constexpr size_t signatures_shown = 3, most_causes_open = 5;

/// Seed, size, time and command: one line under the verdict.
void run_line(std::string& page, const Results& results) {
  const auto item = [&](const std::string& words) { page += "<span>" + words + "</span> "; };
  std::string started = results.run.started_utc;
  if (is_timestamp(started)) started[10] = ' ';
  page += "<p class=\"run\">";
  item("seed <b class=\"mono\">" + std::to_string(results.run.seed) + "</b>");
  const uint64_t cases = cases_of(results);
  item("<b data-cases>" + num(cases) + "</b>" + (cases == 1 ? " case" : " cases"));
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

/// Of a fleet: what failed comes first, and what passed takes a line.
bool is_fleet(const Results& results) {
  return results.devices.size() > 4;
}

/// What changed and what is known, in words; nothing of what is zero.
std::string changes(const Results& results, size_t d) {
  std::string text;
  const auto say = [&](uint64_t n, const std::string& words) {
    if (n != 0) text += (text.empty() ? "" : ", ") + num(n) + " " + words;
  };
  uint64_t known = 0, unfinished = 0;
  for (const PropertyResult& property : results.devices[d].properties) {
    unfinished += property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete;
    for (const FailureGroup& group : property.failures) known += group.verdict == Verdict::waived;
  }
  if (const HistoryNight* own = own_night(results, d); own != nullptr && own->since) {
    say(own->since->fresh.size(), "new since the night before");
    say(own->since->gone.size(), "gone");
  }
  say(known, "covered by a waiver");
  say(unfinished, unfinished == 1 ? "property not finished" : "properties not finished");
  return text;
}

/// A command for what did not come to its end.
std::string to_finish(const DeviceResult& device) {
  std::string again;
  for (const PropertyResult& property : device.properties)
    if (property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete)
      again += " '" + property.info.name + "'";
  return again.empty() ? again : "assay run" + again + " --device " + device.info.spec;
}

void device_row(std::string& page, const Results& results, size_t d) {
  const DeviceResult& device = results.devices[d];
  page += "<li class=\"device " + std::string(device.is_silicon ? "silicon" : "emulator") +
          "\" data-evidence=\"" + esc(device.info.evidence) + "\">" + pill(device.verdict) + " " +
          kind(device) + " <a href=\"#" + device_anchor(results, d) + "\"><b>" + esc(device.info.name) +
          "</b></a> <span class=\"id mono\">" + esc(device.info.spec);
  if (!device.info.uuid.empty()) page += " · " + esc(device.info.uuid);
  page += "</span>";
  VerdictCounts counts{};
  for (const PropertyResult& property : device.properties) ++counts[static_cast<size_t>(property.verdict)];
  const bool is_terse = is_fleet(results) && !fails(device.verdict);
  page += is_terse ? " <span class=\"soft\">" : "<p class=\"sum\">";
  page += esc(counted(counts)) + " · " + num(cases_of(device)) + (cases_of(device) == 1 ? " case" : " cases");
  if (const std::string changed = changes(results, d); !changed.empty()) page += " · " + changed;
  page += is_terse ? "</span>" : "</p>";
  if (!is_terse) {
    const std::string covered = coverage_line(coverage_of(device)), seen = seen_line(device);
    if (!covered.empty() || !seen.empty())
      page += "<p class=\"sum soft\"><a href=\"#coverage\">" + esc(covered) + "</a>" +
              (covered.empty() ? "" : ". ") + esc(seen) + "</p>";
  }
  if (const std::string next = to_finish(device); !next.empty())
    page += "<code class=\"replay\">" + esc(next) + "</code>";
  page += "</li>\n";
}

void devices(std::string& page, const Results& results) {
  if (results.devices.empty()) {
    page += "<p>No device was opened.</p>";
    return;
  }
  page += "<ul class=\"devices\">\n";
  std::vector<size_t> order(results.devices.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (is_fleet(results))
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return row(results.devices[a].verdict).severity > row(results.devices[b].verdict).severity;
    });
  for (const size_t d : order) device_row(page, results, d);
  page += "</ul>";
  if (std::any_of(results.devices.begin(), results.devices.end(),
                  [](const DeviceResult& device) { return !device.is_silicon; }))
    page += "<p class=\"soft\">An emulator is a software model of the GPU: no evidence about silicon.</p>";
}

/// `is_all`: the cause is this one signature, and its title has said how many cases of what.
void signature(std::string& page, const Results& results, const FailurePlace& at, bool is_all = false) {
  const FailureGroup& group = group_at(results, at);
  const CaseRow& example = group.examples.front();
  std::string counts = is_all ? "" : num(group.count) + (group.count == 1 ? " case" : " cases");
  if (const std::string again = repeats(group); !again.empty()) counts += (is_all ? "" : ", ") + again;
  page += "<p><a href=\"#" + failure_anchor(results, at) + "\">" +
          (is_all ? "first" : esc(example.property)) + "</a>";
  if (results.devices.size() > 1) page += " on " + esc(example.device);
  page += ": " + esc(headline(example)) +
          (counts.empty() ? "" : " <span class=\"soft\">" + counts + "</span>") + "</p>";
}

void cause_item(std::string& page, const Results& results, const Cause& cause) {
  const FailurePlace first = cause.places.front();
  const FailureGroup& group = group_at(results, first);
  const std::string named = title(cause);
  page += "<li>" + pill(group.verdict) + " <b>" +
          esc(named.empty() ? group.examples.front().property : named) + "</b> <span class=\"soft\">" +
          num(cause.cases) + (cause.cases == 1 ? " case of " : " cases of ") +
          (cause.properties.size() == 1 ? esc(cause.properties.front())
                                        : num(cause.properties.size()) + " properties") +
          (results.devices.size() > 1 ? " on " + kind(results.devices[first.device]) : "") + "</span>";
  const bool is_one = cause.places.size() == 1 && !named.empty();
  for (size_t i = 0; i < std::min({cause.places.size(), cause.explained, signatures_shown}); ++i)
    signature(page, results, cause.places[i], is_one);
  if (cause.explained == 0) signature(page, results, first, is_one);
  if (!cause.replay.empty()) page += "<code class=\"replay\">" + esc(cause.replay) + "</code>";
  places(page, results, cause);
  const size_t named_ones = std::max<size_t>(1, std::min(cause.explained, signatures_shown));
  if (const size_t more = cause.places.size() - std::min(cause.places.size(), named_ones); more != 0) {
    page += "<details class=\"more\"><summary>" + num(more) + " more failure " +
            (more == 1 ? "signature" : "signatures") + " of this cause</summary>";
    constexpr size_t most = 40;
    for (size_t i = named_ones; i < std::min(cause.places.size(), named_ones + most); ++i)
      signature(page, results, cause.places[i]);
    if (more > most) page += "<p class=\"soft\">and " + num(more - most) + " more, below</p>";
    page += "</details>";
  }
  page += "</li>";
}

void first_failures(std::string& page, const Results& results) {
  const std::vector<Cause> causes = causes_of(results);
  if (causes.empty()) return;
  const size_t open =
      std::min(causes.size(), std::clamp<size_t>(causes_to_show(causes), 1, most_causes_open));
  page += "<h2>What failed</h2><ul class=\"first\">";
  for (size_t i = 0; i < open; ++i) cause_item(page, results, causes[i]);
  page += "</ul>";
  if (const size_t more = causes.size() - open; more != 0) {
    constexpr size_t most = 30;
    page += "<details class=\"more\"><summary>" + num(more) + (more == 1 ? " more cause" : " more causes") +
            "</summary><ul class=\"first\">";
    for (size_t i = open; i < std::min(causes.size(), open + most); ++i) cause_item(page, results, causes[i]);
    page += "</ul>";
    if (more > most)
      page += "<p class=\"soft\">The other " + num(more - most) +
              " are among the <a href=\"#failures\">failures</a>.</p>";
    page += "</details>";
  }
}

/// What a run has to say beside its verdicts, in one line.
void findings_line(std::string& page, const Results& results) {
  std::map<std::string, uint64_t> found;
  for (const Finding& finding : results.findings)
    if (finding.kind != "baseline") found[finding.kind] += finding.times;
  std::string text;
  for (const auto& [kind, times] : found) text += (text.empty() ? "" : ", ") + num(times) + " " + esc(kind);
  if (!text.empty())
    page += "<p><span class=\"v note\">findings</span> <a href=\"#findings\">" + text + "</a></p>";
}

}  // namespace

void first_screen(std::string& page, const Results& results) {
  page += "<header class=\"top\"><h1 class=\"brand\"><b>assay</b> conformance report</h1><div class=\"call " +
          std::string(tone(results.verdict)) + "\"><strong data-verdict=\"" +
          std::string(name(results.verdict)) + "\">" + std::string(shown(results.verdict)) + "</strong><p>" +
          esc(outcome(results)) + "</p><p class=\"exit\">exit code <b data-exit=\"" +
          std::to_string(results.exit_code) + "\">" + std::to_string(results.exit_code) + "</b></p>";
  run_line(page, results);
  page += "</div>";
  first_failures(page, results);
  devices(page, results);
  for (const Finding& finding : results.findings)
    if (finding.kind == "baseline")
      page += "<p><span class=\"v note\">baseline</span> " + esc(finding.device) + ": " + esc(finding.words) +
              "</p>";
  if (const std::string line = history_line(results); !line.empty())
    page += "<p><span class=\"v note\">history</span> <a href=\"#history\">" + esc(line) + "</a></p>";
  for (const std::string& odd : odd_ones_out(results))
    page += "<p><span class=\"v bad\">fleet</span> " + esc(odd) + "</p>";
  findings_line(page, results);
  if (results.recorded_exit && *results.recorded_exit != results.exit_code)
    page += "<p><span class=\"v warn\">note</span> The program left with exit code " +
            std::to_string(*results.recorded_exit) + "; the verdicts in the file give " +
            std::to_string(results.exit_code) + ".</p>";
  page += "</header>\n";
}

}  // namespace assay::report::html
