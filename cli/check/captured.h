// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::cli::check {

/// How a program ended, and what it said.
struct Captured {
  int error = 0;     ///< errno, where it could not be started
  int status = 0;    ///< as waitpid gives it
  std::string text;  ///< standard output and error
};

/// Runs a program to its end; the first word is looked up in PATH.
Captured run_captured(const std::vector<std::string>& command);

}  // namespace assay::cli::check
