// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "reference/spec/cite.h"

namespace assay::layout {

/// Threads of a warp whose register `number` lies in consecutive lanes of one column: `threads` of them, from
/// `first_thread` on with `apart` between two. Columns and registers of the first repetition of the shape.
struct RegisterRun {
  uint32_t shape;  ///< index of tmem_shapes
  int first_thread, threads, apart;
  int number;
  int first_lane, column;
  bool past_split;  ///< counted from the second half of .16x32bx2
};
// clang-format off
inline constexpr RegisterRun register_runs[] = {
    // .16x64b: thread 0 top left, 1 below it, 2 and 3 to the right of both
    {0, 0,  8, 4, 0, 0, 0, false},
    {0, 1,  8, 4, 0, 8, 0, false},
    {0, 2,  8, 4, 0, 0, 1, false},
    {0, 3,  8, 4, 0, 8, 1, false},
    // .16x128b: four threads a row, the second register 8 lanes below the first
    {1, 0,  8, 4, 0, 0, 0, false},
    {1, 1,  8, 4, 0, 0, 1, false},
    {1, 2,  8, 4, 0, 0, 2, false},
    {1, 3,  8, 4, 0, 0, 3, false},
    {1, 0,  8, 4, 1, 8, 0, false},
    {1, 1,  8, 4, 1, 8, 1, false},
    {1, 2,  8, 4, 1, 8, 2, false},
    {1, 3,  8, 4, 1, 8, 3, false},
    // .16x256b: the accumulator fragment of mma.m16n8: two columns a thread, then the same 8 lanes below
    {2, 0,  8, 4, 0, 0, 0, false},
    {2, 0,  8, 4, 1, 0, 1, false},
    {2, 1,  8, 4, 0, 0, 2, false},
    {2, 1,  8, 4, 1, 0, 3, false},
    {2, 2,  8, 4, 0, 0, 4, false},
    {2, 2,  8, 4, 1, 0, 5, false},
    {2, 3,  8, 4, 0, 0, 6, false},
    {2, 3,  8, 4, 1, 0, 7, false},
    {2, 0,  8, 4, 2, 8, 0, false},
    {2, 0,  8, 4, 3, 8, 1, false},
    {2, 1,  8, 4, 2, 8, 2, false},
    {2, 1,  8, 4, 3, 8, 3, false},
    {2, 2,  8, 4, 2, 8, 4, false},
    {2, 2,  8, 4, 3, 8, 5, false},
    {2, 3,  8, 4, 2, 8, 6, false},
    {2, 3,  8, 4, 3, 8, 7, false},
    // .32x32b: a thread, a lane
    {3, 0, 32, 1, 0, 0, 0, false},
    // .16x32bx2: half of the threads each, in the same lanes
    {4, 0, 16, 1, 0, 0, 0, false},
    {4, 16, 16, 1, 0, 0, 0, true},
};
// clang-format on

}  // namespace assay::layout
