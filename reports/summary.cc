// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "reports/causes.h"
#include "reports/compare/run_diff.h"
#include "reports/detection.h"
#include "reports/overview.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

// What a terminal shows at the end of a run. Last line first: it says the verdict and the exit code, because
// that is where the eye is when the prompt comes back.
namespace assay::report {
namespace {

constexpr size_t width = 100;
/// Of a run in which something failed, with the lines that name the files.
constexpr size_t most_lines = 40, lines_for_files = 4;

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

  /// Breaks at spaces; a word longer than the line stays whole. Lines from the second on have `hanging` more
  /// of a margin; `code` paints all of them.
  void wrapped(const std::string& text, size_t indent, size_t hanging = 0, const char* code = nullptr) {
    std::string margin(indent, ' ');
    const auto put = [&](const std::string& text) {
      out_ << margin << (code == nullptr ? text : paint(text, code)) << '\n';
      margin.resize(indent + hanging, ' ');
    };
    std::istringstream words(for_terminal(text));
    std::string word, current;
    while (words >> word) {
      if (!current.empty() && margin.size() + columns(current) + 1 + columns(word) > width) {
        put(current);
        current.clear();
      }
      current += (current.empty() ? "" : " ") + word;
    }
    if (!current.empty()) put(current);
  }
  std::string text() const { return out_.str(); }
  void add(const Page& other) { out_ << other.text(); }
  Page empty_one() const { return Page(colour_); }
  size_t lines() const {
    const std::string text = out_.str();
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

 private:
  bool colour_;
  std::ostringstream out_;
};

std::string pad_left(std::string text, size_t to) {
  if (const size_t have = columns(text); have < to) text.insert(0, to - have, ' ');
  return text;
}

void show_header(Page& page, const Results& results, Detail detail) {
  std::string line = "assay " + for_terminal(results.run.version);
  if (!results.run.commit.empty()) line += " (" + for_terminal(results.run.commit) + ")";
  line += "   seed " + std::to_string(results.run.seed);
  const uint64_t cases = cases_of(results);
  line += "   " + grouped(cases, ",") + (cases == 1 ? " case" : " cases");
  if (const double s = seconds_taken(results); s >= 0) line += "   took " + duration(s);
  page.line(page.bold(line));
  if (detail == Detail::verbose) page.wrapped(results.run.command_line, 0);
}

/// Which device, and what its results are evidence of.
void show_identity(Page& page, const DeviceResult& device) {
  constexpr std::string_view no_evidence = "a software model: no evidence about silicon";
  const std::string evidence = loud(for_terminal(device.info.evidence));
  std::string rest = "   " + for_terminal(device.info.spec);
  if (device.is_silicon) rest += "   " + for_terminal(device.info.name);
  if (!device.info.uuid.empty()) rest += "   " + for_terminal(device.info.uuid);
  const bool fits = columns(evidence + rest) + 3 + no_evidence.size() <= width;
  if (!device.is_silicon && fits) rest += "   " + page.faint(no_evidence);
  page.line(page.bold(evidence) + rest);
  if (!device.is_silicon && !fits) page.line("  " + page.faint(no_evidence));
}

/// "1,234/s" in columns, or nothing for what took no time.
std::string rate(uint64_t cases, double seconds) {
  return cases == 0 || !(seconds > 0)
             ? ""
             : pad_left(compact(static_cast<double>(cases) / seconds) + "/s", cases == 1 ? 11 : 10);
}

std::string row_of(const Page& page, Verdict verdict, const std::string& name, size_t name_columns) {
  return "  " + page.verdict(verdict, pad(std::string(shown(verdict)), 22)) + " " +
         pad(shortened_columns(for_terminal(name), name_columns), name_columns);
}

std::string cases_in_columns(uint64_t cases) {
  return " " + pad_left(grouped(cases, ","), 13) + (cases == 1 ? " case" : " cases");
}

void show_property(Page& page, const PropertyResult& property, double share) {
  const uint64_t cases = property.cases();
  page.line(row_of(page, property.verdict, property.info.name, 43) + cases_in_columns(cases) +
            rate(cases, seconds_ran(property, share)));
  if (const uint64_t telling = telling_cases(property); telling != 0) page.wrapped(seen_words(telling), 25);
  const auto count = [&](Verdict verdict) { return property.counts[static_cast<size_t>(verdict)]; };
  if (property.verdict == Verdict::conforms && count(Verdict::declined) == 0 &&
      count(Verdict::no_demand) == 0 && count(Verdict::not_assembled) == 0)
    return;
  const auto kinds =
      std::count_if(property.counts.begin(), property.counts.end(), [](uint64_t n) { return n != 0; });
  std::string more = kinds > 1 ? counted(property.counts) : outcome(property);
  if (!property.reason.empty() && more.find(property.reason) == std::string::npos)
    more += "; " + property.reason;
  page.wrapped(more, 25);
}

/// Everything about a device, for --verbose.
void show_device(Page& page, const Results& results, const DeviceResult& device) {
  page.line();
  show_identity(page, device);
  for (const PropertyResult& property : device.properties)
    show_property(page, property, running_share(results));
  for (const WaiverRow& waiver : device.waivers)
    page.wrapped(
        "waiver " + waiver.id + " (" + waiver.state +
            (waiver.cases != 0 ? ", " + grouped(waiver.cases, ",") + (waiver.cases == 1 ? " case" : " cases")
                               : "") +
            ", until " + waiver.expires + "): " + waiver.reason + " " + waiver.link,
        2);
  for (const std::string& where : where_it_fails(device)) page.wrapped(where, 2);
  for (const Finding& finding : results.findings)
    if (is_about(finding, device) && finding.kind != "baseline")
      page.wrapped(finding.kind + ": " + finding.words +
                       (finding.times > 1 ? " (" + grouped(finding.times, ",") + " times)" : ""),
                   2);
  for (const PropertyResult& property : device.properties)
    if (const CoverageSum sum = coverage_of(property); sum.with_gaps != 0)
      page.wrapped(property.info.name + ": " + coverage_line(sum), 2);
}

/// A line an area of a device on which nothing failed, or a property where there are few.
void show_areas(Page& page, const Results& results, const DeviceResult& device) {
  constexpr size_t few = 6;
  if (device.properties.size() <= few) {
    for (const PropertyResult& property : device.properties)
      if (property.verdict != Verdict::declined)
        page.line(row_of(page, property.verdict, property.info.name, 43) +
                  cases_in_columns(property.cases()) +
                  rate(property.cases(), seconds_ran(property, running_share(results))));
    return;
  }
  for (const Area& area : areas_of(device, running_share(results))) {
    if (area.verdict == Verdict::declined) continue;  // with the reasons
    const size_t ran = area.properties.size() - area.counts[static_cast<size_t>(Verdict::declined)];
    page.line(row_of(page, area.verdict, area.name, 24) + pad_left(grouped(ran, ","), 5) +
              (ran == 1 ? " property  " : " properties") + cases_in_columns(area.cases) +
              rate(area.cases, area.seconds));
  }
}

/// A line a verdict: how many properties of which areas.
void show_verdicts(Page& page, const DeviceResult& device) {
  auto by_severity = verdicts;
  std::sort(by_severity.begin(), by_severity.end(),
            [](const VerdictRow& a, const VerdictRow& b) { return a.severity > b.severity; });
  const std::vector<Area> areas = areas_of(device, 1);
  for (const VerdictRow& r : by_severity) {
    std::string text;
    uint64_t all = 0;
    for (const Area& area : areas)
      if (const uint64_t n = area.counts[static_cast<size_t>(r.verdict)]; n != 0)
        text += (text.empty() ? "" : ", ") + area.name + " " + grouped(n, ","), all += n;
    if (all == 0 || r.verdict == Verdict::declined) continue;  // with the reasons
    page.wrapped(
        grouped(all, ",") + (all == 1 ? " property " : " properties ") + std::string(r.shown) + ": " + text,
        2);
  }
  std::set<std::string> reasons;
  for (const PropertyResult& property : device.properties)
    if (!property.failures.empty() && !property.reason.empty()) reasons.insert(property.reason);
  constexpr std::ptrdiff_t most_reasons = 2;
  for (auto reason = reasons.begin(); reason != reasons.end(); ++reason)
    if (std::distance(reasons.begin(), reason) < most_reasons) page.wrapped(*reason, 2);
}

/// Parts of a list, as many as fit a line that begins so, and how many are left.
std::string fitting(std::string line, const std::vector<std::string>& parts, const std::string& separator,
                    const std::string& more) {
  constexpr size_t room_for_more = 24;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part = for_terminal(parts[i]);
    const size_t room = i + 1 == parts.size() ? separator.size() : room_for_more;
    if (i != 0 && columns(line) + columns(part) + room > width)
      return line + separator + "and " + std::to_string(parts.size() - i) + more;
    line += (i == 0 ? "" : separator) + part;
  }
  return line;
}

/// Skips by reason: the most frequent ones in words.
void show_skips(Page& page, const DeviceResult& device) {
  uint64_t all = 0;
  std::vector<std::string> reasons;
  for (const Skips& skip : skips_of(device)) {
    all += skip.properties.size();
    reasons.push_back(grouped(skip.properties.size(), ",") + ": " + shortened_columns(skip.reason, 72));
  }
  if (all == 0) return;
  page.line(fitting("  " + grouped(all, ",") + " skipped. ", reasons, "; ", " more (-v)"));
  // Nothing ran: the emulator has every architecture.
  if (all != device.properties.size()) return;
  for (const spec::Arch arch : spec::all_archs)
    if (reasons[0].find("requires compute capability " + spec::capability_text(arch)) != std::string::npos)
      return page.line("  They run on a software model: --device emulator:" + spec::target_text(arch));
}

/// What a device has to say beside verdicts: each a sentence.
void show_remarks(Page& page, const Results& results, const DeviceResult& device) {
  if (const std::string line = coverage_line(coverage_of(device)); !line.empty()) page.wrapped(line + ".", 2);
  if (const std::string seen = seen_line(device); !seen.empty()) page.wrapped(seen, 2);
  std::string adopted, waivers;
  for (const ReadingRow& reading : device.readings)
    if (is_adopted(reading)) adopted += (adopted.empty() ? "" : "; ") + reading_line(reading);
  if (!adopted.empty()) page.wrapped("Open questions answered otherwise than by default: " + adopted, 2);
  for (const WaiverRow& waiver : device.waivers)
    waivers += (waivers.empty() ? "" : ", ") + waiver.id + " (" + waiver.state + ")";
  if (!waivers.empty()) page.wrapped("Waivers: " + waivers, 2);
  for (const Finding& finding : results.findings)
    if (is_about(finding, device) && finding.kind == "baseline") page.wrapped(finding.words, 2);
}

/// A line a device where there are several: those first on which something failed, of the others a few.
void show_devices(Page& page, const Results& results) {
  constexpr size_t most_devices = 8;
  std::vector<const DeviceResult*> order;
  for (const DeviceResult& device : results.devices) order.push_back(&device);
  std::stable_sort(order.begin(), order.end(), [](const DeviceResult* a, const DeviceResult* b) {
    return fails(a->verdict) > fails(b->verdict);
  });
  for (size_t i = 0; i < std::min(order.size(), most_devices); ++i) {
    const DeviceResult& device = *order[i];
    VerdictCounts counts{};
    for (const PropertyResult& property : device.properties) ++counts[static_cast<size_t>(property.verdict)];
    show_identity(page, device);
    const uint64_t cases = cases_of(device);
    page.wrapped(counted(counts) + "; " + grouped(cases, ",") + (cases == 1 ? " case" : " cases"), 2);
    if (results.devices.size() == 2) show_remarks(page, results, device);
  }
  if (order.size() > most_devices)
    page.line("and " + grouped(order.size() - most_devices, ",") + " more devices, in the report");
}

void show_cause(Page& page, const Results& results, const Cause& cause, size_t number) {
  const FailurePlace& first = cause.places.front();
  const DeviceResult& device = results.devices[first.device];
  const FailureGroup& group = group_at(results, first);
  const CaseRow& example = group.examples.front();
  const std::string named = title(cause);
  const std::string size =
      grouped(cause.cases, ",") + (cause.cases == 1 ? " case" : " cases") + " of " +
      (cause.properties.size() == 1 ? for_terminal(cause.properties.front())
                                    : grouped(cause.properties.size(), ",") + " properties");
  page.wrapped(std::to_string(number) + ". " + std::string(shown(group.verdict)) + ": " +
                   (named.empty() ? "" : named + ": ") + size,
               0, 3, "1;31");
  std::string element = (cause.properties.size() == 1 ? "" : example.property + ": ") + headline(example);
  if (results.devices.size() > 1) element = device.info.spec + ": " + element;
  if (const std::string again = repeats(group); !again.empty()) element += "; " + again;
  page.wrapped(element, 4);
  for (const std::string& where : places_of(cause, results)) page.wrapped(where, 4);
  // Never broken: it is there to be copied.
  if (!cause.replay.empty()) page.line("    " + page.bold("replay: " + for_terminal(cause.replay)));
}

/// Properties that failed and have no failing case to show, by reason.
std::map<std::string, std::vector<std::string>> without_cases(const Results& results) {
  std::map<std::string, std::vector<std::string>> found;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties)
      if (fails(property.verdict) &&
          std::none_of(property.failures.begin(), property.failures.end(),
                       [](const FailureGroup& g) { return fails(g.verdict) && !g.examples.empty(); }))
        found[std::string(shown(property.verdict)) + ": " + outcome(property)].push_back(property.info.name);
  return found;
}

