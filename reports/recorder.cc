// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "reference/spec/rule.h"
#include "reports/compare/nights.h"
#include "reports/coverage_table.h"
#include "reports/record.h"
#include "reports/results_file.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

class SqliteRecorder final : public Recorder {
 public:
  explicit SqliteRecorder(Database db) : db_(std::move(db)), run_(db_.number("SELECT id FROM run")) {
    Statement devices(db_, "SELECT id,spec FROM devices");
    while (devices.step()) devices_[devices.text(1)] = devices.integer(0);
    Statement properties(db_, "SELECT p.id,d.spec,p.name FROM properties p JOIN devices d ON d.id=p.device");
    while (properties.step()) properties_[{properties.text(1), properties.text(2)}] = properties.integer(0);
  }

  void add_device(const DeviceInfo& device) override {
    const std::lock_guard lock(mutex_);
    flush();
    if (devices_.contains(device.spec))
      throw std::runtime_error("device " + device.spec + " was added twice");
    Transaction transaction(db_);
    Statement(
        db_,
        "INSERT INTO devices(run,spec,evidence,architecture,name,uuid,reading_state) VALUES(?,?,?,?,?,?,'')")
        .bind(run_, device.spec, device.evidence, device.architecture, device.name, device.uuid)
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
    flush();
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
    flush();
    Transaction transaction(db_);
    write(property_id(device, property), totals);
    transaction.commit();
  }

  void set_state(const std::string& device, const std::string& property,
                 const PropertyState& state) override {
    const std::lock_guard lock(mutex_);
    flush();
    const int64_t id = property_id(device, property);
    Transaction transaction(db_);
    write(id, state.totals);
    coverage_.write(id, state.coverage);
    write(id, state.rules);
    Statement(db_, "DELETE FROM failure_kinds WHERE property=?").bind(id).run();
    Statement(db_, "DELETE FROM kind_blame WHERE property=?").bind(id).run();
    Statement(db_, "DELETE FROM kind_weights WHERE property=?").bind(id).run();
    for (const FailureKindRow& kind : state.kinds) {
      std::string indexes, rules;
      for (const uint64_t index : kind.indexes)
        indexes += (indexes.empty() ? "" : " ") + std::to_string(index);
      for (const std::string& rule : kind.rules) rules += (rules.empty() ? "" : " ") + rule;
      kind_
          .bind(id, kind.signature, name(kind.verdict), kind.count, indexes, rules, kind.waiver,
                static_cast<int64_t>(kind.failed), static_cast<int64_t>(kind.repeated))
          .run();
      if (kind.blame.was_sought) blame_.bind(id, kind.signature, stored(kind.blame)).run();
      if (!kind.blame.weights.empty()) weights_.bind(id, kind.signature, stored_weights(kind.blame)).run();
    }
    Statement(db_, "DELETE FROM ranges WHERE property=?").bind(id).run();
    for (const RangeRow& range : state.ranges)
      range_.bind(id, range.first, range.size, range.conforming, std::to_string(range.fingerprint)).run();
    Statement(db_, "DELETE FROM places WHERE property=?").bind(id).run();
    for (const PlaceRow& p : state.places)
      place_.bind(id, static_cast<int64_t>(p.sm), p.cases, p.failing).run();
    transaction.commit();
    coverage_.settle();
  }

  void set_reading_state(const std::string& device, const std::string& state) override {
    const std::lock_guard lock(mutex_);
    flush();
    Statement(db_, "UPDATE devices SET reading_state=? WHERE id=?").bind(state, device_id(device)).run();
  }

