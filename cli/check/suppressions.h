// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/check/findings.h"

namespace assay::cli::check {

/// A line of a suppression file: a clause and where it is known.
struct Suppression {
  std::string clause;  ///< pattern
  std::string place;   ///< pattern on "file:line" of the source, "kernel:line" of the PTX, or the kernel
  uint32_t line;       ///< of the file
  bool is_used = false;
};

/// Reads a suppression file: a line has a clause, blanks, and a place; '#' begins a comment. Throws
/// UsageError with one sentence naming the line.
std::vector<Suppression> read_suppressions(std::string_view text, const std::string& file);

/// Takes what a file suppresses out of the findings: a finding whose places are all suppressed is marked, of
/// others only those places stay that are not.
void suppress(std::vector<Finding>& findings, std::vector<Suppression>& suppressions);

/// How a place is spelt in a suppression file, and by compilers: "gemm.cu:120", or "kernel:42" of the PTX.
std::string spelling(const Place& place);

}  // namespace assay::cli::check
