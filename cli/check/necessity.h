// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/check/child.h"
#include "cli/check/findings.h"

namespace assay::cli::check {

/// A run of the program in which all orders of its launches were looked for.
struct ExploredRun {
  ChildEnd end;
  Findings findings;
};

/// What becomes of a program without one instruction that only synchronises.
struct Necessity {
  Place place;      ///< of the instruction
  std::string why;  ///< what goes wrong without it; empty: nothing did
  uint64_t orders = 0;
  std::string why_not_all;  ///< orders, as a clause
};

/// Results that differ between two runs with the same instructions, as of a program that takes random
/// numbers, say nothing.
void forget_what_varies(ExploredRun& with, const ExploredRun& again);

/// How the run without the instruction differs from the one with it, as a clause, or nothing.
std::string difference(const ExploredRun& with, const ExploredRun& without);

/// A line for each instruction, and one at the end.
std::string necessity_table(const std::vector<Necessity>& all);

}  // namespace assay::cli::check
