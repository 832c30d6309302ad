#include "reports/results.h"

#include <algorithm>
#include <stdexcept>

#include "reports/sqlite.h"
#include "reports/tables.h"
#include "reports/text.h"

namespace assay::report {
namespace {

Database open_results(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw std::runtime_error("there is no results file " + file.string());
  Database db(file, SQLITE_OPEN_READONLY);
  int64_t id = 0, version = 0;
  try {
    id = db.number("PRAGMA application_id");
    version = db.number("PRAGMA user_version");
  } catch (const std::runtime_error&) {
    throw std::runtime_error(file.string() + " is not a results file of assay, or it is damaged");
  }
  if (id != results_application_id)
    throw std::runtime_error(file.string() + " is not a results file of assay");
  if (version != results_version)
    throw std::runtime_error(file.string() + " has version " + std::to_string(version) +
                             " of the results tables; this program reads version " +
                             std::to_string(results_version));
  return db;
}

void read_run(Database& db, Results& results) {
  Statement run(
      db,
      "SELECT run_id,started_utc,command_line,version,commit_hash,host,seed,finished_utc,exit_code FROM run");
  if (!run.step()) throw std::runtime_error("results file " + db.file() + " holds no run");
  results.run = {run.text(0), run.text(1), run.text(2), run.text(3), run.text(4), run.text(5)};
  results.run.seed = std::strtoull(run.text(6).c_str(), nullptr, 10);
  results.finished = !run.is_null(7);
  results.finished_utc = run.text(7);
  if (!run.is_null(8)) results.recorded_exit = static_cast<int>(run.integer(8));
  Statement facts(db, "SELECT name,value FROM environment ORDER BY ordinal");
  while (facts.step()) results.run.environment.emplace_back(facts.text(0), facts.text(1));
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
      "complete FROM totals WHERE property=?");
  if (totals.bind(id).step()) {
    property.started = true;
    PropertyTotals& t = property.totals;
    t.planned = totals.count(0), t.issued = totals.count(1), t.seconds = totals.real(2);
    t.device_busy_seconds = totals.real(3), t.host_busy_seconds = totals.real(4),
    t.tile_bytes = totals.count(5);
    t.fingerprint = totals.text(6), t.reason = totals.text(7), t.complete = totals.integer(8) != 0;
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
      "observed,defined,bytes_offset,differing_bytes,shrunk_from " +
          latest + "AND signature=? AND verdict=? ORDER BY shrunk_from='',case_index,id LIMIT ?");
  const auto bytes = [&](int column) {
    const auto blob = rows.blob(column);
    return std::vector<uint8_t>(blob.begin(), blob.end());
  };
  VerdictCounts in_rows{};
  size_t left = limits.examples_per_property;
  groups.bind(id);
  while (groups.step()) {
    FailureGroup group{
        groups.text(0), verdict_column(groups, 1, db), std::max<uint64_t>(groups.count(2), 1), {}};
    in_rows[static_cast<size_t>(group.verdict)] += group.rows;
    // Every way to fail keeps at least one example; the limit only thins out repetitions.
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
      row.shrunk_from = rows.text(14);
      read_case_lists(db, rows.integer(0), row);
      group.examples.push_back(std::move(row));
      left -= left != 0;
    }
    property.failures.push_back(std::move(group));
  }
  std::stable_sort(property.failures.begin(), property.failures.end(), [](const auto& a, const auto& b) {
    return row(a.verdict).severity > row(b.verdict).severity;
  });
  // A run that was killed between a case and the next totals has rows that the totals do not know of.
  for (size_t i = 0; i < in_rows.size(); ++i) property.counts[i] = std::max(property.counts[i], in_rows[i]);
}

void judge(PropertyResult& property, bool run_finished) {
  uint64_t judged = 0;
  for (const uint64_t n : property.counts) judged += n;
  uint64_t& not_run = property.counts[static_cast<size_t>(Verdict::not_run)];
  if (const uint64_t due = std::max(property.planned, property.totals.issued); due > judged)
    not_run += due - judged;
  property.cut_short = !property.totals.complete && property.planned == 0 && property.started;

  std::optional<Verdict> worst;
  for (const VerdictRow& r : verdicts)
    if (property.counts[static_cast<size_t>(r.verdict)] != 0)
      worst = worst ? worse(*worst, r.verdict) : r.verdict;
  // A verdict on the property as a whole: recorded with no case to count, and a reason.
  if (!worst && !property.totals.reason.empty())
    for (const auto& [verdict, count] : property.totals.counts)
      if (verdict != Verdict::conforms) worst = worst ? worse(*worst, verdict) : verdict;
  if (property.cut_short) worst = worse(worst.value_or(Verdict::not_run), Verdict::not_run);
  property.verdict = worst.value_or(Verdict::not_run);

  property.reason = property.totals.reason;
  if (property.verdict != Verdict::not_run || !property.reason.empty()) return;
  if (!property.started)
    property.reason = run_finished ? "never started" : "the run ended before this property started";
  else if (property.cut_short)
    property.reason = "the run ended before this property was complete";
  else if (not_run == 0)
    property.reason = "no case was issued";
  else
    property.reason =
        run_finished ? "not every planned case was run" : "the run ended before this property did";
}