  void set_waivers(const std::string& device, const std::vector<WaiverRow>& waivers) override {
    const std::lock_guard lock(mutex_);
    flush();
    const int64_t id = device_id(device);
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM waivers WHERE device=?").bind(id).run();
    Statement insert(db_, "INSERT INTO waivers VALUES(?,?,?,?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const WaiverRow& w : waivers)
      insert.bind(id, ordinal++, w.id, w.property, w.reason, w.link, w.expires, w.state, w.cases).run();
    transaction.commit();
  }

  void set_seconds(double seconds) override {
    const std::lock_guard lock(mutex_);
    flush();
    Statement(db_, "UPDATE run SET seconds=?").bind(seconds).run();
  }

  void set_nights(const std::vector<NightRow>& nights) override {
    const std::lock_guard lock(mutex_);
    flush();
    Transaction transaction(db_);
    write_nights(db_, nights);
    transaction.commit();
  }

  void add_case(const CaseRow& row) override {
    const std::lock_guard lock(mutex_);
    const int64_t property = property_id(row.device, row.property);
    flush();
    Transaction transaction(db_);
    case_
        .bind(property, row.index, name(row.verdict), row.signature, row.case_id, row.case_json, row.message,
              row.detail, row.replay, row.expected_end, row.observed_end, std::span(row.expected),
              std::span(row.observed), std::span(row.defined), row.bytes_offset, row.differing_bytes,
              row.shrunk_from, row.from_file, row.sm == ~0u ? int64_t{-1} : int64_t{row.sm}, row.places,
              row.format, row.picture)
        .run();
    const int64_t id = db_.last_id();
    int64_t ordinal = 0;
    for (const std::string& rule : row.rules) case_rule_.bind(id, ordinal++, rule).run();
    ordinal = 0;
    for (const auto& [field, value] : row.fields) case_field_.bind(id, ordinal++, field, value).run();
    transaction.commit();
  }

  void rename_kind(const std::string& device, const std::string& property, const std::string& from,
                   const std::string& to, Verdict verdict) override {
    const std::lock_guard lock(mutex_);
    flush();
    Statement(db_, "UPDATE cases SET signature=?,verdict=? WHERE property=? AND signature=?")
        .bind(to, name(verdict), property_id(device, property), from)
        .run();
  }

  void set_readings(const std::string& device, const std::vector<ReadingRow>& readings) override {
    const std::lock_guard lock(mutex_);
    flush();
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

  void set_deciding(const std::string& device, const std::vector<DecidingRow>& rows) override {
    const std::lock_guard lock(mutex_);
    flush();
    const int64_t id = device_id(device);
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM deciding_cases WHERE device=?").bind(id).run();
    Statement insert(db_, "INSERT INTO deciding_cases VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const DecidingRow& r : rows)
      insert
          .bind(id, ordinal++, r.question, r.property, r.name, r.case_json, r.ended, r.code, r.note,
                r.output_bytes, r.fingerprint, r.at, std::span(r.bytes))
          .run();
    transaction.commit();
  }

  void set_published(const std::vector<PublishedRow>& rows) override {
    const std::lock_guard lock(mutex_);
    flush();
    Transaction transaction(db_);
    Statement(db_, "DELETE FROM published WHERE run=?").bind(run_).run();
    Statement insert(db_, "INSERT INTO published VALUES(?,?,?,?,?,?,?,?)");
    int64_t ordinal = 0;
    for (const PublishedRow& r : rows)
      insert.bind(run_, ordinal++, r.label, r.source, r.instruction, r.results, r.agreeing, r.differing)
          .run();
    transaction.commit();
  }

  void set_coverage(const std::string& device, const std::string& property,
                    const std::vector<CoverageCell>& cells) override {
    const std::lock_guard lock(mutex_);
    flush();
    Transaction transaction(db_);
    const int64_t id = property_id(device, property);
    coverage_.write(id, cells);
    transaction.commit();
    coverage_.settle();
  }

  void set_rules(const std::string& device, const std::string& property,
                 const std::vector<RuleCount>& rules) override {
    const std::lock_guard lock(mutex_);
    flush();
    Transaction transaction(db_);
    write(property_id(device, property), rules);
    transaction.commit();
  }

  void add_finding(const std::string& device, const std::string& kind, const std::string& words) override {
    const std::lock_guard lock(mutex_);
    flush();
    if (device.empty())
      Statement(db_, "INSERT INTO findings(run,device,kind,words) VALUES(?,NULL,?,?)")
          .bind(run_, kind, words)
          .run();
    else
      Statement(db_, "INSERT INTO findings(run,device,kind,words) VALUES(?,?,?,?)")
          .bind(run_, device_id(device), kind, words)
          .run();
  }

  /// A negative code is one that is not known yet, and is not said.
  void finish(int exit_code, const std::string& finished_utc) override {
    const std::lock_guard lock(mutex_);
    flush(true);
    Statement(db_, "UPDATE run SET exit_code=CASE WHEN ?1<0 THEN NULL ELSE ?1 END, finished_utc=?2")
        .bind(exit_code, finished_utc)
        .run();
    // Folds the log into the file and leaves WAL: copying the one file copies everything, and it can be read
    // from a folder that nobody may write. States of the run that later ones replaced leave free pages, up to
    // a third of the file. A reader at this very moment prevents both, a full disk the second; then the log
    // or the pages stay, and nothing is lost.
    try {
      if (exit_code >= 0) db_.execute("VACUUM");
      db_.number("PRAGMA journal_mode=DELETE");
    } catch (const std::runtime_error&) {
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether the next commit waits for the medium: one a second does, and the last of all. A commit that does
  /// not is safe from the death of the process all the same; only a loss of power takes it, and none that
  /// follows it survives alone.
  void flush() { flush(Clock::now() - flushed_ >= std::chrono::seconds(1)); }
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

  void write(int64_t id, const PropertyTotals& totals) {
    totals_
        .bind(id, totals.planned, totals.issued, totals.seconds, totals.device_busy_seconds,
              totals.host_busy_seconds, totals.tile_bytes, totals.fingerprint, totals.reason, totals.complete,
              totals.done)
        .run();
    forget_counts_.bind(id).run();
    for (const auto& [verdict, count] : totals.counts) count_.bind(id, name(verdict), count).run();
  }

  void write(int64_t id, const std::vector<RuleCount>& rules) {
    Statement(db_, "DELETE FROM rules WHERE property=?").bind(id).run();
    int64_t ordinal = 0;
    for (const RuleCount& r : rules)
      rule_.bind(id, ordinal++, r.rule, r.words, r.cite, r.question, r.exercised, r.violated).run();
    for (const RuleCount& r : rules)
      if (r.no_demand != 0) no_demand_.bind(id, r.rule, r.no_demand).run();
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
  const int64_t run_;
  std::map<std::string, int64_t> devices_;
  std::map<std::pair<std::string, std::string>, int64_t> properties_;
  CoverageWriter coverage_{db_};
  Statement totals_{db_, "INSERT OR REPLACE INTO totals VALUES(?,?,?,?,?,?,?,?,?,?,?)"};
  Statement forget_counts_{db_, "DELETE FROM verdict_counts WHERE property=?"};
  Statement count_{
      db_, "INSERT INTO verdict_counts VALUES(?,?,?) ON CONFLICT DO UPDATE SET count=count+excluded.count"};
  Statement case_{
      db_,
      "INSERT INTO cases(property,case_index,verdict,signature,case_id,case_json,message,detail,replay,"
      "expected_end,observed_end,expected,observed,defined,bytes_offset,differing_bytes,shrunk_from,"
      "from_file,sm,places,format,picture) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULLIF(?,-1),?,?,?)"};
  Statement rule_{db_, "INSERT INTO rules VALUES(?,?,?,?,?,?,?,?)"};
  Statement no_demand_{db_, "INSERT OR REPLACE INTO no_demand_rules VALUES(?,?,?)"};
  Statement kind_{db_, "INSERT INTO failure_kinds VALUES(?,?,?,?,?,?,?,?,?)"};
  Statement blame_{db_, "INSERT INTO kind_blame VALUES(?,?,?)"};
  Statement weights_{db_, "INSERT INTO kind_weights VALUES(?,?,?)"};
  Statement range_{db_, "INSERT INTO ranges VALUES(?,?,?,?,?)"};
  Statement place_{db_, "INSERT INTO places VALUES(?,?,?,?)"};
  Statement case_rule_{db_, "INSERT INTO case_rules VALUES(?,?,?)"};
  Statement case_field_{db_, "INSERT INTO case_fields VALUES(?,?,?,?)"};
};

}  // namespace

std::unique_ptr<Recorder> Recorder::create(const std::filesystem::path& file, const RunInfo& run) {
  return std::make_unique<SqliteRecorder>(create_results(file, run));
}

std::unique_ptr<Recorder> Recorder::resume(const std::filesystem::path& file) {
  return std::make_unique<SqliteRecorder>(reopen_results(file));
}

}  // namespace assay::report
