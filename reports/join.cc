// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "reference/spec/rule.h"

namespace assay::report {
namespace {

constexpr size_t most_examples = 100;

std::string sum_of_hex(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  const uint64_t sum = std::strtoull(a.c_str(), nullptr, 16) + std::strtoull(b.c_str(), nullptr, 16);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(sum));
  return digits;
}

std::string both(const std::string& a, const std::string& b) {
  if (b.empty() || a == b) return a;
  if (a.empty()) return b;
  // Sorted parts, so that the order of the runs plays no part.
  std::set<std::string> parts;
  for (std::string rest : {a, b})
    for (size_t at = 0; at != std::string::npos;) {
      const size_t next = rest.find("; ", at);
      parts.insert(rest.substr(at, next == std::string::npos ? next : next - at));
      at = next == std::string::npos ? next : next + 2;
    }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

void join_totals(PropertyTotals& a, const PropertyTotals& b) {
  a.planned += b.planned;
  a.issued += b.issued;
  for (const auto& from : b.counts) {
    const auto same =
        std::find_if(a.counts.begin(), a.counts.end(), [&](const auto& c) { return c.first == from.first; });
    if (same != a.counts.end())
      same->second += from.second;
    else
      a.counts.push_back(from);
  }
  std::sort(a.counts.begin(), a.counts.end());
  a.seconds = std::max(a.seconds, b.seconds);
  a.device_busy_seconds += b.device_busy_seconds;
  a.host_busy_seconds += b.host_busy_seconds;
  a.tile_bytes += b.tile_bytes;
  a.fingerprint = sum_of_hex(a.fingerprint, b.fingerprint);
  a.reason = both(a.reason, b.reason);
  a.complete = a.complete && b.complete;
  a.done.clear();
}

void join_kinds(std::vector<FailureKindRow>& a, const std::vector<FailureKindRow>& b) {
  for (const FailureKindRow& kind : b) {
    const auto at = std::lower_bound(a.begin(), a.end(), kind,
                                     [](const auto& x, const auto& y) { return x.signature < y.signature; });
    if (at == a.end() || at->signature != kind.signature) {
      a.insert(at, kind);
      continue;
    }
    if (row(kind.verdict).severity > row(at->verdict).severity) {
      at->verdict = kind.verdict;
      at->waiver = kind.waiver;
    } else if (kind.verdict == at->verdict) {
      at->waiver = both(at->waiver, kind.waiver);
    }
    at->count += kind.count;
    at->indexes.insert(at->indexes.end(), kind.indexes.begin(), kind.indexes.end());
    std::sort(at->indexes.begin(), at->indexes.end());
    std::erase_if(at->rules, [&](const std::string& rule) {
      return std::find(kind.rules.begin(), kind.rules.end(), rule) == kind.rules.end();
    });
    at->blame = both(at->blame, kind.blame);
    at->failed += kind.failed;
    at->repeated += kind.repeated;
  }
}

void join_failures(std::vector<FailureGroup>& a, std::vector<FailureGroup>&& b) {
  for (FailureGroup& group : b) {
    const auto same = std::find_if(a.begin(), a.end(), [&](const FailureGroup& g) {
      return g.signature == group.signature && g.verdict == group.verdict;
    });
    if (same == a.end()) {
      a.push_back(std::move(group));
      continue;
    }
    same->rows += group.rows;
    same->count += group.count;
    same->failed += group.failed;
    same->repeated += group.repeated;
    same->waiver = both(same->waiver, group.waiver);
    same->blame = both(same->blame, group.blame);
    std::erase_if(same->rules, [&](const std::string& rule) {
      return std::find(group.rules.begin(), group.rules.end(), rule) == group.rules.end();
    });
    for (CaseRow& row : group.examples)
      if (same->examples.size() < most_examples) same->examples.push_back(std::move(row));
    std::stable_sort(same->examples.begin(), same->examples.end(), [](const CaseRow& x, const CaseRow& y) {
      if (x.shrunk_from.empty() != y.shrunk_from.empty()) return !x.shrunk_from.empty();
      return x.index < y.index;
    });
  }
}

void join_ranges(std::vector<RangeRow>& a, const std::vector<RangeRow>& b) {
  uint64_t size = 1;
  for (const auto* list : {static_cast<const std::vector<RangeRow>*>(&a), &b})
    for (const RangeRow& range : *list) size = std::max(size, range.size);
  std::map<uint64_t, RangeRow> sum;
  for (const auto* list : {static_cast<const std::vector<RangeRow>*>(&a), &b})
    for (const RangeRow& range : *list) {
      const uint64_t first = range.first / size * size;
      RangeRow& into = sum[first];
      into.first = first, into.size = size;
      into.conforming += range.conforming;
      into.fingerprint += range.fingerprint;
    }
  a.clear();
  for (const auto& [first, range] : sum) a.push_back(range);
}

void join_rules(std::vector<RuleCount>& a, const std::vector<RuleCount>& b) {
  for (const RuleCount& rule : b) {
    const auto same =
        std::find_if(a.begin(), a.end(), [&](const RuleCount& r) { return r.rule == rule.rule; });
    if (same == a.end()) {
      a.push_back(rule);
      continue;
    }
    same->exercised += rule.exercised;
    same->violated += rule.violated;
    same->no_demand += rule.no_demand;
  }
  std::sort(a.begin(), a.end(), [](const RuleCount& x, const RuleCount& y) { return x.rule < y.rule; });
}

void join_coverage(std::vector<CoverageCell>& a, const std::vector<CoverageCell>& b) {
  std::map<std::pair<std::string, std::string>, size_t> at;
  for (size_t i = 0; i < a.size(); ++i) at[{a[i].dimension, a[i].cell}] = i;
  for (const CoverageCell& cell : b) {
    const auto found = at.find({cell.dimension, cell.cell});
    if (found == at.end()) {
      a.push_back(cell);
      continue;
    }
    uint64_t& count = a[found->second].count;
    const bool is_reach = cell.dimension.ends_with(values_reached) || cell.dimension.ends_with(pairs_reached);
    count = is_reach ? std::max(count, cell.count) : count + cell.count;
    a[found->second].reachable |= cell.reachable;
  }
}

void join_places(std::vector<PlaceRow>& a, const std::vector<PlaceRow>& b) {
  std::map<uint32_t, PlaceRow> sum;
  for (const auto* list : {static_cast<const std::vector<PlaceRow>*>(&a), &b})
    for (const PlaceRow& place : *list) {
      PlaceRow& into = sum[place.sm];
      into.sm = place.sm;
      into.cases += place.cases;
      into.failing += place.failing;
    }
  a.clear();
  for (const auto& [sm, place] : sum) a.push_back(place);
}

/// None of its cases fell into this shard.
bool is_without_cases(const PropertyResult& property) {
  return property.started && property.totals.complete &&
         std::all_of(property.counts.begin(), property.counts.end(), [](uint64_t n) { return n == 0; });
}

void join_property(PropertyResult& a, PropertyResult&& b) {
  if (is_without_cases(b) && !is_without_cases(a)) return;
  if (is_without_cases(a) && !is_without_cases(b)) {
    a = std::move(b);
    return;
  }
  a.planned += b.planned;
  a.started |= b.started;
  a.cut_short |= b.cut_short;
  join_totals(a.totals, b.totals);
  for (size_t v = 0; v < a.counts.size(); ++v) a.counts[v] += b.counts[v];
  a.reason = both(a.reason, b.reason);
  join_failures(a.failures, std::move(b.failures));
  join_kinds(a.kinds, b.kinds);
  join_ranges(a.ranges, b.ranges);
  join_places(a.places, b.places);
  a.wrong_places.insert(a.wrong_places.end(), b.wrong_places.begin(), b.wrong_places.end());
  join_rules(a.rules, b.rules);
  join_coverage(a.coverage, b.coverage);
}

void join_readings(std::vector<ReadingRow>& a, const std::vector<ReadingRow>& b) {
  const auto is_decided = [](const ReadingRow& r) {
    return r.status == reading_confirmed || r.status == reading_modelled || r.status == reading_adopted;
  };
  for (const ReadingRow& reading : b) {
    const auto same =
        std::find_if(a.begin(), a.end(), [&](const ReadingRow& r) { return r.question == reading.question; });
    if (same == a.end()) {
      a.push_back(reading);
      continue;
    }
    const uint64_t deciding = same->deciding_cases + reading.deciding_cases;
    if (same->status == reading_contradicted || reading.status == reading_contradicted) {
      if (same->status != reading_contradicted) *same = reading;
    } else if (is_decided(*same) && is_decided(reading) && same->chosen_letter != reading.chosen_letter) {
      const auto& [first, second] = std::minmax(same->witness, reading.witness);
      const std::string words = first + " and " + second + " decide it differently in different runs";
      same->status = reading_contradicted;
      same->witness = words;
    } else if (!is_decided(*same) && is_decided(reading)) {
      *same = reading;
    } else if (is_decided(*same) == is_decided(reading) && !reading.witness.empty() &&
               (same->witness.empty() || reading.witness < same->witness)) {
      same->witness = reading.witness;
    }
    same->deciding_cases = deciding;
  }
}

/// Used anywhere is used; one that failed no run because it was not tried stays so only if none tried it.
void join_waivers(std::vector<WaiverRow>& a, const std::vector<WaiverRow>& b) {
  const auto rank = [](const WaiverRow& w) {
    return w.state == "expired" ? 3 : w.state == "used" ? 2 : w.state == "unneeded" ? 1 : 0;
  };
  for (const WaiverRow& waiver : b) {
    const auto same = std::find_if(a.begin(), a.end(), [&](const WaiverRow& w) { return w.id == waiver.id; });
    if (same == a.end()) {
      a.push_back(waiver);
      continue;
    }
    const uint64_t cases = same->cases + waiver.cases;
    if (rank(waiver) > rank(*same)) *same = waiver;
    same->cases = cases;
  }
  std::sort(a.begin(), a.end(), [](const WaiverRow& x, const WaiverRow& y) { return x.id < y.id; });
}

}  // namespace

std::string device_identity(const DeviceInfo& device) {
  return device.evidence + "\n" + (device.uuid.empty() ? "spec " + device.spec : "uuid " + device.uuid);
}

bool is_same_device(const DeviceInfo& a, const DeviceInfo& b) {
  return device_identity(a) == device_identity(b);
}

void join(DeviceResult& into, DeviceResult&& from) {
  for (PropertyResult& property : from.properties) {
    const auto same =
        std::find_if(into.properties.begin(), into.properties.end(),
                     [&](const PropertyResult& p) { return p.info.name == property.info.name; });
    if (same == into.properties.end())
      into.properties.push_back(std::move(property));
    else
      join_property(*same, std::move(property));
  }
  std::sort(into.properties.begin(), into.properties.end(),
            [](const PropertyResult& a, const PropertyResult& b) { return a.info.name < b.info.name; });
  join_readings(into.readings, from.readings);
  into.reading_states.insert(into.reading_states.end(), from.reading_states.begin(),
                             from.reading_states.end());
  into.deciding.insert(into.deciding.end(), from.deciding.begin(), from.deciding.end());
  join_waivers(into.waivers, from.waivers);
  for (auto& fact : from.info.facts)
    if (std::find(into.info.facts.begin(), into.info.facts.end(), fact) == into.info.facts.end())
      into.info.facts.push_back(std::move(fact));
  std::sort(into.info.facts.begin(), into.info.facts.end());
}

RunInfo joined(const std::vector<RunInfo>& runs) {
  RunInfo all = runs.front();
  if (runs.size() == 1) return all;
  std::set<std::string> hosts, versions, commits, lines;
  all.flaky_warns = true;
  for (const RunInfo& run : runs) {
    all.started_utc = std::min(all.started_utc, run.started_utc);
    hosts.insert(run.host), versions.insert(run.version), commits.insert(run.commit);
    lines.insert(run.command_line);
    all.flaky_warns &= run.flaky_warns;
    all.seconds = std::max(all.seconds, run.seconds);
  }
  const auto list = [](const std::set<std::string>& words, size_t most) {
    std::string text;
    size_t n = 0;
    for (const std::string& word : words) {
      if (n++ == most) return text + " and " + std::to_string(words.size() - most) + " more";
      text += (text.empty() ? "" : ", ") + word;
    }
    return text;
  };
  all.run_id = std::to_string(runs.size()) + " runs from " + runs.front().run_id;
  all.host = list(hosts, 4);
  all.version = list(versions, 2);
  all.commit = list(commits, 2);
  all.command_line = std::to_string(runs.size()) + " runs merged, such as: " + *lines.begin();
  all.environment.clear();
  for (const RunInfo& run : runs)
    all.environment.emplace_back("run", run.run_id + ", shard " + std::to_string(run.shard) + " of " +
                                            std::to_string(run.shards) + ", seed " +
                                            std::to_string(run.seed));
  all.shard = all.shards = 1;
  return all;
}

void blame_rules(PropertyResult& property) {
  std::map<std::string, uint64_t> violated, suspected;
  for (const FailureKindRow& kind : property.kinds) {
    if (!fails(kind.verdict) && kind.verdict != Verdict::waived) continue;
    for (const Suspect& suspect : kind.blame.suspects)
      (kind.blame.culprit() != nullptr ? violated : suspected)[suspect.rule] += kind.count;
  }
  for (RuleCount& rule : property.rules) {
    const uint64_t failing = rule.violated;
    rule.violated = std::exchange(violated[rule.rule], 0);
    rule.suspected = std::exchange(suspected[rule.rule], 0);
    const uint64_t explained = rule.violated + rule.suspected;
    rule.implicated = failing > explained ? failing - explained : 0;
    rule.exercised = std::max(rule.exercised, explained);
  }
  // What no case was thought to exercise is exercised where it explains a failure.
  for (const auto& [counts, is_violated] : {std::pair{&violated, true}, std::pair{&suspected, false}})
    for (const auto& [id, count] : *counts) {
      const auto known = spec::find_rule(id);
      if (count == 0 || !known) continue;
      RuleCount rule;
      rule.rule = id;
      rule.words = spec::rules()[*known].words;
      rule.question = spec::rules()[*known].question;
      rule.exercised = count;
      (is_violated ? rule.violated : rule.suspected) = count;
      property.rules.push_back(std::move(rule));
    }
}

}  // namespace assay::report
