#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>

#include "reference/spec/rule.h"
#include "reports/record.h"
#include "reports/sqlite.h"
#include "reports/tables.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

/// Makes way for a new file: removes an earlier results file and the journals beside it.
void remove_earlier(const std::filesystem::path& file) {
  if (std::filesystem::exists(file) && std::filesystem::file_size(file) > 0) {
    Database earlier(file, SQLITE_OPEN_READWRITE);
    bool ours = false;
    try {
      ours = earlier.number("PRAGMA application_id") == results_application_id;
    } catch (const std::runtime_error&) {  // not a database at all
    }
    if (!ours)
      throw std::runtime_error(file.string() +
                               " exists and is not a results file of assay; it is left as it is");
    // Leaving WAL needs the file for ourselves: refused while another run writes it.
    sqlite3_busy_timeout(earlier.handle(), 0);
    try {
      earlier.number("PRAGMA journal_mode=DELETE");
    } catch (const std::runtime_error&) {
      throw std::runtime_error(file.string() + " is being written by another run; choose another folder");
    }
  }
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(file.string() + suffix);
}

Database fresh(const std::filesystem::path& file, const RunInfo& run) {
  Database db(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // WAL: a reader never waits for the writer, and after a kill the file and its log together hold every call
  // that returned. FULL: the log is flushed before a commit returns.
  db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
  Transaction transaction(db);
  db.execute(results_tables);
  db.execute(("PRAGMA application_id=" + std::to_string(results_application_id)).c_str());
  db.execute(("PRAGMA user_version=" + std::to_string(results_version)).c_str());
  Statement(db, "INSERT INTO run VALUES(?,?,NULL,NULL,?,?,?,?,?)")
      .bind(run.run_id, run.started_utc, run.command_line, run.version, run.commit, run.host,
            std::to_string(run.seed))
      .run();
  Statement fact(db, "INSERT INTO environment(name,value) VALUES(?,?)");
  for (const auto& [name, value] : run.environment) fact.bind(name, value).run();
  transaction.commit();
  return db;
}

class SqliteRecorder final : public Recorder {
 public:
  SqliteRecorder(const std::filesystem::path& file, const RunInfo& run) : db_(fresh(file, run)) {}

  void add_device(const DeviceInfo& device) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    if (devices_.contains(device.spec))
      throw std::runtime_error("device " + device.spec + " was added twice");
    Transaction transaction(db_);
    Statement(db_, "INSERT INTO devices(spec,evidence,architecture,name,uuid) VALUES(?,?,?,?,?)")
        .bind(device.spec, device.evidence, device.architecture, device.name, device.uuid)
        .run();
    const int64_t id = db_.last_id();
    Statement fact(db_, "INSERT INTO device_facts VALUES(?,?,?,?)");
    int64_t ordinal = 0;
    for (const auto& [name, value] : device.facts) fact.bind(id, ordinal++, name, value).run();
    write_rule_book(id, device.architecture);
    transaction.commit();
    devices_[device.spec] = id;
  }

  void plan(const std::string& device, const PropertyInfo& property, uint64_t planned_cases) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    Transaction transaction(db_);
    Statement(db_, "INSERT INTO properties(device,name,claim,planned) VALUES(?,?,?,?)")
        .bind(device_id(device), property.name, property.claim, planned_cases)
        .run();
    const int64_t id = db_.last_id();
    Statement rule(db_, "INSERT INTO property_rules VALUES(?,?,?)");
    int64_t ordinal = 0;
    for (const std::string& text : property.rules) rule.bind(id, ordinal++, text).run();
    transaction.commit();
    properties_[{device, property.name}] = id;
  }

  void set_totals(const std::string& device, const std::string& property,
                  const PropertyTotals& totals) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    const int64_t id = property_id(device, property);
    Transaction transaction(db_);
    totals_
        .bind(id, totals.planned, totals.issued, totals.seconds, totals.device_busy_seconds,
              totals.host_busy_seconds, totals.tile_bytes, totals.fingerprint, totals.reason, totals.complete)
        .run();
    forget_counts_.bind(id).run();
    for (const auto& [verdict, count] : totals.counts) count_.bind(id, name(verdict), count).run();
    transaction.commit();
  }

  void add_case(const CaseRow& row) override {
    const std::lock_guard lock(mutex_);
    const int64_t property = property_id(row.device, row.property);
    flush(Clock::now() - flushed_ >= std::chrono::seconds(1));
    Transaction transaction(db_);
    case_
        .bind(property, row.index, name(row.verdict), row.signature, row.case_id, row.case_json, row.message,
              row.detail, row.replay, row.expected_end, row.observed_end, std::span(row.expected),
              std::span(row.observed), std::span(row.defined), row.bytes_offset, row.differing_bytes,
              row.shrunk_from)
        .run();
    const int64_t id = db_.last_id();
    int64_t ordinal = 0;
    for (const std::string& rule : row.rules) case_rule_.bind(id, ordinal++, rule).run();
    ordinal = 0;
    for (const auto& [field, value] : row.fields) case_field_.bind(id, ordinal++, field, value).run();
    transaction.commit();
  }

  void set_readings(const std::string& device, const std::vector<ReadingRow>& readings) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    const int64_t id = device_id(device);
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM readings WHERE device=?").bind(id).run();
    Statement insert(db_, "INSERT INTO readings VALUES(?,?,?,?,?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const ReadingRow& r : readings)
      insert
          .bind(id, ordinal++, r.question, r.words, r.chosen_letter, r.chosen_words, r.default_letter,
                r.status, r.deciding_cases, r.witness)
          .run();
    transaction.commit();
  }

  void set_coverage(const std::string& device, const std::string& property,
                    const std::vector<CoverageCell>& cells) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    const int64_t id = property_id(device, property);
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM coverage WHERE property=?").bind(id).run();
    Statement insert(db_, "INSERT INTO coverage VALUES(?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const CoverageCell& c : cells)
      insert.bind(id, ordinal++, c.dimension, c.cell, c.count, c.reachable).run();
    transaction.commit();
  }

  void set_rules(const std::string& device, const std::string& property,
                 const std::vector<RuleCount>& rules) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    const int64_t id = property_id(device, property);
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM rules WHERE property=?").bind(id).run();
    Statement insert(db_, "INSERT INTO rules VALUES(?,?,?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const RuleCount& r : rules)
      insert.bind(id, ordinal++, r.rule, r.words, r.cite, r.question, r.exercised, r.violated).run();
    transaction.commit();
  }

  void add_finding(const std::string& device, const std::string& kind, const std::string& words) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    if (device.empty())
      Statement(db_, "INSERT INTO findings(device,kind,words) VALUES(NULL,?,?)").bind(kind, words).run();
    else
      Statement(db_, "INSERT INTO findings(device,kind,words) VALUES(?,?,?)")
          .bind(device_id(device), kind, words)
          .run();
  }

  void finish(int exit_code, const std::string& finished_utc) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    Statement(db_, "UPDATE run SET exit_code=?, finished_utc=?").bind(exit_code, finished_utc).run();
    // Folds the log into the file and leaves WAL: copying the one file copies everything, and it can be read
    // from a folder that nobody may write. A reader at this very moment prevents it; then the log stays, and
    // nothing is lost.
    try {
      db_.number("PRAGMA journal_mode=DELETE");
    } catch (const std::runtime_error&) {
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether the next commit waits for the medium. A commit that does not is safe from the death of the
  /// process all the same; only a loss of power takes it. Thousands of failing cases need not wait for the
  /// disk one by one.
  void flush(bool wait) {
    if (wait != waits_) db_.execute(wait ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    waits_ = wait;
    if (wait) flushed_ = Clock::now();
  }

  int64_t device_id(const std::string& device) const {
    const auto found = devices_.find(device);
    if (found == devices_.end())
      throw std::runtime_error("device " + device + " is not in results file " + db_.file());
    return found->second;
  }
  int64_t property_id(const std::string& device, const std::string& property) const {
    const auto found = properties_.find({device, property});
    if (found == properties_.end())
      throw std::runtime_error("property " + property + " on " + device +
                               " was not planned in results file " + db_.file());
    return found->second;
  }

  void write_rule_book(int64_t device, const std::string& architecture) {
    const auto arch = spec::parse_arch(architecture);
    if (!arch) return;
    Statement insert(db_, "INSERT INTO rule_book VALUES(?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const spec::Rule& rule : spec::rules()) {
      if (!rule.applies[static_cast<size_t>(*arch)]) continue;
      std::string cite;
      for (const spec::Cite& c : rule.cites)
        if (!c.document.empty())
          cite += (cite.empty() ? "" : "; ") + std::string(c.document) + ", " + std::string(c.place);
      insert.bind(device, ordinal++, rule.id, rule.words, cite, rule.question).run();
    }
  }

  std::mutex mutex_;
  bool waits_ = true;
  Clock::time_point flushed_ = Clock::now();
  Database db_;
  std::map<std::string, int64_t> devices_;
  std::map<std::pair<std::string, std::string>, int64_t> properties_;
  Statement totals_{db_, "INSERT OR REPLACE INTO totals VALUES(?,?,?,?,?,?,?,?,?,?)"};
  Statement forget_counts_{db_, "DELETE FROM verdict_counts WHERE property=?"};
  Statement count_{
      db_, "INSERT INTO verdict_counts VALUES(?,?,?) ON CONFLICT DO UPDATE SET count=count+excluded.count"};
  Statement case_{
      db_,
      "INSERT INTO cases(property,case_index,verdict,signature,case_id,case_json,message,detail,replay,"
      "expected_end,observed_end,expected,observed,defined,bytes_offset,differing_bytes,shrunk_from) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  Statement case_rule_{db_, "INSERT INTO case_rules VALUES(?,?,?)"};
  Statement case_field_{db_, "INSERT INTO case_fields VALUES(?,?,?,?)"};
};

}  // namespace

std::unique_ptr<Recorder> Recorder::create(const std::filesystem::path& file, const RunInfo& run) {
  remove_earlier(file);
  return std::make_unique<SqliteRecorder>(file, run);
}

}  // namespace assay::report
