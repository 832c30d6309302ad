// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/family.h"

/// Tensor copies. Operations of their own are those that a device may lack, or that it may have no room for.
namespace assay::suites {

/// Through tiled maps: without .cta_group, the same in clusters of 16 CTAs too, and loads with .cta_group.
const Family& tiled_copy_family();
const Family& tiled_non_portable_family();
const Family& tiled_cta_group_family();

/// By tile::gather4 and tile::scatter4, and the same in clusters of 16 too.
const Family& gather_copy_family();
const Family& gather_non_portable_family();

/// In mode im2col without .cta_group, and the same in clusters of 16 too.
const Family& im2col_copy_family();
const Family& im2col_non_portable_family();
/// Loads in modes im2col::w and im2col::w::128, in mode im2col with .cta_group, and what other instructions
/// do through a map of the wide encoder.
const Family& im2col_wide_copy_family();

}  // namespace assay::suites
