// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::report {

/// "ASSY" in SQLite's application_id marks our files; user_version is the version of the tables below. A
/// change that an older reader would misread raises the version.
inline constexpr int32_t results_application_id = 0x41535359;
inline constexpr int32_t results_version = 3;

/// results.db. Everything a report says is in here: rule_book holds every rule that applies to a device's
/// architecture, so that a report can name those that no case exercised. A later row of cases with the same
/// case id and index replaces an earlier one (a failure that turned out flaky); one with shrunk_from is a
/// smaller copy, not a case more. Verdicts are stored by name (reports/verdict.h), seeds as decimal text
/// because SQLite integers are signed, ordinals keep the order in which things were given. One file holds one
/// run or several that were merged: everything hangs on its run. failure_kinds counts all failing cases, of
/// which `cases` keeps the first few of each kind.
///
/// A property has tens of thousands of coverage cells: coverage_tables says how they are kept.
inline constexpr const char* results_tables = R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, started_utc TEXT NOT NULL, finished_utc TEXT,
  exit_code INTEGER, command_line TEXT NOT NULL, version TEXT NOT NULL, commit_hash TEXT NOT NULL,
  host TEXT NOT NULL, seed TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL,
  flaky_warns INTEGER NOT NULL, options TEXT NOT NULL, generation INTEGER NOT NULL, seconds REAL NOT NULL);
CREATE TABLE environment(
  run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(run, ordinal));
CREATE TABLE devices(
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, spec TEXT NOT NULL, evidence TEXT NOT NULL,
  architecture TEXT NOT NULL, name TEXT NOT NULL, uuid TEXT NOT NULL, reading_state TEXT NOT NULL,
  UNIQUE(run, spec));
CREATE TABLE device_facts(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(device, ordinal));
CREATE TABLE properties(
  id INTEGER PRIMARY KEY, device INTEGER NOT NULL REFERENCES devices, name TEXT NOT NULL, claim TEXT NOT NULL,
  planned INTEGER NOT NULL, UNIQUE(device, name));
CREATE TABLE property_rules(
  property INTEGER NOT NULL REFERENCES properties, ordinal INTEGER NOT NULL, rule TEXT NOT NULL,
  PRIMARY KEY(property, ordinal));
CREATE TABLE totals(
  property INTEGER PRIMARY KEY REFERENCES properties, planned INTEGER NOT NULL, issued INTEGER NOT NULL,
  seconds REAL NOT NULL, device_busy_seconds REAL NOT NULL, host_busy_seconds REAL NOT NULL,
  tile_bytes INTEGER NOT NULL, fingerprint TEXT NOT NULL, reason TEXT NOT NULL, complete INTEGER NOT NULL,
  done TEXT NOT NULL);
CREATE TABLE verdict_counts(
  property INTEGER NOT NULL REFERENCES properties, verdict TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(property, verdict));
CREATE TABLE cases(
  id INTEGER PRIMARY KEY, property INTEGER NOT NULL REFERENCES properties, case_index INTEGER NOT NULL,
  verdict TEXT NOT NULL, signature TEXT NOT NULL, case_id TEXT NOT NULL, case_json TEXT NOT NULL,
  message TEXT NOT NULL, detail TEXT NOT NULL, replay TEXT NOT NULL, expected_end TEXT NOT NULL,
  observed_end TEXT NOT NULL, expected BLOB NOT NULL, observed BLOB NOT NULL, defined BLOB NOT NULL,
  bytes_offset INTEGER NOT NULL, differing_bytes INTEGER NOT NULL, shrunk_from TEXT NOT NULL,
  from_file INTEGER NOT NULL, sm INTEGER, places TEXT NOT NULL, format TEXT NOT NULL, picture TEXT NOT NULL);
CREATE INDEX cases_by_signature ON cases(property, signature);
CREATE INDEX cases_by_id ON cases(property, case_id);
CREATE TABLE case_rules(
  "case" INTEGER NOT NULL REFERENCES cases, ordinal INTEGER NOT NULL, rule TEXT NOT NULL,
  PRIMARY KEY("case", ordinal));
CREATE TABLE case_fields(
  "case" INTEGER NOT NULL REFERENCES cases, ordinal INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY("case", ordinal));
CREATE TABLE failure_kinds(
  property INTEGER NOT NULL REFERENCES properties, signature TEXT NOT NULL, verdict TEXT NOT NULL,
  count INTEGER NOT NULL, indexes TEXT NOT NULL, rules TEXT NOT NULL, waiver TEXT NOT NULL,
  failed INTEGER NOT NULL,
  repeated INTEGER NOT NULL, PRIMARY KEY(property, signature));
