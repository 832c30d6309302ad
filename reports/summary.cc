// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <sstream>

#include "reports/causes.h"
#include "reports/compare/history.h"
#include "reports/fleet_vote.h"
#include "reports/results.h"
#include "reports/seen_rate.h"
#include "reports/text.h"
#include "reports/words.h"

// What a terminal shows at the end of a run. Last line first: it says the verdict and the exit code, because
// that is where the eye is when the prompt comes back.
namespace assay::report {
namespace {

constexpr size_t width = 100;
constexpr size_t causes_shown = 10;

class Page {
 public:
  explicit Page(bool colour) : colour_(colour) {}

  std::string paint(std::string_view text, const char* code) const {
    if (!colour_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
  std::string bold(std::string_view text) const { return paint(text, "1"); }
  std::string faint(std::string_view text) const { return paint(text, "2"); }
  std::string verdict(Verdict verdict, std::string_view text) const {
    if (fails(verdict)) return paint(text, "1;31");
    return paint(text, verdict == Verdict::conforms ? "32" : "33");
  }

  void line(std::string_view text = {}) { out_ << text << '\n'; }

  /// Breaks at spaces; a word longer than the line stays whole.
  void wrapped(const std::string& text, size_t indent) {
    const std::string margin(indent, ' ');
    std::istringstream words(for_terminal(text));
    std::string word, current;
    while (words >> word) {
      if (!current.empty() && indent + columns(current) + 1 + columns(word) > width) {
        out_ << margin << current << '\n';
        current.clear();
      }
      current += (current.empty() ? "" : " ") + word;
    }
    if (!current.empty()) out_ << margin << current << '\n';
  }
  std::string text() const { return out_.str(); }

 private:
  bool colour_;
  std::ostringstream out_;
};

std::string pad_left(std::string text, size_t to) {
  if (const size_t have = columns(text); have < to) text.insert(0, to - have, ' ');
  return text;
}

void show_header(Page& page, const Results& results) {
  std::string line = "assay " + for_terminal(results.run.version);
  if (!results.run.commit.empty()) line += " (" + for_terminal(results.run.commit) + ")";
  line += "   seed " + std::to_string(results.run.seed);
  if (const double s = seconds_taken(results); s >= 0) line += "   took " + duration(s);
  page.line(page.bold(line));
  page.wrapped(results.run.command_line, 0);
}

void show_property(Page& page, const PropertyResult& property, Detail detail) {
  const uint64_t cases = property.cases();
  std::string line = "  " + page.verdict(property.verdict, pad(std::string(name(property.verdict)), 16)) +
                     " " + pad(shortened_columns(for_terminal(property.info.name), 48), 48) + " " +
                     pad_left(grouped(cases, ","), 13) + (cases == 1 ? " case" : " cases");
  if (cases != 0 && property.totals.seconds > 0)
    line +=
        pad_left(compact(static_cast<double>(cases) / property.totals.seconds) + "/s", cases == 1 ? 11 : 10);
  page.line(line);
  if (const uint64_t telling = telling_cases(property); detail == Detail::verbose && telling != 0)
    page.wrapped(seen_words(telling), 19);
  const auto count = [&](Verdict verdict) { return property.counts[static_cast<size_t>(verdict)]; };
  if (property.verdict == Verdict::conforms && count(Verdict::declined) == 0 &&
      count(Verdict::no_demand) == 0)
    return;
  const auto kinds =
      std::count_if(property.counts.begin(), property.counts.end(), [](uint64_t n) { return n != 0; });
  std::string more = kinds > 1 ? counted(property.counts) : outcome(property);
  if (!property.reason.empty() && more.find(property.reason) == std::string::npos)
    more += "; " + property.reason;
  page.wrapped(more, 19);
}

void show_device(Page& page, const Results& results, const DeviceResult& device, Detail detail) {
  page.line();
  std::string line = page.bold(loud(for_terminal(device.info.evidence))) + "   " +
                     for_terminal(device.info.spec) + "   " + for_terminal(device.info.name);
  if (!device.info.uuid.empty()) line += "   " + for_terminal(device.info.uuid);
  page.line(line);
  if (!device.is_silicon) page.line(page.faint("  a software model of the GPU: no evidence about silicon"));
  for (const PropertyResult& property : device.properties) show_property(page, property, detail);
  if (const std::string seen = seen_line(device); !seen.empty()) page.wrapped(seen, 2);
  for (const ReadingRow& reading : device.readings)
    if (is_adopted(reading)) page.wrapped("adopted reading  " + reading_line(reading), 2);
  for (const WaiverRow& waiver : device.waivers)
    page.wrapped(
        "waiver " + waiver.id + " (" + waiver.state +
            (waiver.cases != 0 ? ", " + grouped(waiver.cases, ",") + (waiver.cases == 1 ? " case" : " cases")
                               : "") +
            ", until " + waiver.expires + "): " + waiver.reason + " " + waiver.link,
        2);
  for (const std::string& where : where_it_fails(device)) page.wrapped(where, 2);
  std::map<std::string, uint64_t> findings;
  for (const Finding& finding : results.findings) {
    if (!is_about(finding, device)) continue;
    if (finding.kind == "baseline")
      page.wrapped(finding.words, 2);
    else if (detail == Detail::verbose)
      page.wrapped(finding.kind + ": " + finding.words +
                       (finding.times > 1 ? " (" + grouped(finding.times, ",") + " times)" : ""),
                   2);
    else
      findings[finding.kind] += finding.times;
  }
  std::string found;
  for (const auto& [kind, times] : findings)
    found += (found.empty() ? "" : ", ") + kind + " (" + grouped(times, ",") + ")";
  if (!found.empty()) page.wrapped("findings, named in the report: " + found, 2);
  // A line a property where they are few; a run of many would push what failed off the screen.
  constexpr size_t most_lines = 3;
  std::vector<std::string> lines;
  uint64_t all_reachable = 0, all_missed = 0;
  for (const PropertyResult& property : device.properties) {
    if (property.verdict == Verdict::declined) continue;
    uint64_t reachable = 0, missed = 0;
    for (const CoverageCell& cell : property.coverage)
      if (cell.reachable) ++reachable, missed += cell.count == 0;
    if (missed == 0) continue;
    all_reachable += reachable, all_missed += missed;
    lines.push_back(property.info.name + ": " + grouped(missed, ",") + " of " + grouped(reachable, ",") +
                    " reachable coverage cells never hit");
  }
  if (lines.size() > most_lines && detail != Detail::verbose)
    lines = {grouped(all_missed, ",") + " of " + grouped(all_reachable, ",") +
             " reachable coverage cells never hit, in " + std::to_string(lines.size()) + " properties"};
  for (const std::string& line : lines) page.wrapped(line, 2);
}

void show_failures(Page& page, const Results& results) {
  const std::vector<Cause> causes = causes_of(results);
  if (causes.empty()) return;
  page.line();
  page.line(page.bold("What failed"));
  for (size_t i = 0; i < std::min(causes.size(), causes_shown); ++i) {
    const Cause& cause = causes[i];
    const FailurePlace& first = cause.places.front();
    const DeviceResult& device = results.devices[first.device];
    const FailureGroup& group = group_at(results, first);
    const CaseRow& example = group.examples.front();
    std::string line = "  " + pad_left(std::to_string(i + 1), 2) + "  " +
                       page.verdict(group.verdict, name(group.verdict)) + "  " +
                       for_terminal(example.property) + "  on " + for_terminal(device.info.evidence) + ", " +
                       for_terminal(device.info.spec);
    if (group.count > 1) line += ", " + grouped(group.count, ",") + " cases";
    if (const std::string again = repeats(group); !again.empty()) line += ", " + again;
    page.line(line);
    page.wrapped(headline(example), 6);
    page.wrapped(blame_line(group), 6);
    if (const size_t more = cause.places.size() - 1; more != 0)
      page.wrapped("and " + grouped(more, ",") +
                       (more == 1 ? " more failure signature" : " more failure signatures") +
                       " of this cause, " + grouped(cause.cases, ",") + " cases in all",
                   6);
    // Never broken: it is there to be copied.
    if (!example.replay.empty()) page.line("      " + page.bold("replay: " + for_terminal(example.replay)));
  }
  if (const size_t more = causes.size() - std::min(causes.size(), causes_shown); more != 0)
    page.line("  and " + grouped(more, ",") + (more == 1 ? " more cause" : " more causes") +
              ", in the report");
}

}  // namespace

std::string summary_text(const std::filesystem::path& db, bool colour, Detail detail) {
  const Results results = read_results(db, {1, 60});
  Page page(colour);
  if (detail != Detail::quiet) {
    show_header(page, results);
    for (const DeviceResult& device : results.devices) show_device(page, results, device, detail);
  }
  show_failures(page, results);
  const std::string history = detail == Detail::quiet ? "" : history_line(results);
  if (!history.empty()) page.wrapped("history: " + history, 0);
  for (const std::string& odd : odd_ones_out(results)) page.wrapped(odd, 0);
  for (const Finding& finding : results.findings)
    if (finding.kind == "missing shard" || finding.kind == "unfinished shard") page.wrapped(finding.words, 0);
  if (detail != Detail::quiet || results.exit_code != 0) page.line();
  const std::string verdict = loud(std::string(name(results.verdict)));
  const std::string code = "exit code " + std::to_string(results.exit_code);
  std::string words = outcome(results);
  if (columns(verdict) + 2 + columns(words) + 2 + columns(code) > width) {
    page.wrapped(words, 0);
    words.clear();
  }
  page.line(page.verdict(results.verdict, verdict) + "  " + words + (words.empty() ? "" : "; ") + code);
  return page.text();
}

}  // namespace assay::report
