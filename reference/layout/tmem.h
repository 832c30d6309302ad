// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/spec/field.h"
#include "reference/spec/instr_desc.h"

namespace assay::layout {

/// Layouts of D in tensor memory, by the letters of the documents.
enum class DLayout : uint8_t { a, b, c, d, e, f, g };

/// Which form of tcgen05.mma has which layout. `folds`: groups of columns that lie side by side in lanes; the
/// lanes of A in tensor memory repeat as often.
struct DLayoutRow {
  DLayout layout;
  char letter;
  int m;  ///< total, over both CTAs of a pair
  int cta_group;
  std::optional<bool> ws, sparse;  ///< nothing: either
  int folds;
  bool half_of_lanes;  ///< 16 lanes of every 32, the lower or the upper ones
  std::string_view datapath;
  spec::Cite cite;
};
inline constexpr spec::Cite datapath_cite{"ptx", "tcgen05, data path layout organization"};
inline constexpr std::array<DLayoutRow, 7> d_layouts{{
    {DLayout::a, 'A', 256, 2, false, std::nullopt, 1, false, "4x1", datapath_cite},
    {DLayout::b, 'B', 128, 2, false, false, 2, false, "2x2", datapath_cite},
    {DLayout::c, 'C', 128, 2, false, true, 1, true, "4x1", datapath_cite},
    {DLayout::d, 'D', 128, 1, std::nullopt, std::nullopt, 1, false, "4x1", datapath_cite},
    {DLayout::e, 'E', 64, 1, true, std::nullopt, 2, false, "2x2", datapath_cite},
    {DLayout::f, 'F', 64, 1, false, std::nullopt, 1, true, "4x1", datapath_cite},
    {DLayout::g, 'G', 32, 1, true, std::nullopt, 4, false, "1x4", datapath_cite},
}};
/// Null for forms that do not exist.
const DLayoutRow* find_d_layout(int m, int cta_group, bool ws, bool sparse);

/// A cell of tensor memory. cta: 0 the issuing CTA, or the even one of a pair.
struct TmemPlace {
  int cta;
  int lane;     ///< 0 to 127
  int column;   ///< from the column of the operand's address
  int bit = 0;  ///< of the 32-bit cell
  friend bool operator==(const TmemPlace&, const TmemPlace&) = default;
};

/// Element (m, n) of D, N columns in all. lane_base: 0, or 16 in the layouts that use half of the lanes.
/// A 16-bit accumulator lies in the low half of the cell.
TmemPlace d_place(const DLayoutRow& layout, int m, int n, int n_count, int lane_base = 0);
/// Columns that D takes.
int d_columns(const DLayoutRow& layout, int n_count);

/// Where a 4-bit element of a byte container lies.
enum class NibblePlace : uint8_t { middle, low };

/// How elements of A are packed in the cells of tensor memory.
struct TmemPacking {
  int element_bits;  ///< 4, 6, 8, 16, 32
  bool in_bytes;     ///< kinds f8f6f4 and mxf8f6f4: every element in a byte of its own
};
/// The place of element (m, k) of A that the given group of lanes reads, 0 where there is one group.
TmemPlace tmem_a_place(const DLayoutRow& layout, const TmemPacking& packing, int m, int k, int group,
                       int lane_base, NibblePlace nibble);
/// Every place of element (m, k) of A: one, or one in each group of lanes that reads it.
std::vector<TmemPlace> a_places(const DLayoutRow& layout, const TmemPacking& packing, int m, int k,
                                int lane_base = 0, NibblePlace nibble = NibblePlace::middle);

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

/// A .shape of tcgen05.cp with its multicast: a matrix of rows, each of `words` times 32 bits, K-major in
/// shared memory, that goes to as many columns of tensor memory.
struct TmemCopyShapeRow {
  std::string_view name;
  int rows, words;
  int copies;  ///< lanes that each row goes to
  int unit;    ///< rows that lie side by side in lanes
  /// The first lane of unit u of rows, copy c: u * unit_lanes + c * copy_lanes.
  int unit_lanes, copy_lanes;
  spec::Cite cite;
};
inline constexpr spec::Cite tmem_copy_cite{"cutlass", "copy_traits_sm100.hpp, UTCCP"};
inline constexpr std::array<TmemCopyShapeRow, 6> tmem_copy_shapes{{
    {"128x256b", 128, 8, 1, 128, 0, 0, tmem_copy_cite},
    {"4x256b", 4, 8, 1, 1, 32, 0, tmem_copy_cite},
    {"128x128b", 128, 4, 1, 128, 0, 0, tmem_copy_cite},
    {"64x128b.warpx2::02_13", 64, 4, 2, 32, 32, 64, tmem_copy_cite},
    {"64x128b.warpx2::01_23", 64, 4, 2, 32, 64, 32, tmem_copy_cite},
    {"32x128b.warpx4", 32, 4, 4, 32, 0, 32, tmem_copy_cite},
}};
inline constexpr uint32_t copy_of_02_13 = 3, copy_of_01_23 = 4;

/// What a decompressing copy takes of each 16 bytes: 16 elements.
struct TmemCopyFormatRow {
  std::string_view name;
  int bits;  ///< of an element; 0: the copy takes the bytes as they are
};
inline constexpr std::array<TmemCopyFormatRow, 3> tmem_copy_formats{{
    {"", 0},
    {".b8x16.b6x16_p32", 6},
    {".b8x16.b4x16_p64", 4},
}};

inline constexpr uint32_t tmem_copy_shape_count = tmem_copy_shapes.size(),
                          tmem_copy_format_count = tmem_copy_formats.size();

/// The lanes that a row goes to, counted from that of the address. shape: index of tmem_copy_shapes.
std::vector<int> tmem_copy_lanes(uint32_t shape, int row);

/// Rows that a shift moves as one, and its columns.
inline constexpr int shifted_rows = 32, shifted_columns = 8;

}  // namespace assay::layout
