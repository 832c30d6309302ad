// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include "reports/html/sections.h"
#include "reports/open_result.h"
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
                       std::vector<bool>(devices, true), std::vector<bool>(devices)});
    }
    return table[found->second];
  };
  const auto describe = [](RuleCount& to, const RuleCount& from) {
    if (to.words.empty()) to.words = from.words;
    if (to.cite.empty()) to.cite = from.cite;
    if (to.question.empty()) to.question = from.question;
  };
  for (size_t d = 0; d < devices; ++d) {
    for (const RuleCount& rule : results.devices[d].rule_book) {
      RuleOnDevices& entry = find(rule.rule);
      describe(entry.rule, rule);
      entry.applies[d] = true;
    }
    for (const PropertyResult& property : results.devices[d].properties) {
      const auto list = [&](RuleOnDevices& entry) {
        entry.listed[d] = entry.applies[d] = true;
        if (property.verdict != Verdict::declined) entry.only_declined[d] = false;
      };
      for (const RuleCount& rule : property.rules) {
        RuleOnDevices& entry = find(rule.rule);
        describe(entry.rule, rule);
        entry.on[d].exercised += rule.exercised, entry.on[d].violated += rule.violated;
        entry.on[d].implicated += rule.implicated, entry.on[d].suspected += rule.suspected;
        entry.on[d].no_demand += rule.no_demand;
        list(entry);
      }
      for (const std::string& id : property.info.rules) list(find(id));
    }
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
  if (entry.on[d].suspected != 0) return {"suspected", "warn"};
  // All that exercise it fail, and nothing says that it is for its sake.
  if (entry.on[d].implicated != 0 && entry.on[d].implicated == entry.on[d].exercised)
    return {"implicated", "warn"};
  if (entry.on[d].exercised != 0) {
    for (const ReadingRow& reading : device.readings)
      if (!entry.rule.question.empty() && reading.question == entry.rule.question && is_adopted(reading))
        return {"adopted reading", "note"};
    return {"conforming", "ok"};
  }
  if (entry.on[d].no_demand != 0) return {"no demand", "off"};
  if (entry.listed[d] && entry.only_declined[d]) return {"declined", "off"};
  if (!entry.applies[d]) return {"does not apply", "off"};
  return {"never exercised", "off"};
}

/// Whether the device ran cases that break rules, of which nothing is demanded: they have a column of their
/// own.
bool demands_not_all(const DeviceResult& device) {
  return std::any_of(device.properties.begin(), device.properties.end(), [](const PropertyResult& property) {
    return std::any_of(property.rules.begin(), property.rules.end(),
                       [](const RuleCount& rule) { return rule.no_demand != 0; });
  });
}

/// What the device did with the cases that break the rule, by how they came out.
void open_cell(std::string& page, const std::string& rule, const DeviceResult& device) {
  std::map<std::string, uint64_t> results;
  uint64_t cases = 0;
  for (const PropertyResult& property : device.properties) {
    for (const RuleCount& count : property.rules)
      if (count.rule == rule) cases += count.no_demand;
    for (const FailureKindRow& kind : property.kinds) {
      if (kind.verdict != Verdict::no_demand) continue;
      if (std::find(kind.rules.begin(), kind.rules.end(), rule) == kind.rules.end()) continue;
      const std::string_view signature = kind.signature;
      const size_t behind_name = std::min(signature.size(), property.info.name.size() + 1);
      results[std::string(without_rules(signature.substr(behind_name)))] += kind.count;
    }
  }
  page += "<td>";
  if (cases != 0) page += num(cases) + (cases == 1 ? " case" : " cases");
  for (const auto& [words, count] : results)
    page += "<br><span class=\"soft\">" + num(count) + " " + esc(words) + "</span>";
  page += "</td>";
}

void rule_row(std::string& page, const Results& results, const RuleOnDevices& entry) {
  std::string all;
  for (size_t d = 0; d < results.devices.size(); ++d) {
    all += status(entry, results.devices[d], d).words;
    all += " ";
  }
  page += "<tr data-row data-status=\"" + all + "\" data-rule=\"" + esc(entry.rule.rule) + "\" id=\"" +
          rule_anchor(entry.rule.rule) + "\"><td class=\"tag mono\">" + esc(entry.rule.rule) +
          "</td><td class=\"name\">" + esc(entry.rule.words);
  if (!entry.rule.cite.empty() || !entry.rule.question.empty()) {
    page += "<br><span class=\"cite\">" + esc(entry.rule.cite);
    if (!entry.rule.question.empty())
      page += " · open question <a href=\"#" + question_anchor(entry.rule.question) + "\">" +
              esc(entry.rule.question) + "</a>";
    page += "</span>";
  }
  page += "</td>";
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const Status s = status(entry, results.devices[d], d);
    page += "<td><span class=\"v " + std::string(s.tone) + "\">" + std::string(s.words) + "</span>";
    if (entry.on[d].exercised != 0)
      page += "<br><span class=\"soft\">" + num(entry.on[d].exercised) + " cases</span>";
    if (entry.on[d].violated != 0) page += "<br><b>" + num(entry.on[d].violated) + " violate</b>";
    if (entry.on[d].suspected != 0)
      page += "<br>" + num(entry.on[d].suspected) + " violate it or another rule";
    if (entry.on[d].implicated != 0)
      page += "<br><span class=\"soft\">" + num(entry.on[d].implicated) + " fail otherwise</span>";
    page += "</td>";
    if (demands_not_all(results.devices[d])) open_cell(page, entry.rule.rule, results.devices[d]);
  }
  page += "</tr>\n";
}

