// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "reference/model/bulk_copy/case.h"
#include "reference/model/rig.h"

namespace assay::suites {

/// The units that fill memory in front of a reduction: edge values of the type, values near each other, and
/// any bits.
std::array<uint64_t, rig::bulk_pool_units> bulk_pool(const BulkCase&);

}  // namespace assay::suites