/// Causes, as many as `room` lines hold, and those that a first screen needs.
void show_failures(Page& page, const Results& results, size_t room) {
  const std::vector<Cause> causes = causes_of(results);
  size_t shown_causes = 0;
  for (; shown_causes < causes.size(); ++shown_causes) {
    Page one = page.empty_one();
    show_cause(one, results, causes[shown_causes], shown_causes + 1);
    if (shown_causes >= std::min<size_t>(causes_to_show(causes), 4) && page.lines() + one.lines() > room)
      break;
    page.add(one);
  }
  if (const size_t more = causes.size() - shown_causes; more != 0)
    page.line("    and " + grouped(more, ",") + (more == 1 ? " more cause" : " more causes") +
              ", in the report");
  constexpr size_t reasons_shown = 3;
  size_t reasons = 0;
  for (const auto& [why, properties] : without_cases(results)) {
    if (++reasons > reasons_shown) continue;
    page.wrapped(why + ": " + properties.front() +
                     (properties.size() == 1 ? "" : " and " + grouped(properties.size() - 1, ",") + " more"),
                 1);
  }
  if (reasons > reasons_shown)
    page.line(" and " + grouped(reasons - reasons_shown, ",") + " more reasons, in the report");
}

/// A line a property that failed: for scripts and for eyes that know the rest.
void show_red(Page& page, const Results& results) {
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      if (property.exit_code == 0) continue;
      std::string why = outcome(property);
      if (!property.reason.empty() && why.find(property.reason) == std::string::npos)
        why += "; " + property.reason;
      for (const FailureGroup& group : property.failures)
        if (group.verdict == property.verdict && !group.examples.empty()) {
          const std::string blame = group.blame.suspects.empty() ? "" : blame_line(group) + ": ";
          why += "; " + blame + headline(group.examples.front());
          break;
        }
      page.line(page.verdict(property.verdict, loud(property.verdict)) + " " +
                for_terminal(property.info.name + " on " + device.info.spec + ": " + why));
    }
}

