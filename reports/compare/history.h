// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/record.h"

namespace assay::report {

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
