// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suites/scalar/compare.h"
#include "suites/scalar/form.h"

namespace assay::suites::scalar {

nlohmann::json to_json(const Tally& tally);
Tally tally_from_json(const nlohmann::json& json);

/// What the scalar oracle runs: the same random programs on two drivers.
struct OracleOptions {
  std::string left = "emulator",
              right = "cuda:0";  ///< device specs; "emulator" alone takes right's architecture
  uint64_t programs = 1'000'000, seed = 1, first_module = 0;
  uint32_t kernels = 33;  ///< a module
  int jobs = 0;           ///< processes, each assembling and comparing modules of its own; 0: one a core
  double seconds = 540;   ///< after which no further module begins
  std::vector<gen::scalar::Family> families;  ///< empty: all
};

struct OracleRun {
  Tally tally;
  std::vector<std::string> left_out;  ///< forms that no program can hold
  std::vector<std::string> failures;  ///< processes that ended early, and why
  uint64_t modules_wanted = 0;
  double seconds = 0;
};

/// Forks before it opens a driver, so it must be called from a process that has not opened one.
OracleRun run_oracle(const OracleOptions& options);

/// Everything, for a file; and what fits on a screen.
std::string full_report(const OracleOptions& options, const OracleRun& run);
std::string summary(const OracleOptions& options, const OracleRun& run);

}  // namespace assay::suites::scalar
