// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results.h"

namespace assay::report {

/// A property as one run left it: what was planned and has no verdict is not-run or incomplete, and why.
void settle_counts(PropertyResult&, bool run_finished);

/// From the counts of properties to their verdicts, those of devices and of the whole, and to the exit code.
void judge_results(Results&);

}  // namespace assay::report
