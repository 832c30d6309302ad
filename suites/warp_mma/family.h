// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// wgmma, dense and sparse.
const Family& wgmma_family();
/// mma.sync and mma.sp.
const Family& mma_sync_family();
/// The same with a .kind.
const Family& mma_sync_kind_family();

}  // namespace assay::suites
