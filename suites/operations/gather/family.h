#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Copies by tile::gather4 and tile::scatter4.
const Family& gather_copy_family();

}  // namespace assay::suites
