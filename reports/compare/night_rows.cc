// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/nights.h"

#include <charconv>
#include <stdexcept>

#include "reports/tables.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

/// "0+4096=17,4096+4096=5": first case, how many, fingerprint.
std::string text_of(const std::vector<RangeRow>& ranges) {
  std::string text;
  for (const RangeRow& range : ranges)
    text += (text.empty() ? "" : ",") + std::to_string(range.first) + "+" + std::to_string(range.size) + "=" +
            std::to_string(range.fingerprint);
  return text;
}

std::vector<RangeRow> parse(const std::string& text, const Database& db) {
  std::vector<RangeRow> ranges;
  const char* at = text.data();
  const char* const stop = at + text.size();
  const auto number = [&](char end) {
    uint64_t value = 0;
    const auto read = std::from_chars(at, stop, value);
    const bool ends = end == ',' && read.ptr == stop;
    if (read.ec != std::errc{} || (!ends && (read.ptr == stop || *read.ptr != end)))
      throw std::runtime_error("results file " + db.file() + " holds the malformed ranges '" +
                               text.substr(0, 40) + "' of an earlier night");
    at = ends ? stop : read.ptr + 1;
    return value;
  };
  while (at != stop) {
    RangeRow range;
    range.first = number('+');
    range.size = range.conforming = number('=');
    range.fingerprint = number(',');
    if (range.size != 0) ranges.push_back(range);
  }
  return ranges;
}

Verdict verdict_of(const std::string& text, const Database& db) {
  if (const auto verdict = parse_verdict(text)) return *verdict;
  throw std::runtime_error("results file " + db.file() + " holds the unknown verdict '" + text + "'");
}

}  // namespace

std::vector<NightRow> read_nights(Database& db) {
  std::vector<NightRow> nights;
  if (db.number("SELECT COUNT(*) FROM sqlite_schema WHERE name='nights'") == 0) return nights;
  Statement rows(
      db,
      "SELECT id,runs,started_utc,seed,part,program,spec,evidence,architecture,name,uuid,driver,verdict,"
      "seconds FROM nights ORDER BY id");
  Statement properties(db,
                       "SELECT name,planned,cases,conforming,complete,fingerprint,ranges FROM "
                       "night_properties WHERE night=? ORDER BY ordinal");
  Statement ways(db, "SELECT signature FROM night_ways WHERE night=? ORDER BY signature");
  std::map<int64_t, std::map<std::string, uint64_t>> counts;
  if (db.number("SELECT COUNT(*) FROM sqlite_schema WHERE name='night_way_cases'") != 0) {
    Statement counted(db, "SELECT night,signature,cases FROM night_way_cases");
    while (counted.step()) counts[counted.integer(0)][counted.text(1)] = counted.count(2);
  }
  while (rows.step()) {
    NightRow night;
    night.runs = rows.text(1), night.started_utc = rows.text(2), night.seed = rows.text(3);
    night.part = rows.text(4), night.program = rows.text(5);
    night.device = {rows.text(6), rows.text(7), rows.text(8), rows.text(9), rows.text(10), {}};
    night.driver = rows.text(11), night.verdict = verdict_of(rows.text(12), db);
    night.seconds = rows.real(13);
    properties.bind(rows.integer(0));
    while (properties.step())
      night.properties.push_back({properties.text(0), properties.count(1), properties.count(2),
                                  properties.count(3), properties.integer(4) != 0, properties.text(5),
                                  parse(properties.text(6), db)});
    ways.bind(rows.integer(0));
    while (ways.step()) night.ways.push_back(ways.text(0));
    night.way_cases = std::move(counts[rows.integer(0)]);
    nights.push_back(std::move(night));
  }
  return nights;
}

void write_nights(Database& db, const std::vector<NightRow>& nights) {
  db.execute(history_tables);
  db.execute(
      "DELETE FROM night_way_cases; DELETE FROM night_ways; DELETE FROM night_properties; DELETE FROM "
      "nights");
  Statement row(db, "INSERT INTO nights VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  Statement property(db, "INSERT INTO night_properties VALUES(?,?,?,?,?,?,?,?,?)");
  Statement way(db, "INSERT INTO night_ways VALUES(?,?)");
  Statement cases(db, "INSERT INTO night_way_cases VALUES(?,?,?)");
  int64_t id = 0;
  for (const NightRow& night : nights) {
    row.bind(++id, night.runs, night.started_utc, night.seed, night.part, night.program, night.device.spec,
             night.device.evidence, night.device.architecture, night.device.name, night.device.uuid,
             night.driver, name(night.verdict), night.seconds)
        .run();
    int64_t ordinal = 0;
    for (const NightPropertyRow& p : night.properties)
      property
          .bind(id, ordinal++, p.name, p.planned, p.cases, p.conforming, p.complete, p.fingerprint,
                text_of(p.ranges))
          .run();
    for (const std::string& signature : night.ways) way.bind(id, signature).run();
    for (const auto& [signature, count] : night.way_cases) cases.bind(id, signature, count).run();
  }
}

}  // namespace assay::report
