// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Programs of commands: of barriers, or of tensor memory.
const Family& sequence_family();

}  // namespace assay::suites
