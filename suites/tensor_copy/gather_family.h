// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Copies by tile::gather4 and tile::scatter4.
const Family& gather_copy_family();
/// The same in clusters of 16 too: a family of its own, since a device may have no room for one.
const Family& gather_non_portable_family();

}  // namespace assay::suites
