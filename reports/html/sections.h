// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "reports/causes.h"
#include "reports/results.h"
#include "reports/words.h"

/// One function a section of report.html; each appends to the page. Whatever comes from the file goes through
/// esc().
namespace assay::report::html {

std::string esc(std::string_view bytes);  ///< for_html
std::string num(uint64_t number);         ///< groups of three with narrow no-break spaces
std::string_view tone(Verdict);           ///< class: ok, note, off, warn, bad
std::string pill(Verdict);                ///< the verdict's word in its colour
std::string kind(const DeviceResult&);    ///< SILICON SM_90 or EMULATOR SM_100, unmistakably
/// Ids that say what is there: "failure-tma.tiled.load-1", "rule-TILE-R04".
std::string device_anchor(const Results&, size_t device);
std::string property_anchor(const Results&, size_t device, size_t property);
std::string failure_anchor(const Results&, const FailurePlace&);
std::string rule_anchor(std::string_view id);
std::string question_anchor(std::string_view id);

void first_screen(std::string& page, const Results&);
void telemetry(std::string& page, const Results&);  ///< curves of screened boards; none: no section
void properties(std::string& page, const Results&);
/// Budgets in bytes of page: for entries in full, then for those in brief; the rest is counted.
void failures(std::string& page, const Results&, size_t full_budget, size_t brief_budget);
/// Of a failing case: differing elements split into sign, exponent and mantissa, where the format is known.
void values(std::string& page, const CaseRow&);
/// Of a failing case: which elements of the output are wrong, as a drawing with axes; and where pieces of 16
/// bytes went that lie in the wrong place.
void picture(std::string& page, const CaseRow&);
void pieces(std::string& page, const CaseRow&);
/// Map of the specification: a square a clause, by chapter and device, in the colour of its verdict.
void specification(std::string& page, const Results&);
void compliance(std::string& page, const Results&);  ///< matrix of rules and devices
void questions(std::string& page, const Results&);
void coverage(std::string& page, const Results&);  ///< areas by fields, a cell each
void history(std::string& page, const Results&);   ///< nights on each device, bounded
/// Boards by nights, a cell each; and of one board, whose nights are given oldest first, its failures and
/// rates over the nights.
void board_by_night(std::string& page, const std::vector<HistoryNight>&);
void night_bars(std::string& page, const std::vector<const HistoryNight*>& oldest_first);

/// One of the places of a kind, and how much of what was there failed.
struct GridPlace {
  uint32_t number = 0;
  uint64_t all = 0, bad = 0;
};
/// A square a place, redder the more of it failed.
void place_grid(std::string& page, std::string_view kind, const std::vector<GridPlace>&);
/// Where failures of a cause are: sentences and grids.
void places(std::string& page, const Results&, const Cause&);
/// The rarest defect that so many cases would have shown, as a bar with its number.
std::string sensitivity(uint64_t cases);
void published(std::string& page, const Results&);  ///< what others measured; none: no section
void findings(std::string& page, const Results&);
void waivers(std::string& page, const Results&);
void environment(std::string& page, const Results&);

/// Begins a page of its own, by the same hand as report.html, and ends it.
std::string page_head(std::string_view title, std::string_view heading);
inline constexpr std::string_view page_end = "</main></body></html>\n";
/// A cause in two lines, for pages that have no failures to lead to.
void cause_line(std::string& page, Verdict, std::string_view words, std::string_view counts,
                std::string_view replay);

/// Every rule that applies to a device of the run, or that a property lists or counts: in one order, each
/// once.
struct RuleOnDevices {
  RuleCount rule;
  std::vector<RuleCount> on;        ///< one a device: counts summed over its properties
  std::vector<bool> listed;         ///< a property of that device exercises it
  std::vector<bool> only_declined;  ///< and each such property was declined
  std::vector<bool> applies;        ///< to the architecture of that device
};
std::vector<RuleOnDevices> rules_on_devices(const Results&);

}  // namespace assay::report::html

namespace assay::report {

/// The report of a results file as write_html writes it: the same bytes whenever and wherever it is made.
/// Throws std::runtime_error with one sentence where the file cannot be read.
std::string html_text(const std::filesystem::path& db);

}  // namespace assay::report
