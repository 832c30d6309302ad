// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "reports/html/sections.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report::html {
namespace {

constexpr size_t row_bytes = 16;
constexpr size_t rows_shown = 12;
constexpr size_t words_limit = 4000;  // bytes of a device's own words, of a case's JSON

/// One line of bytes. Runs of differing bytes are marked, bytes without any defined bit are left open.
void hex_line(std::string& page, const CaseRow& c, const std::vector<uint8_t>& side, size_t from) {
  char open = 0;
  const auto mark = [&](char wanted) {
    if (open == wanted) return;
    if (open != 0) page += std::string("</") + open + ">";
    if (wanted != 0) page += std::string("<") + wanted + ">";
    open = wanted;
  };
  for (size_t i = from; i < from + row_bytes; ++i) {
    const uint8_t defined = i < c.defined.size() ? c.defined[i] : 0xff;
    const bool both = i < c.expected.size() && i < c.observed.size();
    const bool differs = both ? ((c.expected[i] ^ c.observed[i]) & defined) != 0 : true;
    char wanted = 0;
    if (i < side.size()) wanted = defined == 0 ? 'i' : differs ? 'b' : 0;
    if (open != wanted) mark(0);
    if (i != from) page += i % 4 == 0 ? "  " : " ";
    mark(wanted);
    if (i >= side.size()) {
      page += "  ";
    } else if (defined == 0 && &side == &c.expected) {
      page += "··";
    } else {
      char text[4];
      std::snprintf(text, sizeof text, "%02x", side[i]);
      page += text;
    }
  }
  mark(0);
}

void hex(std::string& page, const CaseRow& c) {
  const size_t size = std::max(c.expected.size(), c.observed.size());
  if (size == 0) return;
  const auto differs = [&](size_t i) {
    if (i >= c.expected.size() || i >= c.observed.size()) return true;
    return ((c.expected[i] ^ c.observed[i]) & (i < c.defined.size() ? c.defined[i] : 0xff)) != 0;
  };
  // Rows with a difference and their neighbours; the first rows where nothing differs.
  const size_t rows = (size + row_bytes - 1) / row_bytes;
  std::vector<bool> wanted(rows, false);
  bool any = false;
  for (size_t i = 0; i < size; ++i)
    if (differs(i)) {
      any = true;
      const size_t r = i / row_bytes;
      wanted[r] = true;
      if (r > 0) wanted[r - 1] = true;
      if (r + 1 < rows) wanted[r + 1] = true;
    }
  if (!any) std::fill_n(wanted.begin(), std::min<size_t>(rows, 4), true);
  page += "<pre class=\"hex\" tabindex=\"0\">";
  size_t shown = 0, left_out = 0;
  bool any_undefined = false;
  for (size_t r = 0; r < rows; ++r) {
    if (!wanted[r] || shown == rows_shown) {
      ++left_out;
      continue;
    }
    ++shown;
    for (size_t i = r * row_bytes; i < std::min(c.defined.size(), (r + 1) * row_bytes); ++i)
      any_undefined |= c.defined[i] == 0;
    char offset[32];
    std::snprintf(offset, sizeof offset, "%06llx",
                  static_cast<unsigned long long>(c.bytes_offset + r * row_bytes));
    page += "<u>" + std::string(offset) + "  expected  </u>";
    hex_line(page, c, c.expected, r * row_bytes);
    page += "\n<u>        observed  </u>";
    hex_line(page, c, c.observed, r * row_bytes);
    page += "\n";
  }
  if (left_out != 0) page += "<u>" + num(left_out) + (left_out == 1 ? " row" : " rows") + " not shown</u>\n";
  page += "</pre><p class=\"soft\">" + num(c.differing_bytes) +
          (c.differing_bytes == 1 ? " byte differs" : " bytes differ") + " in the whole output";
  if (any_undefined) page += "; ·· is undefined and not compared";
  page += ".</p>";
}

/// The rules that a case exercises, those that explain its failure first and marked.
void rules_of(std::string& page, const CaseRow& c, const Blame& blame) {
  const auto is_suspect = [&](const std::string& rule) {
    return std::any_of(blame.suspects.begin(), blame.suspects.end(),
                       [&](const Suspect& suspect) { return suspect.rule == rule; });
  };
  const auto link = [&](const std::string& rule, const char* mark) {
    page += "<a class=\"chip" + std::string(mark) + "\" href=\"#" + rule_anchor(rule) + "\">" + esc(rule) +
            "</a>";
  };
  const char* const mark = blame.culprit() != nullptr ? " culprit" : " suspect";
  if (!blame.suspects.empty()) page += blame.culprit() != nullptr ? "Violates " : "Suspected ";
  for (const Suspect& suspect : blame.suspects) link(suspect.rule, mark);
  bool any = false;
  for (const std::string& rule : c.rules) {
    if (is_suspect(rule)) continue;
    if (!any) page += blame.suspects.empty() ? "Exercises " : " Also exercises ";
    any = true;
    link(rule, "");
  }
  if (any || !blame.suspects.empty()) page += ". ";
}

void case_body(std::string& page, const CaseRow& c, const Blame& blame) {
  const std::string message = esc(c.message);
  if (const size_t newline = message.find('\n'); newline != std::string::npos)
    page += "<pre class=\"words\">" + message.substr(newline + 1) + "</pre>";
  if (!c.replay.empty()) page += "<code class=\"replay\">" + esc(c.replay) + "</code>";
  page += "<dl class=\"kv\">";
  for (const auto& [field, value] : c.fields)
    page += "<div><dt>" + esc(field) + "</dt><dd>" + esc(value) + "</dd></div>";
  if (!c.expected_end.empty() || !c.observed_end.empty())
    page += "<div><dt>end</dt><dd>expected " + esc(c.expected_end) + ", observed " +
            (c.expected_end == c.observed_end ? esc(c.observed_end) : "<b>" + esc(c.observed_end) + "</b>") +
            "</dd></div>";
  page += "</dl>";
  values(page, c);
  picture(page, c);
  pieces(page, c);
  hex(page, c);
  if (!c.detail.empty())
    page += "<pre class=\"words\">" + esc(shortened(well_formed(c.detail), words_limit)) + "</pre>";
  page += "<p class=\"cite\">";
  rules_of(page, c, blame);
  page += "Case <span class=\"mono\">" + esc(c.case_id) + "</span>, index " + num(c.index);
  if (!c.shrunk_from.empty()) page += ", shrunk from <span class=\"mono\">" + esc(c.shrunk_from) + "</span>";
  page += "</p>";
  if (!c.case_json.empty())
    page += "<details class=\"more\"><summary>Case as JSON</summary><pre class=\"words\">" +
            esc(shortened(well_formed(c.case_json), words_limit)) + "</pre></details>";
}

std::string row_attributes(const Results& results, const FailurePlace& at) {
  const DeviceResult& device = results.devices[at.device];
  const FailureGroup& group = group_at(results, at);
  std::string rules;
  for (const std::string& rule : group.examples.front().rules) rules += rule + " ";
  return " data-row data-status=\"" + std::string(name(group.verdict)) + " " +
         std::string(shown(group.verdict)) + "\" data-device=\"" +
         esc(device.info.spec + " " + device.info.evidence) + "\" data-property=\"" +
         esc(device.properties[at.property].info.name) + "\" data-rule=\"" + esc(rules) + "\" id=\"" +
         failure_anchor(results, at) + "\"";
}

void title(std::string& page, const Results& results, const FailurePlace& at) {
  const DeviceResult& device = results.devices[at.device];
  const FailureGroup& group = group_at(results, at);
  const std::string rows = "<span data-rows>" + num(group.rows) + "</span>";
  const std::string counts = group.count > group.rows ? num(group.count) + " cases, " + rows + " stored"
                                                      : rows + (group.rows == 1 ? " case" : " cases");
  page += pill(group.verdict) + " <b>" + esc(device.properties[at.property].info.name) + "</b> on " +
          kind(device) + " " + esc(device.info.spec) + " <span class=\"soft\">" + counts +
          (group.repeated != 0 ? ", " + repeats(group) : "") +
          (group.waiver.empty() ? "" : ", covered by " + esc(group.waiver)) + "</span><br>" +
          esc(shortened(well_formed(headline(group.examples.front())), 600));
  if (const std::string blame = blame_line(group); !blame.empty())
    page += "<br><span class=\"soft\">" + esc(shortened(well_formed(blame), 600)) + "</span>";
}

/// What is left of an entry when the page is nearly full: enough to read what failed and to see it again.
void brief_block(std::string& page, const Results& results, const FailurePlace& at) {
  page += "<div class=\"fail brief\"" + row_attributes(results, at) + ">";
  title(page, results, at);
  if (const std::string& replay = group_at(results, at).examples.front().replay; !replay.empty())
    page += "<code class=\"replay\">" + esc(replay) + "</code>";
  page += "</div>\n";
}

void group_block(std::string& page, const Results& results, const FailurePlace& at, size_t stop) {
  const FailureGroup& group = group_at(results, at);
  const CaseRow& first = group.examples.front();
  page += "<details class=\"fail\"" + row_attributes(results, at) + "><summary>";
  title(page, results, at);
  page += "</summary><div class=\"body\">";
  case_body(page, first, group.blame);
  size_t shown = 1;
  for (; shown < group.examples.size() && page.size() < stop; ++shown) {
    const CaseRow& c = group.examples[shown];
    page += "<details class=\"more\"><summary>Case " + num(c.index) + ": " +
            esc(shortened(well_formed(headline(c)), 160)) + "</summary>";
    case_body(page, c, group.blame);
    page += "</details>";
  }
  if (group.rows > shown)
    page += "<p class=\"soft\">" + num(group.rows - shown) + " more like these are in the results file.</p>";
  page += "</div></details>\n";
}

}  // namespace

