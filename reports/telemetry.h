// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sqlite.h"

namespace assay::report {

struct DeviceResult;

/// A board at one moment of a screen. What its management library does not tell is 0.
struct TelemetryRow {
  double seconds = 0;  ///< since the first row
  uint32_t milliwatts = 0, sm_mhz = 0, memory_mhz = 0, celsius = 0;
  uint64_t millijoules = 0;  ///< since some moment before
  uint64_t throttle = 0;     ///< nvmlClocksEventReasons
  uint64_t uncorrected = 0;  ///< errors of memory that ECC did not correct, since some moment before
};

/// A wrong result of a screen, on the axis of the rows.
struct TelemetryMark {
  double seconds = 0;
  std::string words;
};

/// Adds them to the device of that spec in a results file of one run, whose tables for them are made when
/// they are first needed.
void add_telemetry(const std::filesystem::path& db, const std::string& spec,
                   const std::vector<TelemetryRow>& rows, const std::vector<TelemetryMark>& marks);
/// Of a device by its id; empty where the file has none.
void read_telemetry(Database& db, int64_t device, std::vector<TelemetryRow>& rows,
                    std::vector<TelemetryMark>& marks);

/// Mean power in watts over the rows, by the energy that was taken; 0 where that is not known.
double mean_watts(const std::vector<TelemetryRow>& rows);

/// Coverage cells that tell how long a multiprocessor ran the cases of a load.
inline constexpr std::string_view load_done = "on each multiprocessor", load_nanoseconds = "nanoseconds",
                                  load_clocks = "clocks";

/// A screen of a board among others in time.
struct ScreenNight {
  std::string board;  ///< its serial number; its UUID where that is not known
  std::string started_utc, spec;
  double watts = 0, clock_mhz = 0;  ///< means; the clock is that of the multiprocessors under load
  uint32_t celsius = 0;             ///< at most
  uint64_t failing = 0;             ///< cases
};
/// Of the files that hold telemetry, by board and then by time. What cannot be read is left out.
std::vector<ScreenNight> screens_in(const std::vector<std::filesystem::path>& files);
/// What moved from the screens of its board before, in words: the clock by more than 2 %, power by more than
/// 5 %, any mismatch; empty: nothing. `before` are those, in order.
std::string moved_words(const std::vector<ScreenNight>& before, const ScreenNight& now);
/// A line for each, below it what moved; empty without screens.
std::string screens_text(const std::vector<ScreenNight>& screens);

}  // namespace assay::report
