#include <algorithm>

#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/words.h"

// What is on the screen before anybody scrolls: the verdict, on which device and what kind of evidence that
// is, what failed first, and the line that replays it.
namespace assay::report::html {
namespace {

constexpr size_t failures_shown = 4;

void fact(std::string& page, const char* name, const std::string& value, const char* more = "") {
  page += std::string("<div") + more + "><dt>" + name + "</dt><dd>" + value + "</dd></div>";
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
          "; properties: " + (device.properties.empty() ? "none" : esc(counted(counts))) + "</p></article>";
}

void first_failures(std::string& page, const Results& results) {
  struct Shown {
    size_t d, p, g;
    const FailureGroup* group;
  };
  std::vector<Shown> all;
  for (size_t d = 0; d < results.devices.size(); ++d)
    for (size_t p = 0; p < results.devices[d].properties.size(); ++p) {
      const auto& groups = results.devices[d].properties[p].failures;
      for (size_t g = 0; g < groups.size(); ++g)
        if (fails(groups[g].verdict) && !groups[g].examples.empty()) all.push_back({d, p, g, &groups[g]});
    }
  if (all.empty()) return;
  std::stable_sort(all.begin(), all.end(), [](const Shown& a, const Shown& b) {
    // One of each property first: the second way in which a property fails says less than the first of
    // another.
    return std::pair(a.g != 0, -row(a.group->verdict).severity) <
           std::pair(b.g != 0, -row(b.group->verdict).severity);
  });
  page += "<h2>What failed first</h2><ul class=\"first\">";
  for (size_t i = 0; i < std::min(all.size(), failures_shown); ++i) {
    const auto& [d, p, g, group] = all[i];
    const CaseRow& example = group->examples.front();
    page += "<li>" + pill(group->verdict) + " <a href=\"#" + anchor('f', d, p, g) + "\"><b>" +
            esc(results.devices[d].properties[p].info.name) + "</b></a> on " + kind(results.devices[d]) +
            " " + esc(results.devices[d].info.spec);
    if (group->rows > 1) page += " <span class=\"soft\">" + num(group->rows) + " cases alike</span>";
    page += "<p>" + esc(first_line(example.message)) + "</p>";
    if (!example.replay.empty()) page += "<code class=\"replay\">" + esc(example.replay) + "</code>";
    page += "</li>";
  }
  if (all.size() > failures_shown)
    page += "<li><a href=\"#failures\">" + num(all.size() - failures_shown) + " more ways to fail</a></li>";
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
          std::to_string(results.exit_code) + "\">" + std::to_string(results.exit_code) + "</b></p></div>";
  page += "<div class=\"devices\">";
  for (size_t d = 0; d < results.devices.size(); ++d) device_card(page, results.devices[d], d);
  if (results.devices.empty()) page += "<p>No device was opened.</p>";
  page += "</div>";
  first_failures(page, results);

  page += "<dl class=\"facts\">";
  fact(page, "Seed", "<span class=\"mono\">" + std::to_string(results.run.seed) + "</span>");
  fact(page, "Cases judged", num(cases));
  fact(page, "Started (UTC)", esc(results.run.started_utc));
  const double took = seconds_between(results.run.started_utc, results.finished_utc);
  fact(page, "Took",
       !results.finished ? "<span class=\"v warn\">did not finish</span>"
       : took < 0        ? "unknown"
                         : duration(took));
  fact(page, "Host", esc(results.run.host));
  fact(page, "Version", esc(results.run.version + " " + results.run.commit));
  fact(page, "Command", "<code>" + esc(results.run.command_line) + "</code>", " class=\"wide\"");
  page += "</dl>";
  if (results.recorded_exit && *results.recorded_exit != results.exit_code)
    page += "<p><span class=\"v warn\">note</span> The program left with exit code " +
            std::to_string(*results.recorded_exit) + "; the verdicts in the file give " +
            std::to_string(results.exit_code) + ".</p>";
  page += "</header>\n";
}

}  // namespace assay::report::html
