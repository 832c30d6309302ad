#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  rig_broken
};

struct RunInfo {
  std::string run_id;       ///< unique; also the merge key
  std::string started_utc;  ///< YYYY-MM-DDThh:mm:ss
  std::string command_line, version, commit, host;
  uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> environment;  ///< toolkit, OS, CPU, ...
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
  std::string reason;       ///< of declined, rig_broken, not_run; "device lost..." gives exit code 3
  /// Nothing more will be issued. Matters when the run is killed: a property by budget that is not complete
  /// then is reported as not-run, whatever conformed before.
  bool complete = false;
};

/// One case that did not conform.
struct CaseRow {
  std::string property, device;
  uint64_t index = 0;
  Verdict verdict = Verdict::violates;
  std::string signature;           ///< deduplication key: property, rule, end, fields that differ
  std::string case_id, case_json;  ///< XXH3-128 of the canonical JSON
  std::string message;             ///< first line self-sufficient, at most 200 characters
  std::string detail;              ///< more lines: device's own words, where it ran
  std::string replay;              ///< command line that runs exactly this case
  std::vector<std::string> rules;
  std::vector<std::pair<std::string, std::string>> fields;  ///< named fields of the case in reading order
  std::string expected_end, observed_end;
  std::vector<uint8_t> expected, observed, defined;  ///< bytes around the first difference
  uint64_t bytes_offset = 0;                         ///< offset of expected[0] in the output
  uint64_t differing_bytes = 0;
  std::string shrunk_from;  ///< case id before shrinking, or empty
};

struct ReadingRow {
  std::string question, words, chosen_letter, chosen_words, default_letter;
  std::string status;  ///< "default confirmed", "rival adopted", "not decided", "contradicted"
  uint64_t deciding_cases = 0;
  std::string witness;  ///< a case id that decided it
};

struct CoverageCell {
  std::string dimension;  ///< "type x rank x interleave x swizzle x edges x strides"
  std::string cell;       ///< "bf16/3/none/128B/upper0/dense"
  uint64_t count = 0;
  bool reachable = true;
};

struct RuleCount {
  std::string rule, words, cite;
  uint64_t exercised = 0, violated = 0;
  std::string question;  ///< id of the open question that bears on it, or empty
};

/// Writes results.db while a run goes on. One writer; may be called from several threads. A call that has
/// returned survives the death of the process (WAL); a loss of power takes at most the cases of the last
/// second. Throws std::runtime_error with one sentence when the file cannot be written.
class Recorder {
 public:
  /// Replaces an earlier results file of ours; refuses any other file and one that another run is writing.
  static std::unique_ptr<Recorder> create(const std::filesystem::path& file, const RunInfo&);
  virtual ~Recorder() = default;
  virtual void add_device(const DeviceInfo&) = 0;
  virtual void plan(const std::string& device, const PropertyInfo&, uint64_t planned_cases) = 0;
  virtual void set_totals(const std::string& device, const std::string& property, const PropertyTotals&) = 0;
  virtual void add_case(const CaseRow&) = 0;
  virtual void set_readings(const std::string& device, const std::vector<ReadingRow>&) = 0;
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
/// Plain text for the end of a run in a terminal, 100 columns.
std::string summary_text(const std::filesystem::path& db, bool colour);
/// Exit code that the verdicts in the file give: that of the worst one (reports/verdict.h), 3 if a device was
/// lost, 2 if nothing was planned, at least 1 if the run never finished.
int exit_code(const std::filesystem::path& db);

}  // namespace assay::report
