// SPDX-License-Identifier: Apache-2.0
// The page of `assay check --html`: each finding with its line of the source and the state at the fault, and
// the barriers of the launches that failed.
#include <algorithm>
#include <fstream>

#include "cli/check/outcome.h"
#include "cli/check/timeline.h"
#include "cli/command.h"
#include "reports/html/style.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

std::string esc(std::string_view text) {
  return report::for_html(text);
}

constexpr std::string_view own_style = R"css(
pre.source{background:var(--code);border-radius:4px;padding:.5rem .8rem;font-size:.82rem;line-height:1.45}
pre.source b{background:var(--mark);color:var(--mark-i);font-weight:600}
pre.source i{color:var(--soft);font-style:normal}
ul.state{list-style:none;margin:.4rem 0;padding:0}.state li{padding:.1rem 0;font-size:.9rem}
svg.timeline{width:100%;height:auto;background:var(--card);border:1px solid var(--line);border-radius:6px}
.timeline text{font-size:10px;fill:var(--ink);pointer-events:none}
.timeline .name{font-size:11px;fill:var(--soft)}
.timeline .base{stroke:var(--line)}.timeline .mark{fill:var(--ink)}
.timeline .even{fill:var(--h1)}.timeline .odd{fill:var(--h2)}
.timeline .open{fill:var(--warn-b);stroke:var(--warn)}
.timeline .flight{fill:var(--note-b);stroke:var(--note)}.timeline .lost{fill:var(--bad-b);stroke:var(--bad)}
.timeline .holds{fill:var(--ok-b);stroke:var(--ok)}.timeline .waits{fill:var(--off-b);stroke:var(--off)}
.timeline .stuck{fill:var(--bad-b);stroke:var(--bad)}
.keys span{display:inline-block;border:1px solid var(--line);border-radius:3px;padding:0 .4rem;
margin:0 .3rem .2rem 0;font-size:.8rem}
.keys .even{background:var(--h1)}.keys .flight{background:var(--note-b)}.keys .holds{background:var(--ok-b)}
.keys .waits{background:var(--off-b)}.keys .open{background:var(--warn-b)}
.keys .stuck{background:var(--bad-b)}
)css";

/// The lines of a file around one, that one marked; nothing where the file cannot be read.
std::string excerpt(const std::string& file, uint32_t line) {
  constexpr uint32_t around = 3;
  std::ifstream stream(file);
  std::string made;
  uint32_t number = 0;
  for (std::string text; std::getline(stream, text) && number < line + around;) {
    if (++number + around < line) continue;
    const std::string shown =
        "<i>" + std::to_string(number) + "</i>  " + esc(report::shortened(report::well_formed(text), 200));
    made += (number == line ? "<b>" + shown + "</b>" : shown) + "\n";
  }
  return number < line ? "" : "<pre class=\"source\">" + made + "</pre>";
}

/// Lines as items.
std::string listed(const std::string& text) {
  std::string made;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) made += "<li class=\"mono\">" + esc(text.substr(at, end - at)) + "</li>";
    at = end + 1;
  }
  return made.empty() ? "" : "<ul class=\"state\">" + made + "</ul>";
}

/// Where the code is: the source, or the PTX file that was given in place of a program.
void place_of(std::string& page, const Place& place, const std::string& ptx_file) {
  if (!place.file.empty()) {
    page += "<p class=\"mono\">" + esc(place.file) + ":" + std::to_string(place.source_line) + "</p>" +
            excerpt(place.file, place.source_line);
    if (!place.inlined_file.empty())
      page += "<p class=\"mono\">inlined from " + esc(place.inlined_file) + ":" +
              std::to_string(place.inlined_line) + "</p>" + excerpt(place.inlined_file, place.inlined_line);
    for (const Place& call : place.called_from)
      page += "<p class=\"mono\">called from " + esc(call.file) + ":" + std::to_string(call.source_line) +
              "</p>" + excerpt(call.file, call.source_line);
  }
  if (place.line == 0) return;
  page += "<p class=\"soft\">PTX line " + std::to_string(place.line) + " of " + esc(place.kernel) + "</p>";
  const std::string lines = ptx_file.empty() ? "" : excerpt(ptx_file, place.line);
  page += lines.empty() ? "<pre class=\"source\">" + esc(place.text) + "</pre>" : lines;
}

