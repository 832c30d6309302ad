// SPDX-License-Identifier: Apache-2.0
#include "reports/results.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "reports/compare/run_diff.h"
#include "reports/coverage_table.h"
#include "reports/results_file.h"
#include "reports/text.h"

namespace assay::report {
namespace {

struct ReadRun {
  int64_t id;
  RunInfo info;
  bool finished;
  std::string finished_utc;
  std::optional<int> exit;
};

std::vector<ReadRun> read_runs(Database& db) {
  std::vector<ReadRun> runs;
  Statement run(
      db,
      "SELECT id,run_id,started_utc,command_line,version,commit_hash,host,seed,finished_utc,exit_code,"
      "shard,shards,flaky_warns,options,generation,seconds FROM run ORDER BY run_id");
  Statement facts(db, "SELECT name,value FROM environment WHERE run=? ORDER BY ordinal");
  while (run.step()) {
    ReadRun read{run.integer(0), {}, !run.is_null(8), run.text(8), {}};
    RunInfo& info = read.info;
    info.run_id = run.text(1), info.started_utc = run.text(2), info.command_line = run.text(3);
    info.version = run.text(4), info.commit = run.text(5), info.host = run.text(6);
    info.seed = std::strtoull(run.text(7).c_str(), nullptr, 10);
    if (!run.is_null(9)) read.exit = static_cast<int>(run.integer(9));
    info.shard = static_cast<int>(run.integer(10)), info.shards = static_cast<int>(run.integer(11));
    info.flaky_warns = run.integer(12) != 0;
    info.options = run.text(13), info.generation = static_cast<int>(run.integer(14));
    info.seconds = run.real(15);
    facts.bind(read.id);
    while (facts.step()) info.environment.emplace_back(facts.text(0), facts.text(1));
    runs.push_back(std::move(read));
  }
  if (runs.empty()) throw std::runtime_error("results file " + db.file() + " holds no run");
  return runs;
}

Verdict verdict_column(const Statement& statement, int column, const Database& db) {
  const std::string text = statement.text(column);
  if (const auto verdict = parse_verdict(text)) return *verdict;
  throw std::runtime_error("results file " + db.file() + " holds the unknown verdict '" + text + "'");
}

void read_totals(Database& db, int64_t id, PropertyResult& property) {
  Statement totals(
      db,
      "SELECT planned,issued,seconds,device_busy_seconds,host_busy_seconds,tile_bytes,fingerprint,reason,"
      "complete,done FROM totals WHERE property=?");
  if (totals.bind(id).step()) {
    property.started = true;
    PropertyTotals& t = property.totals;
    t.planned = totals.count(0), t.issued = totals.count(1), t.seconds = totals.real(2);
    t.device_busy_seconds = totals.real(3), t.host_busy_seconds = totals.real(4),
    t.tile_bytes = totals.count(5);
    t.fingerprint = totals.text(6), t.reason = totals.text(7), t.complete = totals.integer(8) != 0,
    t.done = totals.text(9);
    property.planned = std::max(property.planned, t.planned);
  }
  Statement counts(db, "SELECT verdict,count FROM verdict_counts WHERE property=? ORDER BY rowid");
  counts.bind(id);
  while (counts.step()) {
    const Verdict verdict = verdict_column(counts, 0, db);
    property.totals.counts.emplace_back(verdict, counts.count(1));
    property.counts[static_cast<size_t>(verdict)] += counts.count(1);
  }
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Of the kinds of a property. Files of older programs have none.
void read_blame(Database& db, int64_t id, std::vector<FailureKindRow>& kinds) {
  if (db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='kind_blame'") == 0) return;
  Statement rows(db, "SELECT signature,blame FROM kind_blame WHERE property=?");
  rows.bind(id);
  while (rows.step())
    for (FailureKindRow& kind : kinds)
      if (kind.signature == rows.text(0)) kind.blame = parse_blame(rows.text(1));
  if (db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='kind_weights'") == 0) return;
  Statement weights(db, "SELECT signature,weights FROM kind_weights WHERE property=?");
  weights.bind(id);
  while (weights.step())
    for (FailureKindRow& kind : kinds)
      if (kind.signature == weights.text(0)) kind.blame.weights = parse_weights(weights.text(1));
}

std::vector<FailureKindRow> read_kinds(Database& db, int64_t id) {
  std::vector<FailureKindRow> kinds;
  Statement rows(db,
                 "SELECT signature,verdict,count,indexes,rules,waiver,failed,repeated FROM failure_kinds "
                 "WHERE property=? "
                 "ORDER BY signature");
  rows.bind(id);
  while (rows.step()) {
    FailureKindRow kind;
    kind.signature = rows.text(0), kind.verdict = verdict_column(rows, 1, db), kind.count = rows.count(2);
    for (const std::string& index : split(rows.text(3)))
      kind.indexes.push_back(std::strtoull(index.c_str(), nullptr, 10));
    kind.rules = split(rows.text(4)), kind.waiver = rows.text(5);
    kind.failed = static_cast<uint32_t>(rows.integer(6));
    kind.repeated = static_cast<uint32_t>(rows.integer(7));
    kinds.push_back(std::move(kind));
  }
  read_blame(db, id, kinds);
  return kinds;
}

std::vector<RangeRow> read_ranges(Database& db, int64_t id) {
  std::vector<RangeRow> ranges;
  Statement rows(db, "SELECT first,size,conforming,fingerprint FROM ranges WHERE property=? ORDER BY first");
  rows.bind(id);
  while (rows.step())
    ranges.push_back(
        {rows.count(0), rows.count(1), rows.count(2), std::strtoull(rows.text(3).c_str(), nullptr, 10)});
  return ranges;
}

std::vector<PlaceRow> read_places(Database& db, int64_t property) {
  std::vector<PlaceRow> places;
  Statement rows(db, "SELECT sm,cases,failing FROM places WHERE property=? ORDER BY sm");
  rows.bind(property);
  while (rows.step())
    places.push_back({static_cast<uint32_t>(rows.integer(0)), rows.count(1), rows.count(2)});
  return places;
}

/// Summed over the failing cases that have rows; shrunk copies are no cases more.
std::vector<PlaceCount> read_wrong_places(Database& db, int64_t property) {
  std::map<std::pair<std::string, uint32_t>, PlaceCount> sums;
  Statement rows(db, "SELECT places FROM cases WHERE property=? AND shrunk_from='' AND places<>''");
  rows.bind(property);
  while (rows.step())
    for (const PlaceCount& place : parse_places(rows.text(0))) {
      PlaceCount& into = sums[{place.kind, place.number}];
      into.kind = place.kind, into.number = place.number;
      into.judged += place.judged, into.wrong += place.wrong;
    }
  std::vector<PlaceCount> places;
  for (const auto& [key, place] : sums) places.push_back(place);
  return places;
}

void read_case_lists(Database& db, int64_t id, CaseRow& row) {
  Statement rules(db, "SELECT rule FROM case_rules WHERE \"case\"=? ORDER BY ordinal");
  rules.bind(id);
  while (rules.step()) row.rules.push_back(rules.text(0));
  Statement fields(db, "SELECT name,value FROM case_fields WHERE \"case\"=? ORDER BY ordinal");
  fields.bind(id);
  while (fields.step()) row.fields.emplace_back(fields.text(0), fields.text(1));
}

void read_failures(Database& db, int64_t id, const std::string& device, const ReadLimits& limits,
                   PropertyResult& property) {
  // Of two rows of one case the later one counts: it says what came of the first.
  const std::string latest =
      "FROM cases c WHERE property=? AND NOT EXISTS(SELECT 1 FROM cases n WHERE n.property=c.property AND "
      "n.case_id=c.case_id AND n.case_index=c.case_index AND n.id>c.id AND c.case_id<>'' AND "
      "n.shrunk_from='' AND "
      "c.shrunk_from='') ";
  Statement groups(db, "SELECT signature,verdict,SUM(shrunk_from='') " + latest +
                           "GROUP BY signature,verdict ORDER BY MIN(id)");
  Statement rows(
      db,
      "SELECT id,case_index,case_id,case_json,message,detail,replay,expected_end,observed_end,expected,"
      "observed,defined,bytes_offset,differing_bytes,shrunk_from,from_file,COALESCE(sm,-1),places,format,"
      "picture " +
          latest + "AND signature=? AND verdict=? ORDER BY shrunk_from='',case_index,id LIMIT ?");
  const auto bytes = [&](int column) {
    const auto blob = rows.blob(column);
    return std::vector<uint8_t>(blob.begin(), blob.end());
  };
  VerdictCounts in_rows{};
  size_t left = limits.examples_per_property;
  groups.bind(id);
  while (groups.step()) {
    FailureGroup group;
    group.signature = groups.text(0), group.verdict = verdict_column(groups, 1, db);
    group.rows = std::max<uint64_t>(groups.count(2), 1);
    in_rows[static_cast<size_t>(group.verdict)] += group.rows;
    group.count = group.rows;
    for (const FailureKindRow& kind : property.kinds)
      if (kind.signature == group.signature) {
        if (kind.verdict == group.verdict) group.count = std::max(group.rows, kind.count);
        group.waiver = kind.waiver, group.failed = kind.failed, group.repeated = kind.repeated;
        group.blame = kind.blame, group.rules = kind.rules;
      }
    // Every failure signature keeps at least one example; the limit only thins out repetitions.
    const size_t take = std::max<size_t>(1, std::min(left, limits.examples_per_signature));
    rows.bind(id, group.signature, name(group.verdict), take);
    while (rows.step()) {
      CaseRow row;
      row.property = property.info.name, row.device = device;
      row.verdict = group.verdict, row.signature = group.signature;
      row.index = rows.count(1), row.case_id = rows.text(2), row.case_json = rows.text(3);
      row.message = rows.text(4), row.detail = rows.text(5), row.replay = rows.text(6);
      row.expected_end = rows.text(7), row.observed_end = rows.text(8);
      row.expected = bytes(9), row.observed = bytes(10), row.defined = bytes(11);
      row.bytes_offset = rows.count(12), row.differing_bytes = rows.count(13),
      row.shrunk_from = rows.text(14), row.from_file = rows.integer(15) != 0;
      row.sm = static_cast<uint32_t>(rows.integer(16));
      row.places = rows.text(17), row.format = rows.text(18), row.picture = rows.text(19);
      read_case_lists(db, rows.integer(0), row);
      group.examples.push_back(std::move(row));
      left -= left != 0;
    }
    property.failures.push_back(std::move(group));
  }
  // A run that was killed between a case and the next totals has rows that the totals do not know of.
  for (size_t i = 0; i < in_rows.size(); ++i) property.counts[i] = std::max(property.counts[i], in_rows[i]);
}

void read_no_demand(Database& db, int64_t id, PropertyResult& property) {
  if (db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='no_demand_rules'") == 0) return;
  Statement rows(db, "SELECT rule,cases FROM no_demand_rules WHERE property=?");
  rows.bind(id);
  while (rows.step())
    for (RuleCount& rule : property.rules)
      if (rule.rule == rows.text(0)) rule.no_demand = rows.count(1);
}

void read_properties(Database& db, int64_t device, const ReadLimits& limits, bool finished,
                     DeviceResult& result) {
  Statement properties(db, "SELECT id,name,claim,planned FROM properties WHERE device=? ORDER BY id");
  Statement listed(db, "SELECT rule FROM property_rules WHERE property=? ORDER BY ordinal");
  CoverageReader coverage(db);
  Statement rules(
      db, "SELECT rule,words,cite,exercised,failing,question FROM rules WHERE property=? ORDER BY ordinal");
  properties.bind(device);
  while (properties.step()) {
    PropertyResult property;
    const int64_t id = properties.integer(0);
    property.info.name = properties.text(1), property.info.claim = properties.text(2);
    property.planned = properties.count(3);
    listed.bind(id);
    while (listed.step()) property.info.rules.push_back(listed.text(0));
    read_totals(db, id, property);
    property.kinds = read_kinds(db, id);
    property.ranges = read_ranges(db, id);
    property.places = read_places(db, id);
    property.wrong_places = read_wrong_places(db, id);
    read_failures(db, id, result.info.spec, limits, property);
    settle_counts(property, finished);
    property.coverage = coverage.read(id);
    rules.bind(id);
    while (rules.step())
      property.rules.push_back(
          {rules.text(0), rules.text(1), rules.text(2), rules.count(3), rules.count(4), rules.text(5)});
    read_no_demand(db, id, property);
    result.properties.push_back(std::move(property));
  }
}

void read_deciding(Database& db, int64_t id, DeviceResult& device) {
  if (db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='deciding_cases'") == 0) return;
  Statement rows(db,
                 "SELECT question,property,name,case_json,ended,code,note,output_bytes,fingerprint,at,bytes "
                 "FROM deciding_cases WHERE device=? ORDER BY ordinal");
  rows.bind(id);
  while (rows.step()) {
    const std::span<const uint8_t> bytes = rows.blob(10);
    device.deciding.push_back({rows.text(0),
                               rows.text(1),
                               rows.text(2),
                               rows.text(3),
                               rows.integer(4),
                               rows.integer(5),
                               rows.integer(6),
                               rows.count(7),
                               rows.text(8),
                               rows.count(9),
                               {bytes.begin(), bytes.end()}});
  }
}

void read_devices(Database& db, const ReadRun& run, const ReadLimits& limits, Results& results) {
  Statement devices(
      db,
      "SELECT id,spec,evidence,architecture,name,uuid,reading_state FROM devices WHERE run=? ORDER BY id");
  devices.bind(run.id);
  Statement facts(db, "SELECT name,value FROM device_facts WHERE device=? ORDER BY ordinal");
  Statement readings(
      db,
      "SELECT question,words,chosen_letter,chosen_words,default_letter,status,deciding_cases,witness "
      "FROM readings WHERE device=? ORDER BY ordinal");
  Statement book(db, "SELECT rule,words,cite,question FROM rule_book WHERE device=? ORDER BY ordinal");
  while (devices.step()) {
    DeviceResult device;
    const int64_t id = devices.integer(0);
    device.info = {devices.text(1), devices.text(2), devices.text(3), devices.text(4), devices.text(5), {}};
    // Anything that does not say that it is silicon is shown as what it is not.
    device.is_silicon = device.info.evidence == "silicon" || device.info.evidence.starts_with("silicon ");
    if (!devices.text(6).empty()) device.reading_states.push_back(devices.text(6));
    facts.bind(id);
    while (facts.step()) device.info.facts.emplace_back(facts.text(0), facts.text(1));
    readings.bind(id);
    while (readings.step())
      device.readings.push_back({readings.text(0), readings.text(1), readings.text(2), readings.text(3),
                                 readings.text(4), readings.text(5), readings.count(6), readings.text(7)});
    read_deciding(db, id, device);
    book.bind(id);
    while (book.step())
      device.rule_book.push_back({book.text(0), book.text(1), book.text(2), 0, 0, book.text(3)});
    read_properties(db, id, limits, run.finished, device);
    Statement waivers(db,
                      "SELECT waiver,property,reason,link,expires,state,cases FROM waivers WHERE device=? "
                      "ORDER BY ordinal");
    waivers.bind(id);
    while (waivers.step())
      device.waivers.push_back({waivers.text(0), waivers.text(1), waivers.text(2), waivers.text(3),
                                waivers.text(4), waivers.text(5), waivers.count(6)});
    read_telemetry(db, id, device.telemetry, device.marks);
    const auto same =
        std::find_if(results.devices.begin(), results.devices.end(),
                     [&](const DeviceResult& d) { return is_same_device(d.info, device.info); });
    // Two of one run are two, whatever they have in common.
    if (results.runs.size() > 1 && same != results.devices.end())
      join(*same, std::move(device));
    else
      results.devices.push_back(std::move(device));
  }
}

void read_findings(Database& db, Results& results) {
  Statement findings(
      db,
      "SELECT COALESCE(d.spec,''),f.kind,f.words,COUNT(*),COALESCE(d.uuid,'') FROM findings f LEFT JOIN "
      "devices d ON d.id=f.device GROUP BY d.spec,d.uuid,f.kind,f.words ORDER BY MIN(f.id)");
  while (findings.step())
    results.findings.push_back(
        {findings.text(0), findings.text(1), findings.text(2), findings.count(3), findings.text(4)});
}

void read_published(Database& db, Results& results) {
  if (db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='published'") == 0) return;
  Statement rows(db,
                 "SELECT label,source,instruction,results,agreeing,differing FROM published GROUP BY "
                 "label,source,instruction,results,agreeing,differing ORDER BY MIN(rowid)");
  while (rows.step())
    results.published.push_back(
        {rows.text(0), rows.text(1), rows.text(2), rows.count(3), rows.count(4), rows.text(5)});
}

/// Nights that the file stores, against its own, and what is a finding about them.
void read_history(Database& db, Results& results) {
  results.history = history_of(results, read_nights(db));
  for (size_t d = 0; d < results.devices.size(); ++d)
    if (const HistoryNight* night = own_night(results, d); night != nullptr && night->since)
      for (const OtherBits& bits : night->since->other_bits)
        results.findings.push_back({results.devices[d].info.spec,
                                    "passed, output changed since the night before", other_bits_words(bits),
                                    1, results.devices[d].info.uuid});
}

}  // namespace

uint64_t PropertyResult::cases() const {
  uint64_t n = 0;
  for (const VerdictRow& r : verdicts)
    if (r.verdict != Verdict::not_run && r.verdict != Verdict::incomplete && r.verdict != Verdict::declined)
      n += counts[static_cast<size_t>(r.verdict)];
  return n;
}

Results read_results(const std::filesystem::path& file, const ReadLimits& limits) {
  Database db = open_results(file);
  Results results;
  db.execute("BEGIN");  // one moment of a file that a run may be writing
  const std::vector<ReadRun> runs = read_runs(db);
  results.finished = true;
  for (const ReadRun& run : runs) {
    results.runs.push_back(run.info);
    results.finished &= run.finished;
    if (!run.finished) results.unfinished.push_back(run.info.run_id);
    results.finished_utc = std::max(results.finished_utc, run.finished_utc);
  }
  if (!results.finished) results.finished_utc.clear();
  if (runs.size() == 1) results.recorded_exit = runs[0].exit;
  results.run = joined(results.runs);
  results.needs_all_shards =
      db.number("SELECT COUNT(*) FROM sqlite_master WHERE type='table' AND name='merge'") != 0 &&
      db.number("SELECT MAX(partial) FROM merge") == 0;
  results.flaky_warns = results.run.flaky_warns;
  for (const ReadRun& run : runs) read_devices(db, run, limits, results);
  read_findings(db, results);
  read_published(db, results);
  for (DeviceResult& device : results.devices) decide_jointly(device.readings, device.reading_states);
  judge_results(results);
  if (limits.history) read_history(db, results);
  return results;
}

LeftBehind read_left_behind(const std::filesystem::path& file) {
  Database db = open_results(file);
  LeftBehind left;
  db.execute("BEGIN");
  const std::vector<ReadRun> runs = read_runs(db);
  if (runs.size() != 1)
    throw std::runtime_error(file.string() + " holds several runs; only a run of its own can be resumed");
  left.run = runs[0].info;
  left.finished = runs[0].finished;
  Results results;
  results.runs.push_back(runs[0].info);
  read_devices(db, runs[0], {1, 1}, results);
  Statement states(db, "SELECT spec,reading_state FROM devices");
  while (states.step()) left.reading_states[states.text(0)] = states.text(1);
  for (DeviceResult& device : results.devices) {
    left.devices.push_back(device.info);
    for (PropertyResult& property : device.properties) {
      left.planned.insert({device.info.spec, property.info.name});
      if (property.started)
        left.states[{device.info.spec, property.info.name}] = {
            std::move(property.totals), std::move(property.coverage), std::move(property.rules),
            std::move(property.kinds),  std::move(property.ranges),   std::move(property.places)};
    }
  }
  return left;
}

int exit_code(const std::filesystem::path& db) {
  return read_results(db, {1, 1, false}).exit_code;
}

double seconds_taken(const Results& results) {
  if (results.runs.size() == 1 && results.run.seconds > 0) return results.run.seconds;
  return seconds_between(results.run.started_utc, results.finished_utc);
}

bool is_about(const Finding& finding, const DeviceResult& device) {
  return finding.device == device.info.spec && finding.uuid == device.info.uuid;
}

}  // namespace assay::report
