// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/model/mma/case.h"

namespace assay::suites {

/// A case of tcgen05.mma as named fields in reading order.
std::vector<std::pair<std::string, std::string>> mma_fields(const Tcgen05MmaCase&);
/// " f16 e4m3*e5m2 128x64x32 ws": for one line.
std::string mma_brief(const Tcgen05MmaCase&);
/// What failures of one cause tend to share.

}  // namespace assay::suites
