// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/layout/tmem.h"

namespace assay::layout {

/// A box of the data-path figures: rows of D (and of A) that lie in consecutive lanes, with one of the equal
/// parts into which the columns of D are cut. In the layouts that use half of the lanes these are the lower
/// halves.
struct LaneRange {
  DLayout layout;
  int cta;
  int first_row, rows;  ///< of the matrix, both CTAs counted
  int part;             ///< of the columns
  int first_lane;
};
// clang-format off
inline constexpr LaneRange lane_ranges[] = {
    // M = 256, one CTA the upper 128 rows, the other the lower
    {DLayout::a, 0,   0, 128, 0,  0},
    {DLayout::a, 1, 128, 128, 0,  0},
    // M = 128 over two CTAs, dense: the right half of the columns below the left one
    {DLayout::b, 0,   0,  64, 0,  0},
    {DLayout::b, 0,   0,  64, 1, 64},
    {DLayout::b, 1,  64,  64, 0,  0},
    {DLayout::b, 1,  64,  64, 1, 64},
    // M = 128 over two CTAs, sparse: 16 rows in each warp's lanes
    {DLayout::c, 0,   0,  16, 0,  0},
    {DLayout::c, 0,  16,  16, 0, 32},
    {DLayout::c, 0,  32,  16, 0, 64},
    {DLayout::c, 0,  48,  16, 0, 96},
    {DLayout::c, 1,  64,  16, 0,  0},
    {DLayout::c, 1,  80,  16, 0, 32},
    {DLayout::c, 1,  96,  16, 0, 64},
    {DLayout::c, 1, 112,  16, 0, 96},
    // M = 128
    {DLayout::d, 0,   0, 128, 0,  0},
    // M = 64, .ws
    {DLayout::e, 0,   0,  64, 0,  0},
    {DLayout::e, 0,   0,  64, 1, 64},
    // M = 64
    {DLayout::f, 0,   0,  16, 0,  0},
    {DLayout::f, 0,  16,  16, 0, 32},
    {DLayout::f, 0,  32,  16, 0, 64},
    {DLayout::f, 0,  48,  16, 0, 96},
    // M = 32, .ws: a quarter of the columns for each warp
    {DLayout::g, 0,   0,  32, 0,  0},
    {DLayout::g, 0,   0,  32, 1, 32},
    {DLayout::g, 0,   0,  32, 2, 64},
    {DLayout::g, 0,   0,  32, 3, 96},
};
// clang-format on

}  // namespace assay::layout