CREATE TABLE ranges(
  property INTEGER NOT NULL REFERENCES properties, first INTEGER NOT NULL, size INTEGER NOT NULL,
  conforming INTEGER NOT NULL, fingerprint TEXT NOT NULL, PRIMARY KEY(property, first));
CREATE TABLE places(
  property INTEGER NOT NULL REFERENCES properties, sm INTEGER NOT NULL, cases INTEGER NOT NULL,
  failing INTEGER NOT NULL, PRIMARY KEY(property, sm));
CREATE TABLE waivers(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, waiver TEXT NOT NULL,
  property TEXT NOT NULL,
  reason TEXT NOT NULL, link TEXT NOT NULL, expires TEXT NOT NULL, state TEXT NOT NULL,
  cases INTEGER NOT NULL,
  PRIMARY KEY(device, ordinal));
CREATE TABLE readings(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, question TEXT NOT NULL,
  words TEXT NOT NULL,
  chosen_letter TEXT NOT NULL, chosen_words TEXT NOT NULL, default_letter TEXT NOT NULL, status TEXT NOT NULL,
  deciding_cases INTEGER NOT NULL, witness TEXT NOT NULL, PRIMARY KEY(device, ordinal));
CREATE TABLE rules(
  property INTEGER NOT NULL REFERENCES properties, ordinal INTEGER NOT NULL, rule TEXT NOT NULL,
  words TEXT NOT NULL,
  cite TEXT NOT NULL, question TEXT NOT NULL, exercised INTEGER NOT NULL, failing INTEGER NOT NULL,
  PRIMARY KEY(property, ordinal));
CREATE TABLE rule_book(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, rule TEXT NOT NULL,
  words TEXT NOT NULL,
  cite TEXT NOT NULL, question TEXT NOT NULL, PRIMARY KEY(device, ordinal));
CREATE TABLE findings(
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, device INTEGER REFERENCES devices,
  kind TEXT NOT NULL, words TEXT NOT NULL);
)sql";

/// Properties share tens of thousands of cells, so a dimension names its cells once, in a list that only
/// grows, and a property keeps their counts as a JSON array in the same order: -1 where the cell is none of
/// its own. `unreachable` lists the places of cells that no case was expected to reach. Neighbours mostly
/// differ in their last part alone: `cells` has a [place of the first, what they begin with, which of `ends`]
/// for each row of such neighbours, `ends` the lists of what they end with. Files that were written before
/// have `coverage` as a table, or as a view over a row for each cell. CROSS JOIN and LIMIT keep SQLite to the
/// order in which the view takes time in proportion to the cells: all of them looked up in an index of its
/// own.
inline constexpr const char* coverage_tables = R"sql(
CREATE TABLE coverage_names(
  dimension INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cells TEXT NOT NULL, ends TEXT NOT NULL);
CREATE TABLE coverage_counts(
  property INTEGER NOT NULL REFERENCES properties, ordinal INTEGER NOT NULL,
  dimension INTEGER NOT NULL REFERENCES coverage_names, counts TEXT NOT NULL, unreachable TEXT NOT NULL,
  PRIMARY KEY(property, ordinal));
CREATE VIEW coverage_cells AS
  SELECT n.dimension AS dimension, json_extract(g.value, '$[0]') + e.key AS place,
    json_extract(g.value, '$[1]') || e.value AS cell
  FROM coverage_names n, json_each(n.cells) g,
    json_each(json_extract(n.ends, '$[' || json_extract(g.value, '$[2]') || ']')) e;
CREATE VIEW coverage AS
  SELECT c.property AS property, c.ordinal * 1000000 + k.key AS ordinal, n.name AS dimension, x.cell AS cell,
    k.value AS count, u.place IS NULL AS reachable
  FROM coverage_counts c CROSS JOIN coverage_names n ON n.dimension = c.dimension
    CROSS JOIN json_each(c.counts) k
    CROSS JOIN (SELECT dimension, place, cell FROM coverage_cells LIMIT -1) x
      ON x.dimension = c.dimension AND x.place = k.key
    LEFT JOIN (SELECT o.property AS property, o.ordinal AS ordinal, j.value AS place
        FROM coverage_counts o, json_each(o.unreachable) j LIMIT -1) u
      ON u.property = c.property AND u.ordinal = c.ordinal AND u.place = k.key
  WHERE k.value >= 0;
)sql";

