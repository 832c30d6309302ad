// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/encode_im2col.h"
#include "reference/model/tensor_map/case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// cuTensorMapEncodeTiled and cuTensorMapReplaceAddress.
const Family& encode_tiled_family();
/// Calls of the im2col encoders. The wide one is an operation of its own, since a driver may lack it.
const Family& encode_im2col_family();
const Family& encode_im2col_wide_family();

params::EncodeIm2colArgs to_args(const Im2colMapArgs&);

}  // namespace assay::suites