void finding_of(std::string& page, const Finding& finding, const std::string& ptx_file) {
  constexpr size_t most_places = 20;
  const Place& first = finding.places[0];
  const std::string badge = finding.is_suppressed ? "off\">suppressed"
                            : finding.is_warning  ? "warn\">warning"
                                                  : "bad\">" + esc(finding.clause);
  const bool is_named = !finding.is_suppressed && !finding.is_warning;
  page += "<details class=\"fail\" open data-clause=\"" + esc(finding.clause) +
          "\"><summary><span class=\"v " + badge + "</span> " + (is_named ? "" : esc(finding.clause) + " ") +
          "in <b>" + esc(short_name(first.kernel)) + "</b>, " + std::to_string(finding.count()) +
          (finding.count() == 1 ? " time" : " times") + "</summary><div class=\"body\">";
  page += "<p>" + esc(finding.sentence) + "</p>";
  // Of a failure: what happened, and the barriers in words, a line each.
  if (!finding.message.empty()) page += "<h3>State at the fault</h3>" + listed(finding.message);
  if (!first.what.empty()) page += listed(first.what);
  if (!first.why.empty()) page += listed(first.why);
  if (!first.thread.empty()) page += listed(first.thread);
  if (!finding.schedule.empty())
    page += "<p class=\"soft\">seen under schedule=" + esc(finding.schedule) + "</p>";
  page += "<h3>Where</h3>";
  place_of(page, first, ptx_file);
  for (const Place& other : first.other) {
    page += "<h3>T" + esc(other.what.substr(1)) + ", by " + esc(other.thread) + "</h3>";
    place_of(page, other, ptx_file);
  }
  if (finding.places.size() > 1) {
    page += "<details class=\"more\"><summary>" + std::to_string(finding.places.size() - 1) +
            " more places</summary>";
    for (size_t i = 1; i < std::min(finding.places.size(), most_places); ++i)
      place_of(page, finding.places[i], ptx_file);
    page += "</details>";
  }
  page += "</div></details>\n";
}

void timelines_of(std::string& page, const std::vector<Timeline>& timelines) {
  if (timelines.empty()) return;
  page +=
      "<h2>Barriers of the launches that failed</h2><p class=\"lead\">One lane per barrier, with "
      "events equally spaced from left to right. Triangles are arrivals and expected bytes; hover for "
      "details.</p><p "
      "class=\"keys\">"
      "<span class=\"even\">phase</span><span class=\"open\">phase that is not complete</span><span "
      "class=\"flight\">copy in flight</span><span class=\"waits\">warp waits</span><span "
      "class=\"holds\">warp "
      "uses the guarded data: from its wait to its next arrival</span><span class=\"stuck\">waits, or is in "
      "flight, at the "
      "end</span></p>\n";
  for (const Timeline& one : timelines) {
    page += "<h3>" + esc(short_name(one.kernel)) + ", launch " + std::to_string(one.launch) +
            (one.schedule.empty() ? "" : ", schedule=" + esc(one.schedule)) + "</h3>";
    if (one.events.empty())
      page += "<p class=\"soft\">no mbarrier was used</p>";
    else
      page += timeline_svg(one);
    if (one.seen > one.events.size())
      page += "<p class=\"soft\">the last " + std::to_string(one.events.size()) + " of " +
              std::to_string(one.seen) + " events</p>";
  }
}

}  // namespace

std::string html_page(const Outcome& outcome) {
  const size_t loud = loud_findings(outcome);
  const std::string why = why_not_checked(outcome);
  const std::string tone = loud != 0 ? "bad" : why.empty() && loud_warnings(outcome) == 0 ? "ok" : "warn";
  const std::string count = counted(outcome);
  // A PTX file is launched by this program, started again: FILE is its first word.
  std::string ptx_file, command;
  if (outcome.command.size() > 3 && outcome.command[1] == "check-launch") {
    ptx_file = outcome.command[2];
    command =
        "assay check " + ptx_file + (outcome.command[3].empty() ? "" : " --kernel " + outcome.command[3]);
  } else {
    command = "assay check --";
    for (const std::string& word : outcome.command) command += " " + word;
  }
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      count + " · assay check</title>\n<style>";
  page += report::html::style;
  page += own_style;
  page +=
      "</style></head>\n<body><header class=\"top\"><h1 class=\"brand\"><b>assay</b> check</h1><div "
      "class=\"call " +
      tone + "\"><strong>" + count + "</strong><p class=\"exit\">exit code <b>" +
      std::to_string(exit_code(outcome)) + "</b></p><p class=\"run\"><span>device <b>" + esc(outcome.device) +
      "</b></span><span>launches <b>" + std::to_string(outcome.findings.launches()) +
      "</b></span><span>the program <b>" + esc(in_words(outcome.runs.back().end)) +
      "</b></span></p><code class=\"command\">" + esc(command) + "</code></div></header>\n<main>\n";
  if (!why.empty()) page += "<p><span class=\"v warn\">not checked</span> " + esc(why) + "</p>\n";
  for (const Unsupported& one : outcome.findings.unsupported)
    page += "<p><span class=\"v warn\">not supported</span> <b>" + esc(short_name(one.call)) +
            "</b>: " + esc(one.sentence) + "</p>\n";
  if (!outcome.findings.findings.empty()) page += "<h2>Findings</h2>\n";
  for (const Finding& finding : outcome.findings.findings) finding_of(page, finding, ptx_file);
  timelines_of(page, outcome.findings.timelines);
  return page + "</main><footer>Made by assay " + esc(version) +
         ". Nothing here is loaded from a network.</footer></body></html>\n";
}

}  // namespace assay::cli::check
