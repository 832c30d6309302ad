// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "reports/blame.h"
#include "reports/compare/nights.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/tables.h"
#include "reports/text.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

std::string number_of(uint64_t n, const char* one, const char* many) {
  return grouped(n, ",") + " " + (n == 1 ? one : many);
}

}  // namespace

std::vector<std::filesystem::path> files_at(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::is_regular_file(place)) {
      files.push_back(place);
      continue;
    }
    if (!std::filesystem::is_directory(place))
      throw std::runtime_error("there is no folder or results file " + place.string());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             place, std::filesystem::directory_options::skip_permission_denied))
      if (entry.is_regular_file() && entry.path().extension() == ".db") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::filesystem::path> find_history(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> there;
  std::copy_if(places.begin(), places.end(), std::back_inserter(there),
               [](const std::filesystem::path& place) { return std::filesystem::exists(place); });
  std::vector<std::filesystem::path> files = files_at(there);
  for (const std::filesystem::path& place : places)
    if (std::filesystem::is_regular_file(place)) open_results(place);
  return files;
}

std::vector<std::filesystem::path> absent_places(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> absent;
  std::copy_if(places.begin(), places.end(), std::back_inserter(absent),
               [](const std::filesystem::path& place) { return !std::filesystem::exists(place); });
  return absent;
}

Nights nights_in(const std::vector<std::filesystem::path>& files) {
  Nights found;
  for (const std::filesystem::path& file : files) try {
      for (NightRow& night : nights_of(read_results(file, {1, 1, false})))
        found.nights.push_back(std::move(night));
    } catch (const std::exception& error) {
      std::string words = error.what();
      if (words.find(file.string()) == std::string::npos) words = file.string() + ": " + words;
      found.unread.push_back({file, std::move(words)});
    }
  found.nights = united(std::move(found.nights));
  return found;
}

void add_history(const std::filesystem::path& results, std::vector<NightRow> nights) {
  open_results(results);  // only a file of ours is written to
  Database db(results, SQLITE_OPEN_READWRITE);
  Transaction transaction(db);
  for (NightRow& night : read_nights(db)) nights.push_back(std::move(night));
  write_nights(db, united(std::move(nights)));
  transaction.commit();
}

const HistoryNight* own_night(const Results& results, size_t device) {
  if (results.history.size() < results.devices.size() || results.history.empty()) return nullptr;
  return &results.history[results.history.size() - results.devices.size() + device];
}

std::string history_line(const Results& results) {
  uint64_t unread = 0, with_earlier = 0, fresh = 0, gone = 0, unseen = 0;
  std::string before;
  std::vector<const OtherBits*> bits;
  for (const Finding& finding : results.findings)
    if (finding.kind == history_not_read) unread += finding.times;
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const HistoryNight* night = own_night(results, d);
    if (night == nullptr || !night->since) continue;
    ++with_earlier;
    before = results.history[night->since->before].night.started_utc;
    fresh += night->since->fresh.size(), gone += night->since->gone.size();
    unseen += night->since->unseen.size();
    for (const OtherBits& one : night->since->other_bits) bits.push_back(&one);
  }
  std::string text;
  if (with_earlier != 0) {
    if (is_timestamp(before)) before[10] = ' ';
    text = (with_earlier == 1 ? "since the night of " + before + " UTC"
                              : "since the nights before, on " + grouped(with_earlier, ",") + " devices") +
           ": " + number_of(fresh, "new failure signature", "new failure signatures") + ", " +
           grouped(gone, ",") + " gone";
    if (unseen != 0) text += ", " + grouped(unseen, ",") + " not seen, perhaps by chance";
    if (!bits.empty())
      text += ", " + number_of(bits.size(), "property still passes", "properties still pass") +
              " but with changed output, such as " + other_bits_words(*bits.front());
  }
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (!results.history.empty() && with_earlier < results.devices.size())
    add(number_of(results.devices.size() - with_earlier, "device has", "devices have") + " no earlier night");
  if (unread != 0)
    add(number_of(unread, "file of earlier nights", "files of earlier nights") + " could not be read");
  for (const Finding& finding : results.findings)
    if (finding.kind == history_absent) add(finding.words);
  return text;
}

namespace {

std::string line(const HistoryNight& entry) {
  const NightRow& night = entry.night;
  const uint64_t cases = cases_of(night), others = cases - conforming_of(night);
  std::string text = pad(night.started_utc, 21) +
                     pad(shortened_columns(for_terminal(night.device.spec), 24), 25) +
                     pad(std::string(shown(night.verdict)), 17) + pad(grouped(cases, ","), 15) +
                     pad(grouped(others, ","), 11);
  text += pad(night.seconds > 0 ? compact(static_cast<double>(cases) / night.seconds) + "/s" : "-", 9);
  text += pad(std::to_string(night.ways.size()), 6);
  text += pad(entry.since ? std::to_string(entry.since->fresh.size()) : "-", 6);
  text += pad(entry.since ? std::to_string(entry.since->gone.size()) : "-", 6) + for_terminal(night.driver);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text + "\n";
}

}  // namespace

std::vector<std::filesystem::path> find_results(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files = files_at(places);
  if (files.empty())
    throw std::runtime_error("there is no results file (*.db) in " + places.front().string());
  return files;
}

Trend trend_of(const std::vector<std::filesystem::path>& files) {
  Nights found = nights_in(files);
  Trend trend;
  trend.text = pad("started (UTC)", 21) + pad("device", 25) + pad("verdict", 17) + pad("cases", 15) +
               pad("other", 11) + pad("rate", 9) + pad("fail", 6) + pad("new", 6) + pad("gone", 6) +
               "driver\n";
  for (const HistoryNight& entry : compared(std::move(found.nights))) {
    trend.text += line(entry);
    if (!entry.since) continue;
    for (const std::string& signature : entry.since->fresh)
      trend.text += "  new   " + for_terminal(signature_words(signature)) + "\n";
    for (const std::string& signature : entry.since->gone)
      trend.text += "  gone  " + for_terminal(signature_words(signature)) + "\n";
    for (const std::string& unseen : entry.since->unseen)
      trend.text += "  not seen  " + for_terminal(signature_words(unseen)) + "\n";
    for (const OtherBits& bits : entry.since->other_bits)
      trend.text += "  passed, output changed: " + for_terminal(other_bits_words(bits)) + "\n";
  }
  trend.text += screens_text(screens_in(files));
  for (const Nights::Unread& unread : found.unread) {
    trend.text += "not read: " + for_terminal(unread.words) + "\n";
    trend.unread.push_back(unread.file);
  }
  return trend;
}

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
