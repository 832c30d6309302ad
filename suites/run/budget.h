// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "devices/device.h"
#include "suites/run/conductor.h"
#include "suites/run/property.h"

namespace assay::suites {

/// The budget in which every property that the devices can run has its first dozen of cases, about, of a host
/// that has nothing else to do.
std::chrono::milliseconds least_budget(std::span<const std::unique_ptr<Device>> devices,
                                       std::span<const Property* const> properties);

/// How long something may go on when a budget is over, of a host that has nothing else to do: so many
/// seconds, and a share of the budget.
struct Late {
  double seconds, share;
};
/// The whole run is over 5 s and a twentieth of its budget late, with its report. Until these moments: cases
/// of properties that had none; what is under way comes back from the device; failures are looked at.
inline constexpr Late late_start{1, 0.01}, late_cases{2.5, 0.02}, late_looks{3, 0.03};
/// By how busy the host is now.
std::chrono::steady_clock::duration late(const Late&, const RunOptions&);

/// Of a run with a deadline, what is kept for repeating, shrinking and the report.
std::chrono::steady_clock::duration reserve(std::chrono::steady_clock::duration whole);
/// Of a budget, once a case has failed.
std::chrono::steady_clock::duration kept_for_failures(const RunOptions&);

/// When that has to be over of a run that takes cases until a moment, if it does, and is all over by another.
std::optional<std::chrono::steady_clock::time_point> last_moment(
    const Late&, const RunOptions&, std::chrono::steady_clock::time_point start,
    std::optional<std::chrono::steady_clock::time_point> cases_until,
    std::optional<std::chrono::steady_clock::time_point> over_by);

/// Raises a budget to the least where the options say so. Throws BudgetTooShort for another that is too
/// short.
void settle_budget(RunOptions&, std::span<const std::unique_ptr<Device>> devices,
                   std::span<const Property* const> properties);

}  // namespace assay::suites