void failures(std::string& page, const Results& results, size_t full_budget, size_t brief_budget) {
  const std::vector<FailurePlace> places = failures_in_reading_order(results);
  if (places.empty()) return;
  page += "<h2 id=\"failures\">Failures</h2>";
  page +=
      "<p class=\"lead\">Cases that failed in the same way, with the same signature, are one entry; the "
      "smallest is shown first.</p>\n";
  size_t end = page.size() + full_budget;
  size_t shown = 0;
  for (; shown < places.size() && page.size() < end; ++shown) {
    // Every failure signature comes before a second example of any: repetitions get a fair share of what is
    // left.
    const size_t share = (end - page.size()) / (places.size() - shown);
    group_block(page, results, places[shown], page.size() + share);
  }
  end = page.size() + brief_budget;
  if (shown < places.size())
    page +=
        "<p><span class=\"v warn\">note</span> To keep this page below 5 MB the rest is shown in brief; "
        "bytes and "
        "fields are in the results file.</p>";
  for (; shown < places.size() && page.size() < end; ++shown) brief_block(page, results, places[shown]);
  if (shown < places.size())
    page += "<p><span class=\"v warn\">note</span> <span data-more>" + num(places.size() - shown) +
            "</span> more failure signatures are in the results file alone.</p>";
}

}  // namespace assay::report::html
