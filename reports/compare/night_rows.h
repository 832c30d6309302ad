// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "reports/record.h"
#include "reports/sqlite.h"

namespace assay::report {

/// Earlier nights as a results file stores them. They belong to the file, not to one of its runs.
/// None where the file is older than these tables.
std::vector<NightRow> read_nights(Database&);

/// In place of those that it had. In a transaction of the caller's.
void write_nights(Database&, const std::vector<NightRow>&);

}  // namespace assay::report
