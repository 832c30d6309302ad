// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/blame.h"

namespace assay::report {

/// Architecture, section 11: one table from verdict to exit code to JUnit (reports/verdict.h).
enum class Verdict {
  conforms,
  adopted_reading,
  declined,
  waived,
  violates,
  unexpected_pass,
  flaky,
  crashed,
  hung,
  not_run,
  rig_broken,
  no_demand,
  undecided,
  incomplete,
  not_assembled
};

struct RunInfo {
  std::string run_id;       ///< unique; also the merge key
  std::string started_utc;  ///< YYYY-MM-DDThh:mm:ss
  std::string command_line, version, commit, host;
  uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> environment;  ///< toolkit, OS, CPU, ...
  int shard = 1, shards = 1;  ///< this run took every shards-th case, from the shard-th on
  bool flaky_warns = false;   ///< a flaky property does not fail the run
  std::string options;        ///< what `--resume` starts the run again from; reports do not look at it
  int generation = 0;         ///< how often it was resumed
  double seconds = 0;         ///< it ran so far, interruptions left out
};

struct DeviceInfo {
  std::string spec, evidence;  ///< "silicon sm_90", "emulator sm_100"
  std::string architecture, name, uuid;
  std::vector<std::pair<std::string, std::string>> facts;
};

struct PropertyInfo {
  std::string name, claim;         ///< dotted name; one sentence
  std::vector<std::string> rules;  ///< ids it exercises
};

/// Running totals of a property on a device. Replaced as a whole each time.
struct PropertyTotals {
  uint64_t planned = 0;  ///< 0: by budget, then what was issued
  uint64_t issued = 0;
  std::vector<std::pair<Verdict, uint64_t>> counts;
  double seconds = 0, device_busy_seconds = 0, host_busy_seconds = 0;
  uint64_t tile_bytes = 0;  ///< bytes compared
  std::string fingerprint;  ///< of all output bytes of conforming cases, in index order
  std::string reason;       ///< of declined, rig_broken, not_run, incomplete
  /// Nothing more will be issued. Matters when the run is killed: a property by budget that is not complete
  /// then is reported as incomplete, whatever conformed before.
  bool complete = false;
  std::string done;  ///< indexes with a verdict, "0-4096,5000-5001", counted within the shard
};

/// All cases of a property on a device that failed in one way.
struct FailureKindRow {
  std::string signature;
  Verdict verdict = Verdict::violates;
  uint64_t count = 0;
  std::vector<uint64_t> indexes;      ///< of the cases that have rows
  std::vector<std::string> rules;     ///< that every one of the cases exercises
  Blame blame;                        ///< what explains those that were looked at
  std::string waiver;                 ///< id of the waiver that covers them, or "baseline ..."
  uint32_t failed = 0, repeated = 0;  ///< of so many runs of one case so many failed; 0 of 0: run once
};

/// Cases [first, first + size) of a property, by index over all shards.
struct RangeRow {
  uint64_t first = 0, size = 0;
  uint64_t conforming = 0;
  uint64_t fingerprint = 0;  ///< sum over the conforming cases, so that parts add up
};

/// What became of a waiver on a device.
struct WaiverRow {
  std::string id, property;  ///< property: the one that is charged when the waiver fails the run
  std::string reason, link, expires;
  std::string state;  ///< "used", "unneeded", "expired", "not tried"
  uint64_t cases = 0;
};

/// One case that did not conform.
struct CaseRow {
  std::string property, device;
  uint64_t index = 0;
  Verdict verdict = Verdict::violates;
  std::string signature;           ///< deduplication key: property, rule, end, fields that differ
  std::string case_id, case_json;  ///< XXH3-128 of the canonical JSON
  std::string message;             ///< what happened; first line at most 200 characters, no replay line
  std::string detail;              ///< more lines: device's own words, where it ran
  std::string replay;              ///< command line that runs exactly this case
  std::vector<std::string> rules;
  std::vector<std::pair<std::string, std::string>> fields;  ///< named fields of the case in reading order
  std::string expected_end, observed_end;
  std::vector<uint8_t> expected, observed, defined;  ///< bytes around the first difference
  uint64_t bytes_offset = 0;                         ///< offset of expected[0] in the output
  uint64_t differing_bytes = 0;
  std::string shrunk_from;  ///< case id before shrinking, or empty
  bool from_file = false;   ///< the case came from a file, not from (seed, property, index)
  uint32_t sm = ~0u;        ///< multiprocessor where it ran, ~0u: not known
  std::string places;       ///< of the wrong elements (reports/places.h), or empty
  std::string format;       ///< of the output's elements (spec/formats.h), or empty: bytes
  /// The output as a matrix and where its pieces went (reports/places.h). Empty where there is none to show.
  std::string picture;
};

/// What a run came to on an open question: ReadingRow::status.
inline constexpr std::string_view reading_confirmed = "default confirmed";
inline constexpr std::string_view reading_modelled =
    "as modelled";  ///< by an emulator, built after the default
inline constexpr std::string_view reading_adopted = "rival adopted";
inline constexpr std::string_view reading_undecided = "undecided";  ///< too few cases, or they disagree
inline constexpr std::string_view reading_open = "not decided";     ///< no case told its readings apart
inline constexpr std::string_view reading_contradicted = "contradicted";

struct ReadingRow {
  std::string question, words, chosen_letter, chosen_words, default_letter;
  std::string status;           ///< one of the above
  uint64_t deciding_cases = 0;  ///< that excluded a reading; of an adopted one, that follow it
  std::string witness;          ///< a case that decided it; of a contradiction, both sides
};

/// What others measured and published, of one instruction: evidence of a third kind beside silicon and
/// emulator. Nothing of it was run here; what stands beside it is what the reference model gives today.
struct PublishedRow {
  std::string label;        ///< "published by others, sm_100"
  std::string source;       ///< who, where, and under which licence
  std::string instruction;  ///< "tcgen05.nvf4.b16"
  uint64_t results = 0;     ///< that were published
  uint64_t agreeing = 0;    ///< of which the reference gives every bit
  std::string differing;    ///< the first that it does not give, in words; empty: none
};

/// What a device did with a case that tells readings of an open question apart (assay first-contact).
struct DecidingRow {
  std::string question;        ///< id
  std::string property, name;  ///< name: "tmem.st@1#17"
  std::string case_json;
  int64_t ended = 0, code = 0, note = 0;  ///< RecordEnd of devices/device.h
  uint64_t output_bytes = 0;              ///< of the whole output
  std::string fingerprint;                ///< of the whole output, defined or not
  uint64_t at = 0;                        ///< offset of `bytes` in the output
  std::vector<uint8_t> bytes;             ///< as they came, from the first one that readings differ in
};

struct CoverageCell {
  std::string dimension;  ///< "type x rank x interleave x swizzle x edges x strides"
  std::string cell;       ///< "bf16/3/none/128B/upper0/dense"
  uint64_t count = 0;
  bool reachable = true;
};

struct RuleCount {
  std::string rule, words, cite;
  uint64_t exercised = 0,   ///< by cases of which something was demanded
      violated = 0;         ///< written: cases that failed; read: those that this rule alone explains
  std::string question;     ///< id of the open question that bears on it, or empty
  uint64_t implicated = 0;  ///< read: cases that failed and are explained otherwise, or not at all
  uint64_t no_demand = 0;   ///< cases that break it, of which no document says what must come out
  uint64_t suspected = 0;   ///< read: cases that failed and that this rule explains as well as others do
};

/// How many CTAs of cases ran on a multiprocessor, and how many of them failed: of a cluster, those at which
/// the failure shows.
struct PlaceRow {
  uint32_t sm = 0;
  uint64_t cases = 0, failing = 0;
};

/// What one property on one device has come to, at one moment.
struct PropertyState {
  PropertyTotals totals;
  std::vector<CoverageCell> coverage;
  std::vector<RuleCount> rules;
  std::vector<FailureKindRow> kinds;
  std::vector<RangeRow> ranges;
  std::vector<PlaceRow> places;
};

/// A property in a night.
struct NightPropertyRow {
  std::string name;
  uint64_t planned = 0, cases = 0;  ///< cases: with a verdict from the device
  uint64_t conforming = 0;          ///< by the default reading or by an adopted one
  bool complete = false;
  std::string fingerprint;       ///< of all conforming cases (PropertyTotals)
  std::vector<RangeRow> ranges;  ///< those in which every case conforms, few and wide
};

/// What a run, or several that were merged, came to on one device: as much of it as nights are compared by.
struct NightRow {
  std::string runs;  ///< their ids in order, a line each
  std::string started_utc;
  std::string seed;     ///< decimal; empty where the runs had several
  std::string part;     ///< "2/8" where these are not all shards
  std::string program;  ///< version and commit of assay: another one may make other cases
  DeviceInfo device;    ///< without its facts
  std::string driver;   ///< kernel-mode, empty on the emulator
  Verdict verdict = Verdict::incomplete;
  double seconds = 0;
  std::vector<NightPropertyRow> properties;
  std::vector<std::string> ways;              ///< signatures of its failure signatures, sorted
  std::map<std::string, uint64_t> way_cases;  ///< how many cases failed so; older files do not say
};

/// Writes results.db while a run goes on. One writer; may be called from several threads. A call that has
/// returned survives the death of the process (WAL); a loss of power takes at most the cases of the last
/// second. Throws std::runtime_error with one sentence when the file cannot be written.
class Recorder {
 public:
  /// Replaces an earlier results file of ours; refuses any other file and one that another run is writing.
  static std::unique_ptr<Recorder> create(const std::filesystem::path& file, const RunInfo&);
  /// Opens a file that a run left, to go on writing it: what was recorded of cases beyond the last state() is
  /// dropped, for they will run again. Refuses a file that another run is writing, and one of several runs.
  static std::unique_ptr<Recorder> resume(const std::filesystem::path& file);
  virtual ~Recorder() = default;
  virtual void add_device(const DeviceInfo&) = 0;
  virtual void plan(const std::string& device, const PropertyInfo&, uint64_t planned_cases) = 0;
  virtual void set_totals(const std::string& device, const std::string& property, const PropertyTotals&) = 0;
  /// Totals, coverage, rules, kinds, ranges and places in one transaction: what resume() goes back to.
  virtual void set_state(const std::string& device, const std::string& property, const PropertyState&) = 0;
  virtual void set_reading_state(const std::string& device, const std::string& state) = 0;
  virtual void set_waivers(const std::string& device, const std::vector<WaiverRow>&) = 0;
  virtual void set_seconds(double seconds) = 0;
  /// Nights before this one, in place of those that were there (reports/compare/nights.h makes and unites
  /// them).
  virtual void set_nights(const std::vector<NightRow>&) = 0;
  virtual void add_case(const CaseRow&) = 0;
  /// Gives all rows of a kind another verdict and signature.
  virtual void rename_kind(const std::string& device, const std::string& property, const std::string& from,
                           const std::string& to, Verdict verdict) = 0;
  virtual void set_readings(const std::string& device, const std::vector<ReadingRow>&) = 0;
  virtual void set_deciding(const std::string& device, const std::vector<DecidingRow>&) = 0;
  /// Of the run, in place of what was there.
  virtual void set_published(const std::vector<PublishedRow>&) = 0;
  virtual void set_coverage(const std::string& device, const std::string& property,
                            const std::vector<CoverageCell>&) = 0;
  virtual void set_rules(const std::string& device, const std::string& property,
                         const std::vector<RuleCount>&) = 0;
  /// Free-form findings: strict-mode breaches, stray writes, encoder crashes. Empty device: of the run.
  virtual void add_finding(const std::string& device, const std::string& kind, const std::string& words) = 0;
  virtual void finish(int exit_code, const std::string& finished_utc) = 0;
};

/// Everything below is made from the file alone. Written to a temporary file first and renamed.
void write_junit(const std::filesystem::path& db, const std::filesystem::path& xml);
void write_html(const std::filesystem::path& db, const std::filesystem::path& html);
/// How much of it a terminal shows: what failed and the verdict, or also each property, or also every finding
/// and every property's gaps of coverage.
enum class Detail { quiet, normal, verbose };
/// Plain text for the end of a run in a terminal, 100 columns.
std::string summary_text(const std::filesystem::path& db, bool colour, Detail = Detail::normal);
/// Exit code that the verdicts in the file give (worse_exit in reports/verdict.h); 2 if no case was judged, 4
/// if the run never finished and nothing is worse.
int exit_code(const std::filesystem::path& db);

}  // namespace assay::report
