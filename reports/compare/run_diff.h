// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/compare/nights.h"
#include "reports/detection.h"
#include "reports/record.h"
#include "reports/results.h"

namespace assay::report {

/// What one run says of a property on a device, and another one.
struct PropertyDiff {
  std::string property;
  std::optional<Verdict> before, after;  ///< none: the run does not have it
  uint64_t cases_before = 0, cases_after = 0;
  std::vector<std::string> fresh, gone;  ///< failure signatures
  std::string output;                    ///< conforming cases whose output changed, or empty
  bool operator==(const PropertyDiff&) const = default;
};

struct ReadingDiff {
  std::string question, before, after;  ///< letters, or empty
  bool operator==(const ReadingDiff&) const = default;
};

/// Two runs on one device, or on two that stand for each other.
struct DeviceDiff {
  DeviceInfo before, after;
  std::vector<PropertyDiff> properties;  ///< those that differ, by name
  std::vector<ReadingDiff> readings;     ///< likewise
  size_t alike = 0;                      ///< properties that do not differ
};

/// What failed for one cause in two runs.
struct CauseDiff {
  std::string words;   ///< which rule, or "unexplained: <property>"
  Verdict verdict{};   ///< of its first failure
  std::string replay;  ///< of the run in which it is, the later one of both
  uint64_t cases_before = 0, cases_after = 0;
  bool operator==(const CauseDiff&) const = default;
};

struct RunDiff {
  std::vector<CauseDiff> causes;  ///< of both, those of the later run first
  std::vector<DeviceDiff> devices;
  std::vector<DeviceInfo> only_before, only_after;
  bool is_empty() const;
};

/// Devices are matched by who they are, else by the word that opened them; one of each run is matched in any
/// case, so that two boards or a board and the emulator can be compared.
RunDiff diff_of(const Results& before, const Results& after);

/// For a terminal. `names`: what the files are called.
std::string words(const RunDiff&, const std::pair<std::string, std::string>& names);
nlohmann::json to_json(const RunDiff&);
/// A page of its own: a row a property that differs, what each run says of it side by side.
std::string diff_html(const RunDiff&, const std::pair<std::string, std::string>& names);

/// An earlier results file, to compare a run with: only what changed is loud.
class Baseline {
 public:
  explicit Baseline(const std::filesystem::path& file);

  /// "baseline" and its date, for reports.
  const std::string& name() const { return name_; }
  bool knows_device(const DeviceInfo&) const;
  /// The same device failed in the same way, and no waiver covered it: what a waiver covered has to be
  /// covered by one again.
  bool knows(const DeviceInfo&, std::string_view property, std::string_view signature) const;

  /// True when a known failure signature has become common: `count` of `judged` cases fail in it now, more
  /// than three times as often as then. A signature is coarse on purpose; this is how a second cause behind
  /// it shows.
  bool is_more_frequent(const DeviceInfo&, std::string_view property, std::string_view signature,
                        uint64_t count, uint64_t judged) const;

  /// Ways to fail of the same device and property that `now`, of `judged` cases made from `seed`, does not
  /// show any more.
  struct Missing {
    std::string signature;
    Absence absence;
  };
  std::vector<Missing> missing(const DeviceInfo&, const std::string& property, uint64_t seed, uint64_t judged,
                               const std::vector<FailureKindRow>& now) const;
  /// "cases 4096 to 8191": all of them conform in both files, made from the same seed, and yet their defined
  /// bits differ.
  std::vector<std::string> changed_bits(const DeviceInfo&, const std::string& property, uint64_t seed,
                                        const std::vector<RangeRow>& now) const;

 private:
  bool is_of_seed(uint64_t seed) const;
  const PropertyResult* find(const DeviceInfo&, std::string_view property) const;

  Results results_;
  std::string name_;
};

/// Moves what an earlier run left in `folder` (results.db, its reports, the folder of cases) into a folder of
/// its own there, "earlier-" and when that run began, so that the files of one run stand together. Returns
/// that folder, or nothing where no run had been. Throws std::runtime_error with one sentence where another
/// run is writing there, or where results.db is no results file.
std::optional<std::filesystem::path> set_earlier_aside(const std::filesystem::path& folder);

struct Results;
struct HistoryNight;

/// Results files under the folders, at any depth, and files given themselves; none where folders hold none.
/// Throws std::runtime_error with one sentence for a place that does not exist.
std::vector<std::filesystem::path> files_at(const std::vector<std::filesystem::path>& places);

/// The same for a run that wants to know what came before it. A file given itself has to be a results file;
/// among the many of a folder one may be damaged. The first night finds an empty folder, or none.
std::vector<std::filesystem::path> find_history(const std::vector<std::filesystem::path>& places);

/// Those of the places that do not exist.
std::vector<std::filesystem::path> absent_places(const std::vector<std::filesystem::path>& places);

/// The nights that results files hold.
struct Nights {
  std::vector<NightRow> nights;  ///< united
  struct Unread {
    std::filesystem::path file;
    std::string words;  ///< why, one sentence that names it
  };
  std::vector<Unread> unread;
};
Nights nights_in(const std::vector<std::filesystem::path>& files);

/// Adds earlier nights to those that a results file stores. Throws std::runtime_error with one sentence.
void add_history(const std::filesystem::path& results, std::vector<NightRow> nights);

/// The kind of finding that names an earlier night which could not be read.
inline constexpr const char* history_not_read = "history not read";
/// The kind of finding that names a place for earlier nights that is not there yet.
inline constexpr const char* history_absent = "no history";

/// The night of results.devices[device] itself, at the end of its history, or null where nothing is stored.
const HistoryNight* own_night(const Results&, size_t device);

/// One sentence for places with room for one: what is new, gone, or conforms with other bits since the night
/// before. Empty where there is no history to speak of.
std::string history_line(const Results&);

/// Results files under the folders, at any depth; a file given itself counts too. Throws std::runtime_error
/// with one sentence when there is none.
std::vector<std::filesystem::path> find_results(const std::vector<std::filesystem::path>& places);

/// History, a line a run and device in the order of their start: verdict, cases, those of them that do not
/// conform, rate, failure signatures, those that are new and gone since the run before on the same device.
/// Below a line: what is new, what is gone, and properties that still conform but whose bits changed. Files
/// that cannot be read are named at the end.
struct Trend {
  std::string text;
  std::vector<std::filesystem::path> unread;
};
Trend trend_of(const std::vector<std::filesystem::path>& files);

/// The same as a page of its own: board by night, what failed last and why, failures and rates of each board.
std::string trend_html(const std::vector<std::filesystem::path>& files);

}  // namespace assay::report
