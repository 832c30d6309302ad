// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Bulk copies and reductions without a map.
const Family& bulk_copy_family();
/// The same of clusters of 16 CTAs: a family of its own, since a device may have no room for them.
const Family& bulk_copy_non_portable_family();

}  // namespace assay::suites
