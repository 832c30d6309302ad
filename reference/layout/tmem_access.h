// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/cite.h"

namespace assay::layout {

/// A .shape of tcgen05.ld and tcgen05.st.
struct TmemShapeRow {
  std::string_view name;
  int lanes;                ///< that a warp reaches
  int registers_per_count;  ///< of a thread, for .x1
  int most_count;
  spec::Cite cite;
};
inline constexpr spec::Cite tmem_access_cite{"ptx", "tcgen05.ld, tcgen05.st, shapes"};
inline constexpr std::array<TmemShapeRow, 5> tmem_shapes{{
    {".16x64b", 16, 1, 128, tmem_access_cite},
    {".16x128b", 16, 2, 64, tmem_access_cite},
    {".16x256b", 16, 4, 32, tmem_access_cite},
    {".32x32b", 32, 1, 128, tmem_access_cite},
    {".16x32bx2", 16, 1, 128, tmem_access_cite},
}};

/// Where a register of a thread of the warp comes from, from the address of the instruction on.
struct TmemRegisterPlace {
  int lane, column;
  friend bool operator==(const TmemRegisterPlace&, const TmemRegisterPlace&) = default;
};

/// shape: index of tmem_shapes. thread: 0 to 31. spread: 2 where registers pack two columns: the column is
/// that of the low half, the high half one further. split: columns between the halves of .16x32bx2, not
/// spread.
TmemRegisterPlace tmem_register_place(uint32_t shape, int thread, int r, int spread, int split);

/// Columns from the first to the last that the access touches.
int tmem_access_columns(uint32_t shape, int count, int spread, int split);

}  // namespace assay::layout
