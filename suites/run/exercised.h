// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suites/run/property.h"

namespace assay::suites {

/// Cases of a property that are predicted for each architecture.
constexpr uint64_t most_counted = 128;

/// Ids of the rules that the first cases of seed 1 exercise on any architecture, in the order of the table of
/// rules. Rules that only rarer cases exercise are missing; a run counts those of all its cases.
std::vector<std::string> rules_exercised_by(const Property&);

/// Whether that list has the rule of this index.
bool exercises(const Property&, size_t rule);

}  // namespace assay::suites
