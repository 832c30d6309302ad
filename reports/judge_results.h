// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/results.h"

namespace assay::report {

/// A property as one run left it: what was planned and has no verdict is not-run or incomplete, and why.
void settle_counts(PropertyResult&, bool run_finished);

/// From the counts of properties to their verdicts, those of devices and of the whole, and to the exit code.
void judge_results(Results&);

/// Devices of one architecture and evidence that ran the same cases, three at least: for each that does what
/// most others do not, a sentence with the properties in question. What decides is how a property fails and,
/// of as many cases, the fingerprint of its output.
std::vector<std::string> odd_ones_out(const Results&);

}  // namespace assay::report
