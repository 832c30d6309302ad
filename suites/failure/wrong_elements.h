// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/failure/failure.h"

namespace assay::suites {

/// Writes into the row where the wrong elements of an output lie on the device, a picture of the output as a
/// matrix, the format of its elements, and a line of `detail` with the places. Nothing for a case whose bytes
/// were not judged.
void show_wrong_elements(const Family&, const Outcome&, report::CaseRow&);

}  // namespace assay::suites
