// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Products by the pipeline of TMA, tcgen05.mma and stores.
const Family& gemm_family();

}  // namespace assay::suites
