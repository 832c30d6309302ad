// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// tcgen05.mma with all its kinds, .ws and .sp among them.
const Family& tcgen05_mma_family();

}  // namespace assay::suites
