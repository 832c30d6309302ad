// SPDX-License-Identifier: Apache-2.0
#include "reports/telemetry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <tuple>

#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/tables.h"
#include "reports/text.h"

namespace assay::report {
namespace {

constexpr const char* has_telemetry = "SELECT COUNT(*) FROM sqlite_master WHERE name='telemetry'";

/// Whether now is more than a share off.
bool is_off(double now, double before, double share) {
  return before > 0 && now > 0 && std::abs(now / before - 1) > share;
}

std::string moved(const char* what, const char* unit, double before, double now) {
  char text[120];
  std::snprintf(text, sizeof text, "%s %.0f %s, before %.0f %s (%+.1f %%)", what, now, unit, before, unit,
                100 * (now / before - 1));
  return text;
}

ScreenNight night_of(const Results& results, const DeviceResult& device) {
  ScreenNight night{device.info.uuid.empty() ? device.info.spec : device.info.uuid, results.run.started_utc,
                    device.info.spec, mean_watts(device.telemetry)};
  for (const auto& [name, value] : device.info.facts)
    if (name == "serial") night.board = value;
  for (const TelemetryRow& row : device.telemetry) night.celsius = std::max(night.celsius, row.celsius);
  double nanoseconds = 0, clocks = 0;
  for (const PropertyResult& property : device.properties) {
    for (const FailureKindRow& kind : property.kinds)
      if (fails(kind.verdict)) night.failing += kind.count;
    for (const CoverageCell& cell : property.coverage) {
      if (cell.dimension != load_done) continue;
      if (cell.cell == load_nanoseconds) nanoseconds += static_cast<double>(cell.count);
      if (cell.cell == load_clocks) clocks += static_cast<double>(cell.count);
    }
  }
  if (nanoseconds > 0) night.clock_mhz = 1e3 * clocks / nanoseconds;
  return night;
}

}  // namespace

void add_telemetry(const std::filesystem::path& file, const std::string& spec,
                   const std::vector<TelemetryRow>& rows, const std::vector<TelemetryMark>& marks) {
  open_results(file);  // only a file of ours is written to
  Database db(file, SQLITE_OPEN_READWRITE);
  Transaction transaction(db);
  db.execute(telemetry_tables);
  Statement device(db, "SELECT id FROM devices WHERE spec=?");
  if (!device.bind(spec).step())
    throw std::runtime_error(file.string() + " has no device " + spec + " that telemetry could be of");
  const int64_t id = device.integer(0);
  Statement row(db, "INSERT INTO telemetry VALUES(?,?,?,?,?,?,?,?,?,?)");
  int64_t ordinal = 0;
  for (const TelemetryRow& r : rows)
    row.bind(id, ordinal++, r.seconds, uint64_t{r.milliwatts}, uint64_t{r.sm_mhz}, uint64_t{r.memory_mhz},
             uint64_t{r.celsius}, r.millijoules, r.throttle, r.uncorrected)
        .run();
  Statement mark(db, "INSERT INTO telemetry_marks VALUES(?,?,?,?)");
  ordinal = 0;
  for (const TelemetryMark& m : marks) mark.bind(id, ordinal++, m.seconds, m.words).run();
  transaction.commit();
}

void read_telemetry(Database& db, int64_t device, std::vector<TelemetryRow>& rows,
                    std::vector<TelemetryMark>& marks) {
  if (db.number(has_telemetry) == 0) return;
  Statement row(db,
                "SELECT seconds,milliwatts,sm_mhz,memory_mhz,celsius,millijoules,throttle,uncorrected FROM "
                "telemetry WHERE device=? ORDER BY ordinal");
  row.bind(device);
  const auto narrow = [&](int column) { return static_cast<uint32_t>(row.count(column)); };
  while (row.step())
    rows.push_back(
        {row.real(0), narrow(1), narrow(2), narrow(3), narrow(4), row.count(5), row.count(6), row.count(7)});
  Statement mark(db, "SELECT seconds,words FROM telemetry_marks WHERE device=? ORDER BY ordinal");
  mark.bind(device);
  while (mark.step()) marks.push_back({mark.real(0), mark.text(1)});
}

double mean_watts(const std::vector<TelemetryRow>& rows) {
  if (rows.size() < 2 || rows.back().seconds <= rows.front().seconds) return 0;
  return static_cast<double>(rows.back().millijoules - rows.front().millijoules) * 1e-3 /
         (rows.back().seconds - rows.front().seconds);
}

std::vector<ScreenNight> screens_in(const std::vector<std::filesystem::path>& files) {
  std::vector<ScreenNight> screens;
  for (const std::filesystem::path& file : files) try {
      Database db = open_results(file);
      if (db.number(has_telemetry) == 0) continue;
      const Results results = read_results(file, {1, 1, false});
      for (const DeviceResult& device : results.devices)
        if (!device.telemetry.empty()) screens.push_back(night_of(results, device));
    } catch (const std::exception&) {
      // trend names such files.
    }
  std::sort(screens.begin(), screens.end(), [](const ScreenNight& a, const ScreenNight& b) {
    return std::tie(a.board, a.started_utc, a.spec) < std::tie(b.board, b.started_utc, b.spec);
  });
  return screens;
}

std::string moved_words(const std::vector<ScreenNight>& before, const ScreenNight& now) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  const auto median = [&](double ScreenNight::*value) {
    std::vector<double> all;
    for (const ScreenNight& night : before)
      if (night.*value > 0) all.push_back(night.*value);
    if (all.empty()) return 0.0;
    std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
    return all[all.size() / 2];
  };
  const double clock = median(&ScreenNight::clock_mhz), watts = median(&ScreenNight::watts);
  if (is_off(now.clock_mhz, clock, 0.02)) add(moved("clock", "MHz", clock, now.clock_mhz));
  if (is_off(now.watts, watts, 0.05)) add(moved("power", "W", watts, now.watts));
  const uint64_t failing = before.empty() ? 0 : before.back().failing;
  if (now.failing != failing)
    add("failing cases " + std::to_string(now.failing) + ", before " + std::to_string(failing));
  return text;
}

std::string screens_text(const std::vector<ScreenNight>& screens) {
  if (screens.empty()) return {};
  std::string text = "\n" + pad("screens of board", 43) + pad("started (UTC)", 21) + pad("mean W", 8) +
                     pad("MHz", 7) + pad("most C", 8) + "failing\n";
  std::vector<ScreenNight> before;
  for (const ScreenNight& night : screens) {
    if (!before.empty() && before.back().board != night.board) before.clear();
    char line[80];
    std::snprintf(line, sizeof line, "%-8.0f%-7.0f%-8u%llu\n", night.watts, night.clock_mhz, night.celsius,
                  static_cast<unsigned long long>(night.failing));
    text += pad(for_terminal(night.board), 43) + pad(night.started_utc, 21) + line;
    if (const std::string words = moved_words(before, night); !words.empty())
      text += "  moved: " + words + "\n";
    before.push_back(night);
  }
  return text;
}

}  // namespace assay::report