void reading_cell(std::string& page, const ReadingRow& r) {
  const bool undecided = r.status == reading_open || r.status == reading_modelled ||
                         r.chosen_letter.empty() || r.deciding_cases == 0;
  const bool is_bad = r.status == reading_contradicted || r.status == reading_undecided;
  const std::string_view tone = is_bad ? "bad" : is_adopted(r) ? "note" : undecided ? "off" : "ok";
  page += "<span class=\"v " + std::string(tone) + "\">" + esc(r.status) + "</span><br>";
  if (!r.chosen_letter.empty()) page += "<b>" + esc(r.chosen_letter) + "</b> " + esc(r.chosen_words) + "<br>";
  page += "<span class=\"cite\">default " + esc(r.default_letter) + "; " + num(r.deciding_cases) +
          (r.deciding_cases == 1 ? " deciding case" : " deciding cases");
  if (!r.witness.empty()) page += ", such as <span class=\"mono\">" + esc(r.witness) + "</span>";
  page += "</span>";
}

}  // namespace

void compliance(std::string& page, const Results& results) {
  page += "<h2 id=\"rules\">Compliance by rule</h2>";
  const std::vector<RuleOnDevices> table = rules_on_devices(results);
  if (table.empty()) {
    page += "<p class=\"lead\">No rule was counted.</p>";
    return;
  }
  const auto concerns_this_run = [](const RuleOnDevices& entry) {
    return std::any_of(entry.listed.begin(), entry.listed.end(), [](bool listed) { return listed; });
  };
  const auto rest =
      static_cast<size_t>(std::count_if(table.begin(), table.end(), std::not_fn(concerns_this_run)));
  page +=
      "<p class=\"lead\">Each rule is one testable sentence of the specification, or of a measurement where "
      "the documents are silent. A rule that no case exercised has not been shown to hold. Cases that break "
      "a rule, where no document says what then happens, demand nothing and never count as conforming: they "
      "have a separate column.</p>";
  const auto rows = [&](bool concerned) {
    page +=
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"t\" "
        "data-table=\"rules\"><thead><tr><th>Rule</th><th>Says</th>";
    for (const DeviceResult& device : results.devices) {
      page += "<th class=\"where\">" + kind(device) + "<br>" + esc(device.info.spec) + "</th>";
      if (demands_not_all(device)) page += "<th class=\"where\">broken, no demand</th>";
    }
    page += "</tr></thead><tbody>\n";
    for (size_t i = 0; i < table.size(); ++i)
      if (concerns_this_run(table[i]) == concerned) rule_row(page, results, table[i]);
    page += "</tbody></table></div>\n";
  };
  if (rest != table.size()) rows(true);
  if (rest != 0) {
    page += "<details class=\"more\"><summary>" + num(rest) + (rest == 1 ? " rule is" : " rules are") +
            " exercised by no property of this run</summary>";
    rows(false);
    page += "</details>";
  }
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
      "An adopted reading is not a violation; it is what this device does.</p><div class=\"scroll\" "
      "tabindex=\"0\">"
      "<table class=\"t\" data-table=\"questions\"><thead><tr><th>Question</th><th>About</th>";
  for (const DeviceResult& device : results.devices)
    page += "<th class=\"where\">" + kind(device) + "<br>" + esc(device.info.spec) + "</th>";
  page += "</tr></thead><tbody>\n";
  std::vector<const ReadingRow*> rows;  // each question once, in order of first appearance
  for (const DeviceResult& device : results.devices)
    for (const ReadingRow& r : device.readings) {
      const auto same = [&](const ReadingRow* have) { return have->question == r.question; };
      if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(&r);
    }
  for (const ReadingRow* r : rows) {
    std::string statuses, cells;
    for (const DeviceResult& device : results.devices) {
      const auto at = std::find_if(device.readings.begin(), device.readings.end(),
                                   [&](const ReadingRow& here) { return here.question == r->question; });
      cells += "<td>";
      if (at != device.readings.end()) reading_cell(cells, *at), statuses += at->status + " ";
      cells += "</td>";
    }
    page += "<tr data-row data-status=\"" + esc(statuses) + "\" id=\"" + question_anchor(r->question) +
            "\"><td class=\"tag mono\">" + esc(r->question) + "</td><td class=\"name\">" + esc(r->words) +
            "</td>" + cells + "</tr>\n";
  }
  page += "</tbody></table></div>\n";
}

}  // namespace assay::report::html
