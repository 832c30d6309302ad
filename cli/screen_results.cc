// SPDX-License-Identifier: Apache-2.0
#include "cli/screen_results.h"

#include <algorithm>
#include <cstdio>

#include "generators/screen/screens.h"
#include "reports/telemetry.h"

namespace assay::cli {
namespace {

static_assert(report::load_done == gen::screen_done &&
              report::load_nanoseconds == gen::screen_done_names[2] &&
              report::load_clocks == gen::screen_done_names[3]);

/// The samples of one gauge follow its two lines, as the format asks.
class Gauge {
 public:
  Gauge(std::string& text, const char* name, const char* help) : text_(text), name_(name) {
    text_ += "# HELP " + name_ + " " + help + "\n# TYPE " + name_ + " gauge\n";
  }
  void add(const std::string& labels, double value) {
    char number[40];
    std::snprintf(number, sizeof number, "%.17g", value);
    text_ += name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + number + "\n";
  }

 private:
  std::string& text_;
  const std::string name_;
};

std::string metric_label(const char* name, const std::string& value) {
  std::string text = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text + "\"";
}

std::string board_labels(const report::DeviceResult& device) {
  return metric_label("device", device.info.spec) + "," + metric_label("name", device.info.name) + "," +
         metric_label("uuid", device.info.uuid);
}

template <typename Value>
void add_loads(std::string& text, const report::Results& results, const char* name, const char* help,
               const Value& value) {
  Gauge gauge(text, name, help);
  for (const report::DeviceResult& device : results.devices)
    for (const report::PropertyResult& property : device.properties)
      gauge.add(board_labels(device) + "," + metric_label("load", property.info.name), value(property));
}

uint64_t failing_cases(const report::PropertyResult& property) {
  uint64_t count = 0;
  for (const report::FailureGroup& group : property.failures) count += group.count;
  return count;
}

void add_places(std::string& text, const report::Results& results) {
  Gauge gauge(text, "assay_screen_multiprocessor_failing_cases",
              "Cases of the last screen that a multiprocessor got wrong; of others there is no line.");
  for (const report::DeviceResult& device : results.devices)
    for (const report::PropertyResult& property : device.properties)
      for (const report::PlaceRow& place : property.places)
        if (place.failing != 0)
          gauge.add(board_labels(device) + "," + metric_label("load", property.info.name) + "," +
                        metric_label("multiprocessor", std::to_string(place.sm)),
                    static_cast<double>(place.failing));
}

template <typename Value>
void add_telemetry(std::string& text, const report::Results& results, const TelemetryByBoard& telemetry,
                   const char* name, const char* help, const Value& value) {
  Gauge gauge(text, name, help);
  for (const report::DeviceResult& device : results.devices)
    if (const auto of = telemetry.find(device.info.spec); of != telemetry.end() && !of->second.empty())
      gauge.add(board_labels(device), value(of->second));
}

}  // namespace

LoadResult load_result(const report::PropertyResult& property) {
  LoadResult made;
  for (const report::PlaceRow& place : property.places) made.multiprocessors += place.cases != 0;
  for (const report::CoverageCell& cell : property.coverage) {
    if (cell.cell.ends_with("planted") && !cell.cell.ends_with("nothing planted")) made.planted += cell.count;
    if (cell.dimension != gen::screen_done) continue;
    double* const to[] = {&made.compared_each, &made.multiplied_each, &made.nanoseconds, &made.clocks};
    for (size_t i = 0; i < std::size(to); ++i)
      if (cell.cell == gen::screen_done_names[i]) *to[i] += static_cast<double>(cell.count);
  }
  return made;
}

std::string screen_metrics(const report::Results& results, const TelemetryByBoard& telemetry, int exit_code,
                           double seconds) {
  std::string text;
  Gauge(text, "assay_screen_exit_code",
        "Exit code of the last screen: 0 passed, 1 a board failed, others could "
        "not run.")
      .add("", exit_code);
  Gauge(text, "assay_screen_end_timestamp_seconds", "When the last screen ended, in seconds since 1970.")
      .add("", seconds);
  add_loads(text, results, "assay_screen_cases", "Cases of a load that the last screen judged.",
            [](const auto& load) { return static_cast<double>(load.cases()); });
  add_loads(text, results, "assay_screen_failing_cases", "Cases of a load that failed in the last screen.",
            [](const auto& load) { return static_cast<double>(failing_cases(load)); });
  add_loads(text, results, "assay_screen_planted_faults", "Faults that the last screen planted in a load.",
            [](const auto& load) { return static_cast<double>(load_result(load).planted); });
  add_loads(text, results, "assay_screen_multiprocessors",
            "Multiprocessors that ran a load in the last screen.",
            [](const auto& load) { return static_cast<double>(load_result(load).multiprocessors); });
  add_loads(text, results, "assay_screen_compared_words",
            "32-bit words of a load that the last screen compared on each multiprocessor.",
            [](const auto& load) { return load_result(load).compared_each; });
  add_places(text, results);
  using Samples = std::vector<cuda::TelemetrySample>;
  add_telemetry(text, results, telemetry, "assay_screen_energy_joules",
                "Energy that a board took in the last screen.", [](const Samples& s) {
                  return static_cast<double>(s.back().millijoules - s.front().millijoules) * 1e-3;
                });
  add_telemetry(text, results, telemetry, "assay_screen_highest_power_watts",
                "Highest power of a board in the last screen.", [](const Samples& s) {
                  return std::ranges::max_element(s, {}, &cuda::TelemetrySample::milliwatts)->milliwatts *
                         1e-3;
                });
  add_telemetry(
      text, results, telemetry, "assay_screen_highest_temperature_celsius",
      "Highest temperature of a board in the last screen.", [](const Samples& s) {
        return static_cast<double>(std::ranges::max_element(s, {}, &cuda::TelemetrySample::celsius)->celsius);
      });
  return text;
}

}  // namespace assay::cli
