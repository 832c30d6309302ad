// SPDX-License-Identifier: Apache-2.0
#include "reports/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "reports/text.h"

namespace assay::report {
namespace {

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * share);
  return text;
}

}  // namespace

std::string outcome(const Results& results) {
  uint64_t all = 0;
  for (const uint64_t n : results.property_counts) all += n;
  std::string text;
  if (all == 0)
    text = "nothing was planned";
  else if (all == 1)
    text = "1 property " + std::string(shown(results.verdict));
  else
    text = grouped(all, ",") + " properties: " + counted(results.property_counts);
  if (all != 0 && results.nothing_judged) text += "; no case was judged";
  if (!results.finished) text += "; the run did not finish";
  if (results.device_lost) text += "; a device was lost";
  if (results.flaky_warns && results.property_counts[static_cast<size_t>(Verdict::flaky)] != 0)
    text += "; flaky ones only warn";
  return text;
}

std::string outcome(const PropertyResult& property) {
  const auto count = [&](Verdict v) { return property.counts[static_cast<size_t>(v)]; };
  const uint64_t n = count(property.verdict);
  if (n == 0 || property.verdict == Verdict::declined || property.verdict == Verdict::rig_broken)
    return property.reason.empty() ? std::string(row(property.verdict).meaning) : property.reason;
  uint64_t all = 0;
  for (const uint64_t c : property.counts) all += c;
  std::string text = grouped(n, ",") + " of " + grouped(all, ",") + (all == 1 ? " case " : " cases ");
  text += shown(property.verdict);
  if ((property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete) &&
      !property.reason.empty())
    text = property.reason + "; " + text;
  return text;
}

std::string counted(const VerdictCounts& counts) {
  auto by_severity = verdicts;
  std::sort(by_severity.begin(), by_severity.end(),
            [](const VerdictRow& a, const VerdictRow& b) { return a.severity > b.severity; });
  std::string text;
  for (const VerdictRow& r : by_severity)
    if (const uint64_t n = counts[static_cast<size_t>(r.verdict)]; n != 0)
      text += (text.empty() ? "" : ", ") + grouped(n, ",") + " " + std::string(r.shown);
  return text;
}

const FailureGroup& group_at(const Results& results, const FailurePlace& at) {
  return results.devices[at.device].properties[at.property].failures[at.group];
}

std::vector<FailurePlace> failures_in_reading_order(const Results& results) {
  struct Entry {
    FailurePlace place;
    int round;  // how many of the same verdict this property has before it
    int severity;
    bool is_failure;
  };
  std::vector<Entry> entries;
  for (size_t d = 0; d < results.devices.size(); ++d)
    for (size_t p = 0; p < results.devices[d].properties.size(); ++p) {
      std::array<int, verdicts.size()> seen{};
      const auto& groups = results.devices[d].properties[p].failures;
      for (size_t g = 0; g < groups.size(); ++g)
        if (!groups[g].examples.empty())
          entries.push_back({{d, p, g},
                             seen[static_cast<size_t>(groups[g].verdict)]++,
                             row(groups[g].verdict).severity,
                             fails(groups[g].verdict)});
    }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.is_failure != b.is_failure) return a.is_failure;
    return a.round != b.round ? a.round < b.round : a.severity > b.severity;
  });
  std::vector<FailurePlace> places;
  for (const Entry& entry : entries) places.push_back(entry.place);
  return places;
}

std::string headline(const CaseRow& row) {
  std::string line = first_line(row.message);
  if (!row.replay.empty() && line.ends_with(row.replay)) {
    line.resize(line.size() - row.replay.size());
    while (!line.empty() && (line.back() == ' ' || line.back() == ';' || line.back() == ',')) line.pop_back();
  }
  if (line.starts_with(row.property)) {
    const size_t rest = line.find_first_not_of(": ", row.property.size());
    // Only a whole name: "tma.tiled.load" does not begin "tma.tiled.load.faults".
    if (rest != std::string::npos && rest > row.property.size()) line.erase(0, rest);
  }
  return line.empty() ? first_line(row.message) : line;
}

