// SPDX-License-Identifier: Apache-2.0
#include "reports/overview.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "reports/text.h"
#include "reports/words.h"

namespace assay::report {

uint64_t cases_of(const DeviceResult& device) {
  uint64_t cases = 0;
  for (const PropertyResult& property : device.properties) cases += property.cases();
  return cases;
}

uint64_t cases_of(const Results& results) {
  uint64_t cases = 0;
  for (const DeviceResult& device : results.devices) cases += cases_of(device);
  return cases;
}

CoverageSum& CoverageSum::operator+=(const CoverageSum& other) {
  hit += other.hit, reachable += other.reachable, with_gaps += other.with_gaps;
  return *this;
}

CoverageSum coverage_of(const PropertyResult& property) {
  CoverageSum sum;
  if (property.verdict == Verdict::declined) return sum;
  for (const CoverageCell& cell : property.coverage)
    if (cell.reachable) ++sum.reachable, sum.hit += cell.count != 0;
  sum.with_gaps = sum.hit != sum.reachable;
  return sum;
}

CoverageSum coverage_of(const DeviceResult& device) {
  CoverageSum sum;
  for (const PropertyResult& property : device.properties) sum += coverage_of(property);
  return sum;
}

CoverageSum coverage_of(const Results& results) {
  CoverageSum sum;
  for (const DeviceResult& device : results.devices) sum += coverage_of(device);
  return sum;
}

std::string coverage_line(const CoverageSum& sum) {
  if (sum.reachable == 0) return {};
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.1f %%",
                100 * static_cast<double>(sum.hit) / static_cast<double>(sum.reachable));
  return grouped(sum.hit, ",") + " of " + grouped(sum.reachable, ",") + " reachable coverage cells hit (" +
         percent + ")";
}

std::vector<Area> areas_of(const DeviceResult& device, double share) {
  std::vector<Area> areas;
  for (size_t p = 0; p < device.properties.size(); ++p) {
    const PropertyResult& property = device.properties[p];
    const std::string name = property.info.name.substr(0, property.info.name.find('.'));
    auto at = std::find_if(areas.begin(), areas.end(), [&](const Area& area) { return area.name == name; });
    if (at == areas.end())
      at = areas.insert(areas.end(), Area{.name = name, .properties = {}, .coverage = {}});
    at->properties.push_back(p);
    ++at->counts[static_cast<size_t>(property.verdict)];
    at->verdict = worse(at->verdict, property.verdict);
    at->cases += property.cases();
    at->seconds += seconds_ran(property, share);
    at->coverage += coverage_of(property);
  }
  return areas;
}

double seconds_ran(const PropertyResult& property, double share) {
  return (property.totals.device_busy_seconds + property.totals.host_busy_seconds) * share;
}

double running_share(const Results& results) {
  double taken = 0, busy = 0;
  for (const RunInfo& run : results.runs) taken += run.seconds;
  if (!(taken > 0)) taken = std::max(0.0, seconds_taken(results));
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) busy += seconds_ran(property, 1);
  return busy > taken ? taken / busy : 1;
}

std::vector<Skips> skips_of(const DeviceResult& device) {
  std::vector<Skips> skips;
  for (size_t p = 0; p < device.properties.size(); ++p) {
    if (device.properties[p].verdict != Verdict::declined) continue;
    const std::string reason = outcome(device.properties[p]);
    auto at =
        std::find_if(skips.begin(), skips.end(), [&](const Skips& one) { return one.reason == reason; });
    if (at == skips.end()) at = skips.insert(skips.end(), Skips{reason, {}});
    at->properties.push_back(p);
  }
  std::stable_sort(skips.begin(), skips.end(),
                   [](const Skips& a, const Skips& b) { return a.properties.size() > b.properties.size(); });
  return skips;
}

std::string title(const Cause& cause) {
  if (cause.suspects.empty()) return cause.words.starts_with("unexplained") ? "unexplained" : "";
  return shortened(well_formed(cause.words), 300);
}

std::vector<std::string> places_of(const Cause& cause, const Results& results) {
  const size_t device = cause.places.front().device;
  std::set<size_t> properties;
  for (const FailurePlace& at : cause.places)
    if (at.device == device) properties.insert(at.property);
  return where_it_fails(results.devices[device], properties);
}

}  // namespace assay::report
