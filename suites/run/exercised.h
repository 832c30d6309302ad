// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay::suites {

/// Which rules the cases of a property exercised in a real run: on one architecture, of so many cases.
struct ExercisedRow {
  std::string_view property, architecture;
  uint64_t cases;
  std::string_view counts;  ///< "TILE-R01:96 TILE-R02:17"
};

/// One of those counts.
struct ExercisedRule {
  std::string_view rule;
  uint64_t cases;
};

/// The rows of suites/run/exercised/, a file an area, which exercised_test.cc holds to be true. Made by
///   for a in sm_90a sm_100a sm_103a sm_120a; do
///     assay run --device emulator:$a --seed 1 --cases 128 --out all-$a
///     assay run 'tma.tiled.*' --device emulator:$a --seed 1 --cases 4000 --out tma-$a
///     assay run 'driver.*' --device emulator:$a --seed 1 --cases 100000 --out driver-$a
///   done
///   assay exercised all-*/results.db tma-*/results.db driver-*/results.db --table suites/run/exercised
/// or, of some areas, by runs of all of their properties.
std::span<const ExercisedRow> exercised_rows();
std::vector<ExercisedRule> rules_of(const ExercisedRow&);

/// On any architecture, in the order of the table of rules.
std::vector<std::string_view> rules_exercised_by(std::string_view property);

}  // namespace assay::suites
