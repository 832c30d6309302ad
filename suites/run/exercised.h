// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suites/run/property.h"

namespace assay::suites {

/// Cases of a property that are predicted for each architecture: to describe it, and for the list in a
/// results file or of all properties, which must not hold up a run (the run counts the rules of all its
/// cases).
constexpr uint64_t most_counted = 32, most_listed = 16;

/// Ids of the rules that the first cases of seed 1 exercise on any architecture, in the order of the table of
/// rules. Rules that only rarer cases exercise are missing.
std::vector<std::string> rules_exercised_by(const Property&, uint64_t cases);

/// Whether most_counted cases exercise the rule of this index.
bool exercises(const Property&, size_t rule);

}  // namespace assay::suites
