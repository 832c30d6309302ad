// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// The same cases, answered by ptxas and by the driver's compiler.
const Family& assembler_ptxas_family();
const Family& assembler_driver_family();

}  // namespace assay::suites
