// SPDX-License-Identifier: Apache-2.0
#include "suites/run/budget.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "suites/run/host_load.h"

namespace assay::suites {
namespace {

using Clock = std::chrono::steady_clock;

/// Seconds of a core that a case takes on the emulator, about: the mean of all properties is half of it.
constexpr double emulated_case = 0.005;
/// Seconds that the first cases of a property take on a GPU: its module is loaded, and nothing else is in
/// flight.
constexpr double first_on_silicon = 0.05;

/// Of one device, the properties whose cases end no process.
double plain_seconds(const Device& device) {
  const DeviceIdentity& identity = device.identity();
  const bool copies = identity.sacrifices == identity.processes;
  return copies ? first_dozen * emulated_case / identity.processes : first_on_silicon;
}

std::string in_words(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6gs", 1e-3 * static_cast<double>(time.count()));
  return text;
}

}  // namespace

Clock::duration late(const Late& by, const RunOptions& options) {
  const double budget = options.budget ? 1e-3 * static_cast<double>(options.budget->count()) : 0;
  const std::chrono::duration<double> seconds(host_stretch() * (by.seconds + by.share * budget));
  return std::chrono::duration_cast<Clock::duration>(seconds);
}

Clock::duration reserve(Clock::duration whole) {
  return std::clamp<Clock::duration>(whole / 10, std::chrono::seconds(2), std::chrono::seconds(90));
}

Clock::duration kept_for_failures(const RunOptions& options) {
  return options.budget ? std::min<Clock::duration>(options.shrink_time, *options.budget / 10)
                        : Clock::duration::zero();
}

std::optional<Clock::time_point> last_moment(const Late& by, const RunOptions& options,
                                             Clock::time_point start,
                                             std::optional<Clock::time_point> cases_until,
                                             std::optional<Clock::time_point> over_by) {
  if (!cases_until) return std::nullopt;
  const Clock::time_point last = *cases_until + late(by, options);
  return over_by ? std::min(last, *over_by - reserve(*over_by - start) / 2) : last;
}

std::chrono::milliseconds least_budget(std::span<const std::unique_ptr<Device>> devices,
                                       std::span<const Property* const> properties) {
  double most = 0;
  for (const auto& device : devices) {
    const auto arch = spec::parse_arch(device->identity().architecture).value_or(spec::Arch::sm_90);
    double plain = 0, sacrifices = 0;
    for (const Property* property : properties) {
      const std::string_view family = property->family().name();
      if (device->declines(family) || (property->declines != nullptr && property->declines(arch))) continue;
      if (property->is_sacrificial())
        sacrifices += first_dozen * device->sacrifice_seconds(family);
      else
        plain += plain_seconds(*device);
    }
    most = std::max(most, plain + static_cast<double>(devices.size()) * sacrifices);
  }
  return std::chrono::milliseconds(100 * static_cast<int64_t>(std::ceil(10 * most - 1e-6)));
}

void settle_budget(RunOptions& options, std::span<const std::unique_ptr<Device>> devices,
                   std::span<const Property* const> properties) {
  if (!options.budget || options.resume) return;
  const std::chrono::milliseconds least = least_budget(devices, properties);
  if (*options.budget >= least) return;
  if (options.lengthens_budget) {
    options.budget = least;
    return;
  }
  throw BudgetTooShort(in_words(*options.budget) + " is too short for a dozen cases of every property; " +
                       in_words(least) + " would do, and --budget least takes that");
}

}  // namespace assay::suites