std::string loud(std::string text) {
  for (char& c : text) {
    if (c == ' ') break;
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string device_label(const DeviceInfo& device) {
  std::string spec = device.spec;
  if (const size_t at = spec.find("schedule=random:"); at != std::string::npos) {
    const size_t seed = at + std::string_view("schedule=random").size();
    spec.erase(seed, spec.find(',', seed) - seed);
  }
  // "emulator:sm_90a" says nothing that "emulator sm_90" did not.
  if (spec.starts_with(device.evidence.substr(0, device.evidence.find(' ')))) {
    const size_t comma = spec.find(',');
    spec = comma == std::string::npos ? "" : spec.substr(comma);
  }
  std::string label;
  for (const char c : device.evidence + " " + spec) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (plain)
      label += c;
    else if (!label.empty() && label.back() != '_')
      label += '_';
  }
  while (!label.empty() && label.back() == '_') label.pop_back();
  return label.empty() ? "device" : label;
}

std::string loud(Verdict verdict) {
  std::string text(shown(verdict));
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string blame_line(const FailureGroup& group) {
  const std::string line = words(group.blame, group.rules);
  return group.is_folded ? "may follow from what " + line : line;
}

std::string repeats(const FailureGroup& group) {
  if (group.repeated == 0) return {};
  return "failed " + std::to_string(group.failed) + " of " + std::to_string(group.repeated) + " times";
}

namespace {

/// Which multiprocessors failing cases ran on.
std::string multiprocessors(const DeviceResult& device, const std::set<size_t>& properties) {
  std::map<uint32_t, PlaceRow> places;
  uint64_t cases = 0, failing = 0;
  for (const size_t p : properties)
    for (const PlaceRow& place : device.properties[p].places) {
      places[place.sm].cases += place.cases;
      places[place.sm].failing += place.failing;
      cases += place.cases;
      failing += place.failing;
    }
  constexpr uint64_t fewest = 4;
  if (failing < fewest || places.size() < 2) return {};
  const auto worst = std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return a.second.failing < b.second.failing;
  });
  const double share = static_cast<double>(worst->second.cases) / static_cast<double>(cases);
  const std::string all = grouped(failing, ",") + (failing == 1 ? " failing CTA" : " failing CTAs");
  if (10 * worst->second.failing >= 9 * failing && share < 0.3)
    return grouped(worst->second.failing, ",") + " of " + all + " ran on SM " + std::to_string(worst->first) +
           ", as did " + percent(share) + " of all CTAs; one place: suspect the silicon";
  // Chi-squared against "as likely everywhere": what luck alone gives in all but one run of a thousand.
  double chi = 0;
  size_t hit = 0;
  for (const auto& [sm, place] : places) {
    const double due =
        static_cast<double>(failing) * static_cast<double>(place.cases) / static_cast<double>(cases);
    if (due > 0)
      chi += (static_cast<double>(place.failing) - due) * (static_cast<double>(place.failing) - due) / due;
    hit += place.failing != 0;
  }
  const auto freedom = static_cast<double>(places.size() - 1);
  const std::string spread =
      all + " ran on " + std::to_string(hit) + " of " + std::to_string(places.size()) + " SMs";
  if (chi <= freedom + 3.1 * std::sqrt(2 * freedom) + 3)
    return spread + (hit == places.size() ? ", evenly: every SM that ran cases saw failures"
                                          : ", on none more often than chance explains");
  return spread + ", unevenly, but not tied to one";
}

/// Where wrong elements lie: one sentence a kind of place. Elements of a case are wrong together, so there is
/// no test of chance here: nearly all in one place, nearly all places, or neither.
std::vector<std::string> element_places(const DeviceResult& device, const std::set<size_t>& properties) {
  std::vector<std::string> sentences;
  for (const std::string_view kind : place_kinds) {
    std::map<uint32_t, PlaceCount> places;
    uint64_t judged = 0, wrong = 0;
    for (const size_t p : properties)
      for (const PlaceCount& place : device.properties[p].wrong_places) {
        if (place.kind != kind || place.judged == 0) continue;
        PlaceCount& into = places[place.number];
        into.judged += place.judged, into.wrong += place.wrong;
        judged += place.judged, wrong += place.wrong;
      }
    if (wrong < 4 || places.size() < 2) continue;
    const auto worst = std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
      return a.second.wrong < b.second.wrong;
    });
    const auto hit = static_cast<uint64_t>(
        std::count_if(places.begin(), places.end(), [](const auto& p) { return p.second.wrong != 0; }));
    const double share = static_cast<double>(worst->second.judged) / static_cast<double>(judged);
    const std::string one(kind),
        affected = grouped(hit, ",") + " of " + grouped(places.size(), ",") + " affected";
    std::string text;
    if (10 * worst->second.wrong >= 9 * wrong && share < 0.6)
      text = one + " " + std::to_string(worst->first) + ": " + grouped(worst->second.wrong, ",") + " of " +
             grouped(wrong, ",") + " wrong elements, with " + percent(share) + " of all elements; " +
             (share < 0.3 ? "one place: suspect the silicon" : "one place of few");
    else if (hit == places.size())
      text = "every " + one + " affected (" + grouped(hit, ",") + ")";
    else
      text = (10 * hit >= 9 * places.size() ? "nearly every " : "not tied to one ") + one + ": " + affected;
    sentences.push_back(std::move(text));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> where_it_fails(const DeviceResult& device, const std::set<size_t>& properties) {
  std::vector<std::string> sentences = element_places(device, properties);
  // Those of an emulator are threads of the host.
  if (std::string running = device.is_silicon ? multiprocessors(device, properties) : ""; !running.empty())
    sentences.insert(sentences.begin(), std::move(running));
  return sentences;
}

std::vector<std::string> where_it_fails(const DeviceResult& device) {
  std::set<size_t> all;
  for (size_t p = 0; p < device.properties.size(); ++p) all.insert(p);
  return where_it_fails(device, all);
}

bool is_adopted(const ReadingRow& reading) {
  return reading.status == reading_adopted;
}

std::string reading_line(const ReadingRow& reading) {
  std::string text = reading.question + ": ";
  if (reading.chosen_letter.empty())
    text += reading.status;
  else
    text += "reading " + reading.chosen_letter + " (" + reading.chosen_words + "), default " +
            reading.default_letter;
  return text;
}

}  // namespace assay::report