void read_properties(Database& db, int64_t device, const ReadLimits& limits, bool finished,
                     DeviceResult& result) {
  Statement properties(db, "SELECT id,name,claim,planned FROM properties WHERE device=? ORDER BY id");
  Statement listed(db, "SELECT rule FROM property_rules WHERE property=? ORDER BY ordinal");
  Statement coverage(db,
                     "SELECT dimension,cell,count,reachable FROM coverage WHERE property=? ORDER BY ordinal");
  Statement rules(
      db, "SELECT rule,words,cite,exercised,violated,question FROM rules WHERE property=? ORDER BY ordinal");
  properties.bind(device);
  while (properties.step()) {
    PropertyResult property;
    const int64_t id = properties.integer(0);
    property.info.name = properties.text(1), property.info.claim = properties.text(2);
    property.planned = properties.count(3);
    listed.bind(id);
    while (listed.step()) property.info.rules.push_back(listed.text(0));
    read_totals(db, id, property);
    read_failures(db, id, result.info.spec, limits, property);
    judge(property, finished);
    coverage.bind(id);
    while (coverage.step())
      property.coverage.push_back(
          {coverage.text(0), coverage.text(1), coverage.count(2), coverage.integer(3) != 0});
    rules.bind(id);
    while (rules.step())
      property.rules.push_back(
          {rules.text(0), rules.text(1), rules.text(2), rules.count(3), rules.count(4), rules.text(5)});
    result.properties.push_back(std::move(property));
  }
}

void read_devices(Database& db, const ReadLimits& limits, Results& results) {
  Statement devices(db, "SELECT id,spec,evidence,architecture,name,uuid FROM devices ORDER BY id");
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
    facts.bind(id);
    while (facts.step()) device.info.facts.emplace_back(facts.text(0), facts.text(1));
    readings.bind(id);
    while (readings.step())
      device.readings.push_back({readings.text(0), readings.text(1), readings.text(2), readings.text(3),
                                 readings.text(4), readings.text(5), readings.count(6), readings.text(7)});
    book.bind(id);
    while (book.step())
      device.rule_book.push_back({book.text(0), book.text(1), book.text(2), 0, 0, book.text(3)});
    read_properties(db, id, limits, results.finished, device);
    results.devices.push_back(std::move(device));
  }
  Statement findings(
      db,
      "SELECT COALESCE(d.spec,''),f.kind,f.words,COUNT(*) FROM findings f LEFT JOIN devices d ON "
      "d.id=f.device GROUP BY f.device,f.kind,f.words ORDER BY MIN(f.id)");
  while (findings.step())
    results.findings.push_back({findings.text(0), findings.text(1), findings.text(2), findings.count(3)});
}

void judge(Results& results) {
  std::optional<Verdict> worst;
  for (DeviceResult& device : results.devices) {
    std::optional<Verdict> worst_here;
    for (const PropertyResult& property : device.properties) {
      ++results.property_counts[static_cast<size_t>(property.verdict)];
      worst_here = worst_here ? worse(*worst_here, property.verdict) : property.verdict;
      results.device_lost |= property.counts[static_cast<size_t>(Verdict::not_run)] != 0 &&
                             is_device_lost(Verdict::not_run, property.reason);
      results.device_lost |= is_device_lost(property.verdict, property.reason);
    }
    device.verdict = worst_here.value_or(Verdict::not_run);
    if (worst_here) worst = worst ? worse(*worst, *worst_here) : *worst_here;
  }
  results.verdict = worst.value_or(Verdict::not_run);
  if (!results.finished) results.verdict = worse(results.verdict, Verdict::not_run);
  results.exit_code = results.device_lost ? exit_device_lost
                      : !worst            ? exit_nothing_planned
                                          : row(results.verdict).exit_code;
}

}  // namespace

uint64_t PropertyResult::cases() const {
  uint64_t n = 0;
  for (const VerdictRow& r : verdicts)
    if (r.verdict != Verdict::not_run && r.verdict != Verdict::declined)
      n += counts[static_cast<size_t>(r.verdict)];
  return n;
}

Results read_results(const std::filesystem::path& file, const ReadLimits& limits) {
  Database db = open_results(file);
  Results results;
  db.execute("BEGIN");  // one moment of a file that a run may be writing
  read_run(db, results);
  read_devices(db, limits, results);
  judge(results);
  return results;
}

int exit_code(const std::filesystem::path& db) {
  return read_results(db, {1, 1}).exit_code;
}

}  // namespace assay::report
