// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/verdict.h"
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
        return {"passed (other reading)", "note"};
    return {"passed", "ok"};
  }
  if (entry.on[d].no_demand != 0) return {"not checked", "off"};
  if (entry.listed[d] && entry.only_declined[d]) return {"skipped", "off"};
  if (!entry.applies[d]) return {"does not apply", "off"};
  return {"never exercised", "off"};
}

struct Chapter {
  std::string_view prefix, title;
};
constexpr Chapter chapters[] = {
    {"V", "legality of tensor maps"},
    {"MAP", "tensor-map fields"},
    {"TILE", "tiled copies"},
    {"IM2C", "im2col copies"},
    {"IM2W", "im2col::w copies"},
    {"GATH", "gather and scatter"},
    {"BULK", "bulk copies"},
    {"REPL", "tensormap.replace"},
    {"MBAR", "mbarriers"},
    {"SYNC", "completion and order"},
    {"CTAG", ".cta_group"},
    {"CLC", "launch control"},
    {"SMEM", "shared-memory descriptors"},
    {"IDESC", "instruction descriptors"},
    {"ADD", "sums of products"},
    {"KIND", "kinds of mma.sync"},
    {"SPARSE", "sparse operands"},
    {"SCALE", "scale factors"},
    {"ZCM", "zero-column mask"},
    {"TMEM", "tensor memory"},
    {"TCP", "tcgen05.cp"},
    {"ASM", "assemblers"},
};

using ChapterRules = std::pair<std::string, std::vector<const RuleOnDevices*>>;

/// The rules by the beginning of their ids, known chapters first.
std::vector<ChapterRules> by_chapter(const std::vector<RuleOnDevices>& table) {
  std::map<std::string, std::vector<const RuleOnDevices*>> found;
  for (const RuleOnDevices& entry : table)
    found[entry.rule.rule.substr(0, entry.rule.rule.find('-'))].push_back(&entry);
  std::vector<ChapterRules> ordered;
  for (const Chapter& chapter : chapters)
    if (const auto at = found.find(std::string(chapter.prefix)); at != found.end())
      ordered.emplace_back(std::string(chapter.prefix) + " " + std::string(chapter.title),
                           std::move(at->second)),
          found.erase(at);
  for (auto& [prefix, rules] : found)
    ordered.emplace_back(shortened(well_formed(prefix), 40), std::move(rules));
  return ordered;
}

/// A chapter on a device: a square a rule, each a link to what the report says of it.
void chapter_squares(std::string& page, const Results& results, size_t d, const ChapterRules& chapter) {
  constexpr size_t across = 16, step = 13;
  const size_t rows = (chapter.second.size() + across - 1) / across;
  const std::string width = std::to_string(across * step), height = std::to_string(rows * step);
  page += "<svg role=\"img\" aria-label=\"" + esc(chapter.first) + " on " +
          esc(results.devices[d].info.spec) + "\" width=\"" + width + "\" height=\"" + height +
          "\" viewBox=\"0 0 " + width + " " + height + "\">";
  for (size_t i = 0; i < chapter.second.size(); ++i) {
    const RuleOnDevices& entry = *chapter.second[i];
    const Status s = status(entry, results.devices[d], d);
    const size_t x = i % across * step, y = i / across * step;
    page += "<a href=\"#" + rule_anchor(entry.rule.rule) + "\"><rect class=\"t-" + std::string(s.tone) +
            "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
            "\" width=\"11\" height=\"11\"><title>" + esc(entry.rule.rule) + ": " + std::string(s.words) +
            "</title></rect>";
    // Not told by colour alone: what is violated is crossed out, what is suspected has one stroke.
    if (s.tone == "bad" || s.tone == "warn")
      page += "<path class=\"stroke\" d=\"M" + std::to_string(x + 3) + " " + std::to_string(y + 9) + "l6 -6" +
              (s.tone == "bad" ? "m0 6l-6 -6" : "") + "\"/>";
    page += "</a>";
  }
  page += "</svg>";
}

/// Many devices: a cell a chapter and device, in the colour of its most severe rule.
void chapter_matrix(std::string& page, const Results& results, const std::vector<ChapterRules>& all) {
  constexpr std::string_view by_severity[] = {"bad", "warn", "note", "ok", "off"};
  page += "<div class=\"scroll\" tabindex=\"0\"><table class=\"map grid\"><thead><tr><th></th>";
  for (const DeviceResult& device : results.devices) page += "<th>" + esc(device.info.spec) + "</th>";
  page += "</tr></thead><tbody>";
  for (const ChapterRules& chapter : all) {
    page += "<tr><th>" + esc(chapter.first) + "</th>";
    for (size_t d = 0; d < results.devices.size(); ++d) {
      std::map<std::string_view, size_t> count;
      for (const RuleOnDevices* entry : chapter.second) ++count[status(*entry, results.devices[d], d).tone];
      const std::string_view worst = *std::find_if(std::begin(by_severity), std::end(by_severity),
                                                   [&](std::string_view tone) { return count[tone] != 0; });
      page += "<td class=\"v " + std::string(worst) + "\">" + (worst == "off" ? "·" : num(count[worst])) +
              "</td>";
    }
    page += "</tr>\n";
  }
  page += "</tbody></table></div>";
}

}  // namespace

