// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/nights.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "reports/detection.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/text.h"

namespace assay::report {
namespace {

/// A night keeps this many ranges of a property at most: enough to compare nights that ended at different
/// cases, few enough to keep years of them in one file.
constexpr size_t most_ranges = 16;

/// A shard has cases of its own: what it finds and the bits that it sees are compared with the same shard's.
std::string part_of(const std::vector<RunInfo>& runs) {
  std::set<std::pair<int, int>> shards;
  for (const RunInfo& run : runs) shards.emplace(run.shards, run.shard);
  const int count = shards.begin()->first;
  const bool of_one_split = count == shards.rbegin()->first;
  if (of_one_split && static_cast<int>(shards.size()) == count) return {};
  std::string text;
  for (const auto& [of, shard] : shards)
    text += (text.empty() ? "" : " ") + std::to_string(shard) + "/" + std::to_string(of);
  return text;
}

std::string fact(const DeviceInfo& device, const std::string& name) {
  for (const auto& [key, value] : device.facts)
    if (key == name) return value;
  return {};
}

/// The same cases under ranges of another size, of which the smaller ones are parts.
std::vector<RangeRow> widened(const std::vector<RangeRow>& ranges, uint64_t size) {
  std::map<uint64_t, RangeRow> wide;
  for (const RangeRow& range : ranges) {
    RangeRow& into = wide[range.first / size];
    into.first = range.first / size * size, into.size = size;
    into.conforming += range.conforming, into.fingerprint += range.fingerprint;
  }
  std::vector<RangeRow> rows;
  for (const auto& [number, range] : wide)
    if (range.conforming == size) rows.push_back(range);
  return rows;
}

/// Ranges of which every case conforms, as fine as few allow.
std::vector<RangeRow> few_whole(const std::vector<RangeRow>& ranges) {
  if (ranges.empty()) return {};
  uint64_t size = 1;
  for (const RangeRow& range : ranges) size = std::max(size, range.size);
  const uint64_t end = ranges.back().first + ranges.back().size;
  while (end / size > most_ranges) size *= 2;
  return widened(ranges, size);
}

NightPropertyRow property_of(const PropertyResult& property) {
  NightPropertyRow row;
  row.name = property.info.name, row.planned = property.planned, row.cases = property.cases();
  row.conforming = property.counts[static_cast<size_t>(Verdict::conforms)] +
                   property.counts[static_cast<size_t>(Verdict::adopted_reading)];
  row.complete = property.totals.complete, row.fingerprint = property.totals.fingerprint;
  row.ranges = few_whole(property.ranges);
  return row;
}

void add_ways_to_fail(const DeviceResult& device, NightRow& night) {
  for (const PropertyResult& property : device.properties)
    for (const FailureKindRow& kind : property.kinds)
      if (fails(kind.verdict) || kind.verdict == Verdict::waived)
        night.way_cases[kind.signature] += kind.count;
  for (const auto& [signature, count] : night.way_cases) night.ways.push_back(signature);
}

/// Of two states of one run on one device the greater one is kept: it has judged more, or, so that the choice
/// never depends on an order, merely differs.
auto progress(const NightRow& night) {
  std::string words = std::string(name(night.verdict)) + " " + night.started_utc + " " + night.seed + " " +
                      night.part + " " + night.program + " " + night.driver;
  for (const NightPropertyRow& p : night.properties) {
    words += "\n" + p.name + " " + std::to_string(p.planned) + " " + std::to_string(p.conforming) + " " +
             std::to_string(p.complete) + " " + p.fingerprint;
    for (const RangeRow& range : p.ranges)
      words += " " + std::to_string(range.first) + " " + std::to_string(range.fingerprint);
  }
  for (const std::string& way : night.ways) words += "\n" + way;
  return std::tuple(cases_of(night), night.seconds, words);
}

const NightPropertyRow* property_of(const NightRow& night, const std::string& signature) {
  const std::string name = signature.substr(0, signature.find('|'));
  const auto found = std::find_if(night.properties.begin(), night.properties.end(),
                                  [&](const NightPropertyRow& p) { return p.name == name; });
  return found == night.properties.end() ? nullptr : &*found;
}

/// Whether the property of a signature ran to its end.
bool has_run(const NightRow& night, const std::string& signature) {
  const NightPropertyRow* property = property_of(night, signature);
  return property != nullptr && property->complete && property->cases != 0;
}

/// What it says that a failure signature of the earlier night did not come up in the later one.
Absence absence_of(const std::string& signature, const NightRow& then, const NightRow& now) {
  const NightPropertyRow *before = property_of(then, signature), *after = property_of(now, signature);
  if (before == nullptr || after == nullptr) return {};
  const auto counted = then.way_cases.find(signature);
  const bool same_cases = then.seed == now.seed && !now.seed.empty() && then.program == now.program &&
                          after->cases >= before->cases;
  return absence(counted == then.way_cases.end() ? 0 : counted->second, before->cases, after->cases,
                 same_cases);
}

/// Which cases of a property conform in both nights with other bits, or nothing.
std::string changed_cases(const NightPropertyRow& then, const NightPropertyRow& now) {
  const auto all_conform = [](const NightPropertyRow& p) {
    return p.planned != 0 && p.conforming == p.planned;
  };
  if (then.planned == now.planned && all_conform(then) && all_conform(now)) {
    if (then.fingerprint == now.fingerprint) return {};
    return "all " + grouped(now.planned, ",") + " cases";
  }
  if (then.ranges.empty() || now.ranges.empty()) return {};
  const uint64_t size = std::max(then.ranges[0].size, now.ranges[0].size);
  std::string first;
  size_t more = 0;
  for (const RangeRow& range : widened(now.ranges, size))
    for (const RangeRow& before : widened(then.ranges, size)) {
      if (before.first != range.first || before.fingerprint == range.fingerprint) continue;
      if (first.empty())
        first = "cases " + grouped(range.first, ",") + " to " + grouped(range.first + size - 1, ",");
      else
        ++more;
    }
  return more == 0 ? first : first + " and " + std::to_string(more) + " more ranges";
}

/// Facts that explain other bits by themselves.
std::string what_changed(const NightRow& then, const NightRow& now) {
  std::string text;
  if (then.driver != now.driver)
    text = "driver " + (then.driver.empty() ? "unknown" : then.driver) + ", now " +
           (now.driver.empty() ? "unknown" : now.driver);
  if (then.program != now.program)
    text += (text.empty() ? "" : "; ") + std::string("assay ") + then.program + ", now " + now.program;
  return text;
}

std::vector<OtherBits> other_bits(const NightRow& then, const NightRow& now) {
  std::vector<OtherBits> found;
  if (then.seed != now.seed || now.seed.empty()) return found;  // other cases
  for (const NightPropertyRow& before : then.properties)
    for (const NightPropertyRow& after : now.properties)
      if (before.name == after.name)
        if (std::string cases = changed_cases(before, after); !cases.empty())
          found.push_back({after.name, std::move(cases), what_changed(then, now)});
  return found;
}

SinceBefore since(const NightRow& then, const NightRow& now) {
  SinceBefore changes;
  std::vector<std::string> before = then.ways;
  std::erase_if(before, [&](const std::string& signature) {
    return !std::binary_search(now.ways.begin(), now.ways.end(), signature) && !has_run(now, signature);
  });
  std::set_difference(now.ways.begin(), now.ways.end(), before.begin(), before.end(),
                      std::back_inserter(changes.fresh));
  std::vector<std::string> absent;
  std::set_difference(before.begin(), before.end(), now.ways.begin(), now.ways.end(),
                      std::back_inserter(absent));
  for (std::string& signature : absent) {
    const Absence absence = absence_of(signature, then, now);
    if (absence.is_gone)
      changes.gone.push_back(std::move(signature));
    else
      changes.unseen.push_back(signature + ": " + absence.words);
  }
  changes.other_bits = other_bits(then, now);
  return changes;
}

bool holds_any(const NightRow& night, const std::set<std::string>& runs) {
  std::istringstream ids(night.runs);
  for (std::string id; std::getline(ids, id);)
    if (runs.contains(id)) return true;
  return false;
}

}  // namespace

std::vector<NightRow> nights_of(const Results& results) {
  NightRow common;
  bool one_seed = true;
  std::set<std::string> programs;
  for (const RunInfo& run : results.runs) {
    common.runs += (common.runs.empty() ? "" : "\n") + run.run_id;
    one_seed &= run.seed == results.runs.front().seed;
    programs.insert(run.commit.empty() ? run.version : run.version + " (" + run.commit + ")");
  }
  common.started_utc = results.run.started_utc;
  if (one_seed) common.seed = std::to_string(results.run.seed);
  common.part = part_of(results.runs);
  for (const std::string& program : programs)
    common.program += (common.program.empty() ? "" : ", ") + program;
  std::vector<NightRow> nights;
  for (const DeviceResult& device : results.devices) {
    NightRow night = common;
    night.device = device.info;
    night.device.facts.clear();
    night.driver = fact(device.info, "kernel-mode driver");
    night.verdict = device.verdict;
    for (const PropertyResult& property : device.properties) {
      night.seconds = std::max(night.seconds, property.totals.seconds);
      night.properties.push_back(property_of(property));
    }
    add_ways_to_fail(device, night);
    nights.push_back(std::move(night));
  }
  return nights;
}

std::vector<NightRow> united(std::vector<NightRow> nights) {
  const auto key = [](const NightRow& night) {
    return std::tie(night.started_utc, night.runs, night.device.spec, night.device.uuid);
  };
  std::map<std::tuple<std::string, std::string, std::string>, NightRow> kept;
  for (NightRow& night : nights) {
    const std::tuple identity{night.runs, night.device.spec, night.device.uuid};
    const auto at = kept.find(identity);
    if (at == kept.end())
      kept.emplace(identity, std::move(night));
    else if (progress(night) > progress(at->second))
      at->second = std::move(night);
  }
  nights.clear();
  for (auto& [identity, night] : kept) nights.push_back(std::move(night));
  std::sort(nights.begin(), nights.end(),
            [&](const NightRow& a, const NightRow& b) { return key(a) < key(b); });
  return nights;
}

std::vector<HistoryNight> compared(std::vector<NightRow> in_order) {
  std::vector<HistoryNight> history;
  std::map<std::string, size_t> last;  // of a device and its shards
  for (NightRow& night : in_order) {
    HistoryNight entry{std::move(night), {}};
    const auto [at, is_first] =
        last.emplace(device_identity(entry.night.device) + "\n" + entry.night.part, history.size());
    if (!is_first) {
      entry.since = since(history[at->second].night, entry.night);
      entry.since->before = at->second;
      at->second = history.size();
    }
    history.push_back(std::move(entry));
  }
  return history;
}

std::vector<HistoryNight> history_of(const Results& results, std::vector<NightRow> stored) {
  if (stored.empty()) return {};
  std::set<std::string> own;
  for (const RunInfo& run : results.runs) own.insert(run.run_id);
  std::erase_if(stored, [&](const NightRow& night) {
    return night.started_utc > results.run.started_utc || holds_any(night, own);
  });
  stored = united(std::move(stored));
  for (NightRow& night : nights_of(results)) stored.push_back(std::move(night));
  return compared(std::move(stored));
}

std::string other_bits_words(const OtherBits& bits) {
  return bits.property + ", " + bits.cases + (bits.between.empty() ? "" : " (" + bits.between + ")");
}

uint64_t cases_of(const NightRow& night) {
  uint64_t sum = 0;
  for (const NightPropertyRow& property : night.properties) sum += property.cases;
  return sum;
}

uint64_t conforming_of(const NightRow& night) {
  uint64_t sum = 0;
  for (const NightPropertyRow& property : night.properties) sum += property.conforming;
  return sum;
}

}  // namespace assay::report
