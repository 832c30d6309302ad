// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <unistd.h>
#include <charconv>
#include <stdexcept>

#include "reports/compare/run_diff.h"
#include "reports/coverage_table.h"
#include "reports/tables.h"

namespace assay::report {
namespace {

bool is_ours(Database& db) {
  try {
    return db.number("PRAGMA application_id") == results_application_id;
  } catch (const std::runtime_error&) {  // not a database at all
    return false;
  }
}

/// Leaving WAL needs the file for ourselves: refused while another run writes it.
void claim(Database& db) {
  sqlite3_busy_timeout(db.handle(), 0);
  try {
    db.number("PRAGMA journal_mode=DELETE");
  } catch (const std::runtime_error&) {
    throw std::runtime_error(db.file() + " is being written by another run; choose another folder");
  }
  sqlite3_busy_timeout(db.handle(), 10000);
}

/// WAL: a reader never waits for the writer, and after a kill the file and its log together hold every call
/// that returned. FULL: the log is flushed before a commit returns.
void begin_writing(Database& db) {
  db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
}

void check_version(Database& db) {
  int64_t id = 0, version = 0;
  try {
    id = db.number("PRAGMA application_id");
    version = db.number("PRAGMA user_version");
  } catch (const std::runtime_error&) {
    throw std::runtime_error(db.file() + " is not a results file of assay, or it is damaged");
  }
  if (id != results_application_id) throw std::runtime_error(db.file() + " is not a results file of assay");
  if (version != results_version)
    throw std::runtime_error(db.file() + " has version " + std::to_string(version) +
                             " of the results tables; this program reads version " +
                             std::to_string(results_version));
}

bool contains(const IndexRanges& ranges, uint64_t index) {
  for (const auto& [first, end] : ranges)
    if (index >= first && index < end) return true;
  return false;
}

/// Rows of cases that the last state does not count: they will run again. Smaller copies are made again too.
void drop_uncounted(Database& db) {
  const auto shard = static_cast<uint64_t>(db.number("SELECT shard FROM run"));
  const auto shards = static_cast<uint64_t>(db.number("SELECT shards FROM run"));
  std::vector<int64_t> gone;
  Statement properties(db, "SELECT p.id,t.done FROM properties p LEFT JOIN totals t ON t.property=p.id");
  while (properties.step()) {
    const IndexRanges done = parse_ranges(properties.text(1));
    Statement rows(db, "SELECT id,case_index,from_file,shrunk_from<>'' FROM cases WHERE property=?");
    rows.bind(properties.integer(0));
    while (rows.step()) {
      // Files' cases are counted by the first state of all.
      const bool counted = rows.integer(2) != 0 ? !properties.is_null(1)
                                                : contains(done, (rows.count(1) - (shard - 1)) / shards);
      if (!counted || rows.integer(3) != 0) gone.push_back(rows.integer(0));
    }
  }
  for (const int64_t id : gone)
    for (const char* sql : {"DELETE FROM case_rules WHERE \"case\"=?",
                            "DELETE FROM case_fields WHERE \"case\"=?", "DELETE FROM cases WHERE id=?"})
      Statement(db, sql).bind(id).run();
}

void insert_run(Database& db, const RunInfo& run) {
  Statement(db,
            "INSERT INTO run(run_id,started_utc,command_line,version,commit_hash,host,seed,shard,shards,"
            "flaky_warns,options,generation,seconds) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(run.run_id, run.started_utc, run.command_line, run.version, run.commit, run.host,
            std::to_string(run.seed), run.shard, run.shards, run.flaky_warns, run.options, run.generation,
            run.seconds)
      .run();
  Statement fact(db, "INSERT INTO environment VALUES(1,?,?,?)");
  int64_t ordinal = 0;
  for (const auto& [name, value] : run.environment) fact.bind(ordinal++, name, value).run();
}

}  // namespace

void release_results(const std::filesystem::path& file) {
  if (std::filesystem::exists(file) && std::filesystem::file_size(file) > 0) {
    Database earlier(file, SQLITE_OPEN_READWRITE);
    if (!is_ours(earlier))
      throw std::runtime_error(file.string() +
                               " exists and is not a results file of assay; it is left as it is");
    claim(earlier);
  }
  for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(file.string() + suffix);
}

Database create_empty_results(const std::filesystem::path& file) {
  std::filesystem::remove(file);
  Database db(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  begin_writing(db);
  Transaction transaction(db);
  db.execute(results_tables);
  db.execute(coverage_tables);
  db.execute(history_tables);
  db.execute(demand_tables);
  db.execute(blame_tables);
  db.execute(published_tables);
  db.execute(deciding_tables);
  db.execute(("PRAGMA application_id=" + std::to_string(results_application_id)).c_str());
  db.execute(("PRAGMA user_version=" + std::to_string(results_version)).c_str());
  transaction.commit();
  return db;
}

Database create_results(const std::filesystem::path& file, const RunInfo& run) {
  release_results(file);
  // Made beside it and renamed: whenever the process is killed, a file of this name can be read and resumed.
  const std::filesystem::path beside = file.string() + ".new-" + std::to_string(getpid());
  try {
    Database db = create_empty_results(beside);
    Transaction transaction(db);
    insert_run(db, run);
    transaction.commit();
    // The log goes into the file, which stays in WAL: it is not written to between its renaming and the run's
    // first record, so there is no moment in which a kill would leave a journal that only a writer can undo.
    if (db.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0) db.fail();
  } catch (...) {  // a full disk, say
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(beside.string() + suffix);
    throw;
  }
  std::filesystem::rename(beside, file);
  Database db(file, SQLITE_OPEN_READWRITE);
  begin_writing(db);
  return db;
}

Database open_results(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw std::runtime_error("there is no results file " + file.string());
  // A journal is there between two modes of the log: a reader cannot take back what a kill left half done.
  if (std::filesystem::exists(file.string() + "-journal")) {
    Database writer(file, SQLITE_OPEN_READWRITE);
    check_version(writer);
  }
  Database db(file, SQLITE_OPEN_READONLY);
  check_version(db);
  return db;
}

Database reopen_results(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    throw std::runtime_error("there is no run to resume: " + file.string() + " does not exist");
  Database db(file, SQLITE_OPEN_READWRITE);
  check_version(db);
  if (db.number("SELECT COUNT(*) FROM run") != 1)
    throw std::runtime_error(file.string() + " holds several runs; only a run of its own can be resumed");
  claim(db);
  begin_writing(db);
  Transaction transaction(db);
  drop_uncounted(db);
  renew_coverage_tables(db);
  db.execute(demand_tables);
  db.execute(blame_tables);
  db.execute(published_tables);
  db.execute(deciding_tables);
  db.execute("UPDATE run SET finished_utc=NULL, exit_code=NULL, generation=generation+1");
  // Made at the end of a run, from its final state; but what came before it was read when it began.
  Statement(db, "DELETE FROM findings WHERE kind NOT IN (?,?)").bind(history_not_read, history_absent).run();
  transaction.commit();
  return db;
}

std::string ranges_text(const IndexRanges& ranges) {
  std::string text;
  for (const auto& [first, end] : ranges)
    text += (text.empty() ? "" : ",") + std::to_string(first) + "-" + std::to_string(end);
  return text;
}

IndexRanges parse_ranges(std::string_view text) {
  IndexRanges ranges;
  const std::runtime_error malformed("index ranges '" + std::string(text.substr(0, 40)) +
                                     "' are not of the form 0-4096,5000-5001");
  const char* at = text.data();
  const char* const stop = text.data() + text.size();
  while (at != stop) {
    uint64_t first = 0, end = 0;
    auto read = std::from_chars(at, stop, first);
    if (read.ec != std::errc{} || read.ptr == stop || *read.ptr != '-') throw malformed;
    read = std::from_chars(read.ptr + 1, stop, end);
    if (read.ec != std::errc{} || end <= first || (!ranges.empty() && first < ranges.back().second))
      throw malformed;
    ranges.emplace_back(first, end);
    at = read.ptr;
    if (at == stop) break;
    if (*at++ != ',' || at == stop) throw malformed;
  }
  return ranges;
}

namespace {

Statement of(const Database& db, int64_t id, std::string_view sql) {
  Statement rows(db, sql);
  rows.bind(id);
  return rows;
}

}  // namespace

Statement devices_of_runs(const Database& db) {
  return {db,
          "SELECT d.id,d.architecture,d.spec,d.reading_state,r.seed,r.shard,r.shards FROM devices d "
          "JOIN run r ON r.id=d.run ORDER BY d.id"};
}
Statement properties_of_device(const Database& db, int64_t device) {
  return of(db, device,
            "SELECT p.id,p.name,COALESCE(t.issued,0),COALESCE(t.fingerprint,''),COALESCE(t.planned,0) "
            "FROM properties p LEFT JOIN totals t ON t.property=p.id WHERE p.device=? ORDER BY p.id");
}
Statement verdict_counts_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT verdict,count FROM verdict_counts WHERE property=?");
}
Statement failure_kinds_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT verdict,count,signature FROM failure_kinds WHERE property=?");
}
Statement signatures_without_case(const Database& db, int64_t property) {
  return of(db, property,
            "SELECT k.signature FROM failure_kinds k WHERE k.property=?1 AND k.indexes<>'' AND NOT EXISTS "
            "(SELECT 1 FROM cases c WHERE c.property=?1 AND c.signature=k.signature)");
}
Statement ranges_of(const Database& db, int64_t property) {
  return of(db, property,
            "SELECT first,size,conforming,fingerprint FROM ranges WHERE property=? ORDER BY first");
}
Statement done_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT done FROM totals WHERE property=?");
}
Statement cases_of(const Database& db, int64_t property) {
  return of(
      db, property,
      "SELECT case_index,verdict,case_id,case_json,expected_end,observed_end,expected,observed,defined,"
      "bytes_offset,differing_bytes,shrunk_from,from_file,signature FROM cases WHERE property=? ORDER BY id");
}

}  // namespace assay::report