void show_last_line(Page& page, const Results& results) {
  const std::string verdict = loud(results.verdict);
  const std::string code = "exit code " + std::to_string(results.exit_code);
  std::string words = outcome(results);
  if (columns(verdict) + 2 + columns(words) + 2 + columns(code) > width) {
    page.wrapped(words, 0);
    words.clear();
  }
  page.line(page.verdict(results.verdict, verdict) + "  " + words + (words.empty() ? "" : "; ") + code);
}

/// What is left after the devices and before the verdict.
void show_rest(Page& page, const Results& results, Detail detail) {
  std::map<std::string, uint64_t> findings;
  for (const Finding& finding : results.findings)
    if (finding.kind != "baseline") findings[finding.kind] += finding.times;
  std::vector<std::string> found;
  for (const auto& [kind, times] : findings) found.push_back(grouped(times, ",") + " " + kind);
  if (!found.empty() && detail == Detail::normal)
    page.line(fitting("  Findings, in the report: ", found, ", ", " more"));
  if (const std::string history = detail == Detail::quiet ? "" : history_line(results); !history.empty())
    page.wrapped("history: " + history, 0);
  for (const std::string& odd : odd_ones_out(results)) page.wrapped(odd, 0);
  for (const Finding& finding : results.findings)
    if (finding.kind == "missing shard" || finding.kind == "unfinished shard") page.wrapped(finding.words, 0);
}

}  // namespace

std::string summary_text(const std::filesystem::path& db, bool colour, Detail detail) {
  const Results results = read_results(db, {1, 60});
  Page page(colour), rest(colour);
  if (detail == Detail::quiet) {
    show_red(page, results);
    show_rest(page, results, detail);
    show_last_line(page, results);
    return page.text();
  }
  const bool is_red = results.exit_code != 0;
  if (results.devices.size() == 1) {
    const DeviceResult& device = results.devices.front();
    if (is_red)
      show_verdicts(rest, device);
    else
      show_areas(rest, results, device);
    show_skips(rest, device);
    show_remarks(rest, results, device);
  } else {
    show_devices(rest, results);
  }
  show_rest(rest, results, detail);
  show_last_line(rest, results);
  show_header(page, results, detail);
  if (results.devices.size() == 1 && detail != Detail::verbose) show_identity(page, results.devices.front());
  if (detail == Detail::verbose)
    for (const DeviceResult& device : results.devices) show_device(page, results, device);
  const size_t used = rest.lines() + lines_for_files;
  show_failures(
      page, results,
      detail == Detail::verbose ? page.lines() + most_lines : most_lines - std::min(used, most_lines));
  page.add(rest);
  return page.text();
}

}  // namespace assay::report
