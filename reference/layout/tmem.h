// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/spec/cite.h"
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

}  // namespace assay::layout
