// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// cuTensorMapEncodeTiled and cuTensorMapReplaceAddress.
const Family& encode_tiled_family();
/// Calls of the im2col encoders. The wide one is an operation of its own, since a driver may lack it.
const Family& encode_im2col_family();
const Family& encode_im2col_wide_family();

}  // namespace assay::suites
