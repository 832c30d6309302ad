// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/sqlite.h"

namespace assay::report {

struct Results;

/// What a results file says of each of its devices.
std::vector<NightRow> nights_of(const Results&);

/// In the order of their start, each run once on a device: of two states of one run (it was resumed in
/// between) the later one. The order in which they are given makes no difference.
std::vector<NightRow> united(std::vector<NightRow>);

/// Cases that conform in two nights on one device, with other output bits.
struct OtherBits {
  std::string property;
  std::string cases;    ///< "all 4,096 cases", "cases 0 to 65,535"
  std::string between;  ///< what else changed: "driver 580.1, now 590.1"; empty: neither driver nor assay
};

/// A night against the one before it on the same device, of the same shards.
struct SinceBefore {
  size_t before = 0;                     ///< position of the earlier one
  std::vector<std::string> fresh, gone;  ///< failure signatures; what did not run this time is not gone
  std::vector<std::string> unseen;       ///< perhaps by chance, each with how often it was expected
  std::vector<OtherBits> other_bits;
};

/// A night with what changed.
struct HistoryNight {
  NightRow night;
  std::optional<SinceBefore> since;  ///< none: the first of its device and shards
};

/// Nights in order with what changed from each to the next: everything that is said about history is from
/// here.
std::vector<HistoryNight> compared(std::vector<NightRow> in_order);

/// What came before a results file's own nights on any device, and those: `stored` without the file's own
/// runs and without what began later. Empty where nothing is stored.
std::vector<HistoryNight> history_of(const Results&, std::vector<NightRow> stored);

/// "tma.tiled.load, all 4,096 cases (driver 580.1, now 590.1)"
std::string other_bits_words(const OtherBits&);

uint64_t cases_of(const NightRow&);       ///< with a verdict from the device
uint64_t conforming_of(const NightRow&);  ///< those of them that conform

/// Earlier nights as a results file stores them. They belong to the file, not to one of its runs.
/// None where the file is older than these tables.
std::vector<NightRow> read_nights(Database&);

/// In place of those that it had. In a transaction of the caller's.
void write_nights(Database&, const std::vector<NightRow>&);

}  // namespace assay::report
