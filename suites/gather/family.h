#pragma once

#include "suites/family.h"

namespace assay::suites {

/// Copies by tile::gather4 and tile::scatter4.
const Family& gather_copy_family();

}  // namespace assay::suites