void specification(std::string& page, const Results& results) {
  constexpr size_t most_drawn = 4;
  const std::vector<RuleOnDevices> table = rules_on_devices(results);
  if (table.empty() || results.devices.empty()) return;
  page +=
      "<h2 id=\"specification\">Map of the specification</h2><p class=\"lead key\"><span class=\"v "
      "bad\">violated</span> "
      "<span class=\"v warn\">suspected</span> <span class=\"v note\">passed (other reading)</span> <span "
      "class=\"v ok\">passed</span> "
      "<span class=\"v off\">nothing executed or not checked</span> A " +
      std::string(results.devices.size() > most_drawn
                      ? "cell counts the rules of a chapter with its most severe verdict"
                      : "square is one rule, a testable sentence of the specification; it leads to what is "
                        "said of it") +
      ".</p>";
  const std::vector<ChapterRules> all = by_chapter(table);
  if (results.devices.size() > most_drawn) return chapter_matrix(page, results, all);
  page += "<div class=\"spec\">";
  for (const ChapterRules& chapter : all) {
    page += "<figure><figcaption>" + esc(chapter.first) + "</figcaption>";
    for (size_t d = 0; d < results.devices.size(); ++d) {
      if (results.devices.size() > 1)
        page += "<span class=\"soft\">" + esc(results.devices[d].info.spec) + "</span>";
      chapter_squares(page, results, d, chapter);
    }
    page += "</figure>";
  }
  page += "</div>\n";
}

namespace {

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
    if (entry.on[d].violated != 0) page += "<br><b>" + num(entry.on[d].violated) + " violate it</b>";
    if (entry.on[d].suspected != 0)
      page += "<br>" + num(entry.on[d].suspected) + " violate it or another rule";
    if (entry.on[d].implicated != 0)
      page += "<br><span class=\"soft\">" + num(entry.on[d].implicated) + " fail for other reasons</span>";
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

void question_table(std::string& page, const Results& results, const std::vector<const ReadingRow*>& rows) {
  if (rows.empty()) return;
  page += "<table class=\"t\" data-table=\"questions\"><thead><tr><th>Question</th><th>About</th>";
  for (const DeviceResult& device : results.devices)
    page += "<th class=\"where\">" + kind(device) + "<br>" + esc(device.info.spec) + "</th>";
  page += "</tr></thead><tbody>\n";
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
  page += "</tbody></table>\n";
}

}  // namespace

void compliance(std::string& page, const Results& results) {
  page += "<h2 id=\"rules\">Rules</h2>";
  const std::vector<RuleOnDevices> table = rules_on_devices(results);
  if (table.empty()) {
    page += "<p class=\"lead\">No rule was counted.</p>";
    return;
  }
  page +=
      "<p class=\"lead\">A rule is one testable sentence of the specification, or of a measurement where the "
      "documents are silent. A rule that no case exercised has not been shown to hold. Cases that break a "
      "rule, "
      "where no document says what then happens, are not checked and never count as passed: they have a "
      "column of their own.</p>";
  // What is wrong is open; the rest is a click away.
  enum Group { wrong, held, idle };
  const auto group_of = [&](const RuleOnDevices& entry) {
    Group group = idle;
    for (size_t d = 0; d < results.devices.size(); ++d) {
      const std::string_view tone = status(entry, results.devices[d], d).tone;
      if (tone == "bad" || tone == "warn") return wrong;
      if (tone != "off") group = held;
    }
    return group;
  };
  const auto rows = [&](Group group) {
    page += "<table class=\"t\" data-table=\"rules\"><thead><tr><th>Rule</th><th>Says</th>";
    for (const DeviceResult& device : results.devices) {
      page += "<th class=\"where\">" + kind(device) + "<br>" + esc(device.info.spec) + "</th>";
      if (demands_not_all(device)) page += "<th class=\"where\">broken, not checked</th>";
    }
    page += "</tr></thead><tbody>\n";
    for (const RuleOnDevices& entry : table)
      if (group_of(entry) == group) rule_row(page, results, entry);
    page += "</tbody></table>\n";
  };
  constexpr std::pair<Group, std::string_view> groups[] = {
      {wrong, ""}, {held, "passed"}, {idle, "not exercised, or not checked"}};
  for (const auto& [group, words] : groups) {
    const auto n = static_cast<size_t>(
        std::count_if(table.begin(), table.end(),
                      [&, which = group](const RuleOnDevices& entry) { return group_of(entry) == which; }));
    if (n == 0) continue;
    if (group != wrong)
      page += "<details class=\"fail area\"><summary><b>" + num(n) + (n == 1 ? " rule</b> " : " rules</b> ") +
              std::string(words) + "</summary>";
    rows(group);
    if (group != wrong) page += "</details>\n";
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
      "<p class=\"lead\">A question is what the documents leave open or contradict; a reading is one of its "
      "answers. Each device implements one reading; adopting another than the default does not fail a "
      "run.</p>";
  std::vector<const ReadingRow*> rows;  // each question once, in order of first appearance
  for (const DeviceResult& device : results.devices)
    for (const ReadingRow& r : device.readings) {
      const auto same = [&](const ReadingRow* have) { return have->question == r.question; };
      if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(&r);
    }
  const auto is_news = [&](const ReadingRow* row) {
    for (const DeviceResult& device : results.devices)
      for (const ReadingRow& r : device.readings)
        if (r.question == row->question &&
            (is_adopted(r) || r.status == reading_contradicted || r.status == reading_undecided))
          return true;
    return false;
  };
  const auto middle = std::stable_partition(rows.begin(), rows.end(), is_news);
  question_table(page, results, {rows.begin(), middle});
  if (middle == rows.end()) return;
  page += "<details class=\"fail area\"><summary><b>" + num(static_cast<uint64_t>(rows.end() - middle)) +
          "</b> answered as by default, or not decided</summary>";
  question_table(page, results, {middle, rows.end()});
  page += "</details>\n";
}

}  // namespace assay::report::html
