// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// tcgen05.ld and tcgen05.st.
const Family& tmem_access_family();

}  // namespace assay::suites
