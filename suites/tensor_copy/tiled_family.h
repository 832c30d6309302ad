// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

namespace assay::suites {

/// Tensor copies through tiled maps.
const Family& tiled_copy_family();
/// Loads with .cta_group: a family of its own, since a device may lack them.
const Family& tiled_cta_group_family();
/// Loads of clusters of 16 CTAs: a family of its own, since a device may have no room for them.
const Family& tiled_non_portable_family();
/// cuTensorMapEncodeTiled and cuTensorMapReplaceAddress.
const Family& encode_tiled_family();

}  // namespace assay::suites
