#include <algorithm>

#include "reports/fleet_vote.h"
#include "reports/history.h"
#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/words.h"

// What is on the screen before anybody scrolls: the verdict, on which device and what kind of evidence that
// is, what failed first, and the line that replays it.
namespace assay::report::html {
namespace {

constexpr size_t failures_shown = 3;

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
  page += "</p><code class=\"command\">" + esc(results.run.command_line) + "</code>";
}

void device_card(std::string& page, const DeviceResult& device, size_t d) {
  page += "<article class=\"device " + std::string(device.is_silicon ? "silicon" : "emulator") +
          "\" data-evidence=\"" + esc(device.info.evidence) + "\">" + kind(device) + " " +
          pill(device.verdict) + "<h3><a href=\"#" + anchor('d', d) + "\">" + esc(device.info.name) +
          "</a></h3><p class=\"id mono\">" + esc(device.info.spec);
  if (!device.info.uuid.empty()) page += " · " + esc(device.info.uuid);
  page += "</p>";
  if (!device.is_silicon)
    page += "<p class=\"id\">A software model of the GPU. Its verdicts are no evidence about silicon.</p>";
  VerdictCounts counts{};
  uint64_t cases = 0;
  for (const PropertyResult& property : device.properties) {
    ++counts[static_cast<size_t>(property.verdict)];
    cases += property.cases();
  }
  page += "<p class=\"sum\">" + num(cases) + (cases == 1 ? " case" : " cases") +
          "</p><p class=\"sum\">Properties: ";
  auto by_severity = verdicts;
  std::sort(by_severity.begin(), by_severity.end(),
            [](const VerdictRow& a, const VerdictRow& b) { return a.severity > b.severity; });
  for (const VerdictRow& r : by_severity)
    if (const uint64_t n = counts[static_cast<size_t>(r.verdict)]; n != 0)
      page += "<span class=\"v " + std::string(tone(r.verdict)) + "\">" + num(n) + " " + std::string(r.name) +
              "</span> ";
  page += "</p>";
  for (const std::string& where : where_it_fails(device)) page += "<p class=\"sum\">" + esc(where) + "</p>";
  page += "</article>";
}

void first_failures(std::string& page, const Results& results) {
  std::vector<FailurePlace> places = failures_in_reading_order(results);
  std::erase_if(places, [&](const FailurePlace& at) { return !fails(group_at(results, at).verdict); });
  if (places.empty()) return;
  page += "<h2>What failed</h2><ul class=\"first\">";
  for (size_t i = 0; i < std::min(places.size(), failures_shown); ++i) {
    const auto [d, p, g] = places[i];
    const FailureGroup& group = group_at(results, places[i]);
    const CaseRow& example = group.examples.front();
    page += "<li>" + pill(group.verdict) + " <a href=\"#" + anchor('f', d, p, g) + "\"><b>" +
            esc(example.property) + "</b></a> on " + kind(results.devices[d]) + " " + esc(example.device);
    if (const std::string again = repeats(group); !again.empty()) page += ", " + again;
    if (group.count > 1) page += " <span class=\"soft\">" + num(group.count) + " cases</span>";
    page += "<p>" + esc(headline(example)) + "</p>";
    if (const std::string blame = blame_line(group); !blame.empty())
      page += "<p class=\"soft\">" + esc(shortened(well_formed(blame), 300)) + "</p>";
    if (!example.replay.empty()) page += "<code class=\"replay\">" + esc(example.replay) + "</code>";
    page += "</li>";
  }
  if (const size_t more = places.size() - std::min(places.size(), failures_shown); more != 0)
    page += "<li><a href=\"#failures\">" + num(more) +
            (more == 1 ? " more failure signature" : " more failure signatures") + "</a></li>";
  page += "</ul>";
}

}  // namespace

void first_screen(std::string& page, const Results& results) {
  uint64_t cases = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) cases += property.cases();

  page += "<header class=\"top\"><p class=\"brand\"><b>assay</b> conformance report</p><div class=\"call " +
          std::string(tone(results.verdict)) + "\"><strong data-verdict=\"" +
          std::string(name(results.verdict)) + "\">" + std::string(name(results.verdict)) + "</strong><p>" +
          esc(outcome(results)) + "</p><p class=\"exit\">exit code <b data-exit=\"" +
          std::to_string(results.exit_code) + "\">" + std::to_string(results.exit_code) + "</b></p>";
  run_line(page, results, cases);
  page += "</div><div class=\"devices\">";
  for (size_t d = 0; d < results.devices.size(); ++d) device_card(page, results.devices[d], d);
  if (results.devices.empty()) page += "<p>No device was opened.</p>";
  page += "</div>";
  for (const Finding& finding : results.findings)
    if (finding.kind == "baseline")
      page += "<p><span class=\"v note\">baseline</span> " + esc(finding.device) + ": " + esc(finding.words) +
              "</p>";
  if (const std::string line = history_line(results); !line.empty())
    page += "<p><span class=\"v note\">history</span> <a href=\"#history\">" + esc(line) + "</a></p>";
  for (const std::string& odd : odd_ones_out(results))
    page += "<p><span class=\"v bad\">fleet</span> " + esc(odd) + "</p>";
  first_failures(page, results);
  if (results.recorded_exit && *results.recorded_exit != results.exit_code)
    page += "<p><span class=\"v warn\">note</span> The program left with exit code " +
            std::to_string(*results.recorded_exit) + "; the verdicts in the file give " +
            std::to_string(results.exit_code) + ".</p>";
  page += "</header>\n";
}

}  // namespace assay::report::html
