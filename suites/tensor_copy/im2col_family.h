// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/encode_im2col.h"
#include "reference/model/tensor_copy/im2col_case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// Calls of the im2col encoders. The wide one is a family of its own, since a driver may lack it.
const Family& encode_im2col_family();
const Family& encode_im2col_wide_family();

/// Copies in im2col mode.
const Family& im2col_copy_family();
/// The same in clusters of 16 too: a family of its own, since a device may have no room for one.
const Family& im2col_non_portable_family();
/// Loads in modes im2col::w and im2col::w::128: a family of its own, since a device may lack them.
const Family& im2col_wide_copy_family();

params::EncodeIm2colArgs to_args(const Im2colMapArgs&);

}  // namespace assay::suites