/// What a board reported of itself during a screen, and when wrong results were found. In files of screens
/// alone.
inline constexpr const char* telemetry_tables = R"sql(
CREATE TABLE IF NOT EXISTS telemetry(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, seconds REAL NOT NULL,
  milliwatts INTEGER NOT NULL, sm_mhz INTEGER NOT NULL, memory_mhz INTEGER NOT NULL, celsius INTEGER NOT NULL,
  millijoules INTEGER NOT NULL, throttle INTEGER NOT NULL, uncorrected INTEGER NOT NULL,
  PRIMARY KEY(device, ordinal));
CREATE TABLE IF NOT EXISTS telemetry_marks(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, seconds REAL NOT NULL,
  words TEXT NOT NULL, PRIMARY KEY(device, ordinal));
)sql";

/// Earlier nights on the devices of any run, so that a report made from this file alone can tell history.
/// They belong to the file and not to one of its runs. Files of this version that were written before there
/// was history lack these tables.
inline constexpr const char* history_tables = R"sql(
CREATE TABLE IF NOT EXISTS nights(
  id INTEGER PRIMARY KEY, runs TEXT NOT NULL, started_utc TEXT NOT NULL, seed TEXT NOT NULL,
  part TEXT NOT NULL,
  program TEXT NOT NULL, spec TEXT NOT NULL, evidence TEXT NOT NULL, architecture TEXT NOT NULL,
  name TEXT NOT NULL, uuid TEXT NOT NULL, driver TEXT NOT NULL, verdict TEXT NOT NULL, seconds REAL NOT NULL,
  UNIQUE(runs, spec, uuid));
CREATE TABLE IF NOT EXISTS night_properties(
  night INTEGER NOT NULL REFERENCES nights, ordinal INTEGER NOT NULL, name TEXT NOT NULL,
  planned INTEGER NOT NULL,
  cases INTEGER NOT NULL, conforming INTEGER NOT NULL, complete INTEGER NOT NULL, fingerprint TEXT NOT NULL,
  ranges TEXT NOT NULL, PRIMARY KEY(night, ordinal));
CREATE TABLE IF NOT EXISTS night_ways(
  night INTEGER NOT NULL REFERENCES nights, signature TEXT NOT NULL, PRIMARY KEY(night, signature));
CREATE TABLE IF NOT EXISTS night_way_cases(
  night INTEGER NOT NULL REFERENCES nights, signature TEXT NOT NULL, cases INTEGER NOT NULL,
  PRIMARY KEY(night, signature));
)sql";

/// Cases of which no document says what must come out, by the rule that they break. Files written before
/// there was that verdict lack the table.
inline constexpr const char* demand_tables = R"sql(
CREATE TABLE IF NOT EXISTS no_demand_rules(
  property INTEGER NOT NULL REFERENCES properties, rule TEXT NOT NULL, cases INTEGER NOT NULL,
  PRIMARY KEY(property, rule));
)sql";

/// What explains the cases of a kind (reports/blame.h), and how well; kinds without a row were not looked
/// into.
inline constexpr const char* blame_tables = R"sql(
CREATE TABLE IF NOT EXISTS kind_blame(
  property INTEGER NOT NULL REFERENCES properties, signature TEXT NOT NULL, blame TEXT NOT NULL,
  PRIMARY KEY(property, signature));
CREATE TABLE IF NOT EXISTS kind_weights(
  property INTEGER NOT NULL REFERENCES properties, signature TEXT NOT NULL, weights TEXT NOT NULL,
  PRIMARY KEY(property, signature));
)sql";

/// One row in a file that was merged: whether shards may be missing.
inline constexpr const char* merge_tables = R"sql(
CREATE TABLE merge(partial INTEGER NOT NULL);
)sql";

/// What others published, beside what the reference gives. Files written before it was part of a run lack the
/// table.
inline constexpr const char* published_tables = R"sql(
CREATE TABLE IF NOT EXISTS published(
  run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL, label TEXT NOT NULL, source TEXT NOT NULL,
  instruction TEXT NOT NULL, results INTEGER NOT NULL, agreeing INTEGER NOT NULL, differing TEXT NOT NULL,
  PRIMARY KEY(run, ordinal));
)sql";

/// What a device did with the cases that decide open questions; written by first contact alone.
inline constexpr const char* deciding_tables = R"sql(
CREATE TABLE IF NOT EXISTS deciding_cases(
  device INTEGER NOT NULL REFERENCES devices, ordinal INTEGER NOT NULL, question TEXT NOT NULL,
  property TEXT NOT NULL, name TEXT NOT NULL, case_json TEXT NOT NULL, ended INTEGER NOT NULL,
  code INTEGER NOT NULL, note INTEGER NOT NULL, output_bytes INTEGER NOT NULL, fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(device, ordinal));
)sql";

}  // namespace assay::report
