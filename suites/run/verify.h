// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::suites {

/// What was recomputed from a results file, and what did not come out as it says.
struct Verification {
  uint64_t properties = 0;         ///< whose counts add up, or do not
  uint64_t rows = 0;               ///< failing cases, each made and predicted again
  uint64_t ranges = 0, cases = 0;  ///< of conforming cases whose fingerprints were computed again
  uint64_t ranges_left = 0;        ///< conforming ranges that were not recomputed
  uint64_t pieces = 0;             ///< of ranges, each predicted by one thread
  std::vector<std::string> wrong;  ///< one sentence each; empty: confirmed
};

/// Recomputes the verdicts of a results file from what it holds raw: case data, observed bytes, counts and
/// fingerprints. No device takes part. Of each property `most_ranges` ranges of conforming cases are
/// predicted again, by all cores; only ranges in which every case conformed can be. Throws std::runtime_error
/// with one sentence where the file cannot be read.
Verification verify_results(const std::filesystem::path& database, uint64_t most_ranges = 2);

}  // namespace assay::suites
