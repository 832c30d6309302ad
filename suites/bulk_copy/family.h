// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "reference/model/bulk_copy/case.h"
#include "reference/model/rig.h"
#include "suites/run/family.h"

namespace assay::suites {

/// Bulk copies and reductions without a map.
const Family& bulk_copy_family();
/// The same of clusters of 16 CTAs: a family of its own, since a device may have no room for them.
const Family& bulk_copy_non_portable_family();

/// The units that fill memory in front of a reduction: edge values of the type, values near each other, and
/// any bits.
std::array<uint64_t, rig::bulk_pool_units> bulk_pool(const BulkCase&);

}  // namespace assay::suites
