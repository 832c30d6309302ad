#include <algorithm>
#include <map>

#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report::html {

std::vector<RuleOnDevices> rules_on_devices(const Results& results) {
  std::vector<RuleOnDevices> table;
  std::map<std::string, size_t> at;
  const size_t devices = results.devices.size();
  const auto find = [&](const std::string& id) -> RuleOnDevices& {
    const auto [found, is_new] = at.emplace(id, table.size());
    if (is_new) {
      RuleCount rule;
      rule.rule = id;
      table.push_back({rule, std::vector<RuleCount>(devices), std::vector<bool>(devices),
                       std::vector<bool>(devices, true)});
    }
    return table[found->second];
  };
  for (size_t d = 0; d < devices; ++d)
    for (const PropertyResult& property : results.devices[d].properties) {
      const auto list = [&](RuleOnDevices& entry) {
        entry.listed[d] = true;
        if (property.verdict != Verdict::declined) entry.only_declined[d] = false;
      };
      for (const RuleCount& rule : property.rules) {
        RuleOnDevices& entry = find(rule.rule);
        if (entry.rule.words.empty()) entry.rule.words = rule.words, entry.rule.cite = rule.cite;
        if (entry.rule.question.empty()) entry.rule.question = rule.question;
        entry.on[d].exercised += rule.exercised, entry.on[d].violated += rule.violated;
        list(entry);
      }
      for (const std::string& id : property.info.rules) list(find(id));
    }
  std::stable_sort(table.begin(), table.end(),
                   [](const RuleOnDevices& a, const RuleOnDevices& b) { return a.rule.rule < b.rule.rule; });
  return table;
}

namespace {

struct Status {
  std::string_view words, tone;
};

Status status(const RuleOnDevices& entry, const DeviceResult& device, size_t d) {
  if (entry.on[d].violated != 0) return {"violated", "bad"};
  if (entry.on[d].exercised != 0) {
    for (const ReadingRow& reading : device.readings)
      if (!entry.rule.question.empty() && reading.question == entry.rule.question && is_adopted(reading))
        return {"adopted reading", "note"};
    return {"conforming", "ok"};
  }
  if (entry.listed[d] && entry.only_declined[d]) return {"declined", "off"};
  return {"never exercised", "off"};
}

}  // namespace

void compliance(std::string& page, const Results& results) {
  page += "<h2 id=\"rules\">Compliance by rule</h2>";
  const std::vector<RuleOnDevices> table = rules_on_devices(results);
  if (table.empty()) {
    page += "<p class=\"lead\">No rule was counted.</p>";
    return;
  }
  page +=
      "<p class=\"lead\">Each rule is one testable sentence of the specification, or of a measurement where "
      "the "
      "documents are silent. A rule that no case exercised has not been shown to hold.</p>"
      "<div class=\"scroll\"><table class=\"t\" data-table=\"rules\"><thead><tr><th>Rule</th><th>Says</th>";
  for (const DeviceResult& device : results.devices)
    page += "<th>" + kind(device) + "<br>" + esc(device.info.spec) + "</th>";
  page += "</tr></thead><tbody>\n";
  for (size_t i = 0; i < table.size(); ++i) {
    const RuleOnDevices& entry = table[i];
    std::string all;
    for (size_t d = 0; d < results.devices.size(); ++d) {
      all += status(entry, results.devices[d], d).words;
      all += " ";
    }
    page += "<tr data-row data-status=\"" + all + "\" data-rule=\"" + esc(entry.rule.rule) + "\" id=\"" +
            anchor('r', i) + "\"><td class=\"tag mono\">" + esc(entry.rule.rule) +
            "</td><td class=\"name\">" + esc(entry.rule.words);
    if (!entry.rule.cite.empty() || !entry.rule.question.empty()) {
      page += "<br><span class=\"cite\">" + esc(entry.rule.cite);
      if (!entry.rule.question.empty()) page += " · open question " + esc(entry.rule.question);
      page += "</span>";
    }
    page += "</td>";
    for (size_t d = 0; d < results.devices.size(); ++d) {
      const Status s = status(entry, results.devices[d], d);
      page += "<td><span class=\"v " + std::string(s.tone) + "\">" + std::string(s.words) + "</span>";
      if (entry.on[d].exercised != 0)
        page += "<br><span class=\"soft\">" + num(entry.on[d].exercised) + " cases</span>";
      if (entry.on[d].violated != 0) page += "<br><b>" + num(entry.on[d].violated) + " violate</b>";
      page += "</td>";
    }
    page += "</tr>\n";
  }
  page += "</tbody></table></div>\n";
}

void questions(std::string& page, const Results& results) {
  page += "<h2 id=\"questions\">Open questions</h2>";
  const bool any = std::any_of(results.devices.begin(), results.devices.end(),
                               [](const DeviceResult& device) { return !device.readings.empty(); });
  if (!any) {
    page += "<p class=\"lead\">No open question was recorded.</p>";
    return;
  }
  page +=
      "<p class=\"lead\">What the documents leave open or contradict, and which reading each device "
      "implements. "
      "An adopted reading is no violation; it is what this device does.</p><div class=\"scroll\"><table "
      "class=\"t\" "
      "data-table=\"questions\"><thead><tr><th>Question</th><th>About</th><th>Device</th><th>Implements</th>"
      "<th class=\"num\">Deciding cases</th></tr></thead><tbody>\n";
  for (const DeviceResult& device : results.devices)
    for (const ReadingRow& r : device.readings) {
      const std::string_view tone = r.status == "contradicted"                         ? "bad"
                                    : is_adopted(r)                                    ? "note"
                                    : r.chosen_letter.empty() || r.deciding_cases == 0 ? "off"
                                                                                       : "ok";
      page += "<tr data-row data-status=\"" + esc(r.status) + "\" data-device=\"" +
              esc(device.info.spec + " " + device.info.evidence) + "\"><td class=\"tag mono\">" +
              esc(r.question) + "</td><td class=\"name\">" + esc(r.words) + "</td><td>" + kind(device) +
              "<br>" + esc(device.info.spec) + "</td><td><span class=\"v " + std::string(tone) + "\">" +
              esc(r.status) + "</span><br>";
      if (!r.chosen_letter.empty())
        page += "<b>" + esc(r.chosen_letter) + "</b> " + esc(r.chosen_words) + "<br>";
      page += "<span class=\"cite\">default " + esc(r.default_letter);
      if (!r.witness.empty()) page += ", decided by case <span class=\"mono\">" + esc(r.witness) + "</span>";
      page += "</span></td><td class=\"num\">" + num(r.deciding_cases) + "</td></tr>\n";
    }
  page += "</tbody></table></div>\n";
}

}  // namespace assay::report::html
