// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem.h"

#include <algorithm>

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

namespace {

constexpr int most_rows = 256, most_parts = 4;

/// Lane and CTA of every row in every part of the columns; lane -1 where there is none.
struct RowPlaces {
  struct Place {
    int16_t cta = 0, lane = -1;
  };
  std::array<std::array<Place, most_parts>, most_rows> of_row;
  int parts = 0;
};

constexpr std::array<RowPlaces, d_layouts.size()> spread_rows() {
  std::array<RowPlaces, d_layouts.size()> all{};
  for (const LaneRange& range : lane_ranges) {
    RowPlaces& places = all[static_cast<size_t>(range.layout)];
    if (places.parts <= range.part) places.parts = range.part + 1;
    for (int i = 0; i < range.rows; ++i)
      places.of_row[static_cast<size_t>(range.first_row + i)][static_cast<size_t>(range.part)] = {
          static_cast<int16_t>(range.cta), static_cast<int16_t>(range.first_lane + i)};
  }
  return all;
}
constexpr std::array<RowPlaces, d_layouts.size()> row_places = spread_rows();

// What the rows of d_layouts say in other words is what the figures show: every row once in every part, and
// no row that the form does not have.
static_assert([] {
  for (const DLayoutRow& row : d_layouts) {
    const RowPlaces& places = row_places[static_cast<size_t>(row.layout)];
    if (places.parts != row.folds) return false;
    for (int m = 0; m < most_rows; ++m)
      for (int part = 0; part < most_parts; ++part)
        if ((places.of_row[static_cast<size_t>(m)][static_cast<size_t>(part)].lane >= 0) !=
            (m < row.m && part < row.folds))
          return false;
  }
  return true;
}());

const RowPlaces& places_of(const DLayoutRow& layout) {
  return row_places[static_cast<size_t>(layout.layout)];
}

TmemPlace place_of(const DLayoutRow& layout, int m, int part, int lane_base) {
  const RowPlaces::Place& place = places_of(layout).of_row[static_cast<size_t>(m)][static_cast<size_t>(part)];
  return {place.cta, place.lane + (layout.half_of_lanes ? lane_base : 0), 0};
}

}  // namespace

const DLayoutRow* find_d_layout(int m, int cta_group, bool ws, bool sparse) {
  for (const DLayoutRow& row : d_layouts)
    if (row.m == m && row.cta_group == cta_group && row.ws.value_or(ws) == ws &&
        row.sparse.value_or(sparse) == sparse)
      return &row;
  return nullptr;
}

int d_columns(const DLayoutRow& layout, int n_count) {
  return n_count / places_of(layout).parts;
}

TmemPlace d_place(const DLayoutRow& layout, int m, int n, int n_count, int lane_base) {
  const int columns = d_columns(layout, n_count);
  TmemPlace place = place_of(layout, m, n / columns, lane_base);
  place.column = n % columns;
  return place;
}

TmemPlace tmem_a_place(const DLayoutRow& layout, const TmemPacking& packing, int m, int k, int group,
                       int lane_base, NibblePlace nibble) {
  const int stored_bits = packing.in_bytes ? 8 : packing.element_bits;
  const int per_cell = 32 / stored_bits;
  const int inside = packing.in_bytes && packing.element_bits == 4 && nibble == NibblePlace::middle ? 2 : 0;
  TmemPlace place = place_of(layout, m, group, lane_base);
  place.column = k / per_cell;
  place.bit = k % per_cell * stored_bits + inside;
  return place;
}

std::vector<TmemPlace> a_places(const DLayoutRow& layout, const TmemPacking& packing, int m, int k,
                                int lane_base, NibblePlace nibble) {
  std::vector<TmemPlace> places;
  for (int group = 0; group < places_of(layout).parts; ++group)
    places.push_back(tmem_a_place(layout, packing, m, k, group, lane_base, nibble));
  return places;
}

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

namespace {

constexpr int warp = 32, most_registers = 4;

/// Where the registers of the first repetition of a shape lie, thread by thread.
struct Fragment {
  struct Place {
    int8_t lane = -1, column = 0;
    bool past_split = false;
  };
  std::array<std::array<Place, most_registers>, warp> of_thread;
  int registers = 0, columns = 0;
};

constexpr std::array<Fragment, tmem_shapes.size()> drawn() {
  std::array<Fragment, tmem_shapes.size()> all{};
  for (const RegisterRun& run : register_runs) {
    Fragment& fragment = all[run.shape];
    fragment.registers = std::max(fragment.registers, run.number + 1);
    fragment.columns = std::max(fragment.columns, run.column + 1);
    for (int i = 0; i < run.threads; ++i)
      fragment.of_thread[static_cast<size_t>(run.first_thread + i * run.apart)]
                        [static_cast<size_t>(run.number)] = {static_cast<int8_t>(run.first_lane + i),
                                                             static_cast<int8_t>(run.column), run.past_split};
  }
  return all;
}
constexpr std::array<Fragment, tmem_shapes.size()> fragments = drawn();

// Every register that a shape has is drawn, in lanes that it has.
static_assert([] {
  for (size_t shape = 0; shape < fragments.size(); ++shape) {
    if (fragments[shape].registers != tmem_shapes[shape].registers_per_count) return false;
    for (const auto& thread : fragments[shape].of_thread)
      for (int r = 0; r < fragments[shape].registers; ++r)
        if (thread[static_cast<size_t>(r)].lane < 0 ||
            thread[static_cast<size_t>(r)].lane >= tmem_shapes[shape].lanes)
          return false;
  }
  return true;
}());

}  // namespace

TmemRegisterPlace tmem_register_place(uint32_t shape, int thread, int r, int spread, int split) {
  const Fragment& fragment = fragments[shape];
  const auto& place =
      fragment.of_thread[static_cast<size_t>(thread)][static_cast<size_t>(r % fragment.registers)];
  const int column = place.column + r / fragment.registers * fragment.columns;
  return {place.lane, spread * column + (place.past_split ? split : 0)};
}

int tmem_access_columns(uint32_t shape, int count, int spread, int split) {
  const bool is_split = fragments[shape].of_thread[warp - 1][0].past_split;
  return fragments[shape].columns * count * spread + (is_split ? split : 0);
}

std::vector<int> tmem_copy_lanes(uint32_t shape, int row) {
  const TmemCopyShapeRow& s = tmem_copy_shapes[shape];
  std::vector<int> lanes;
  for (int copy = 0; copy < s.copies; ++copy)
    lanes.push_back(row / s.unit * s.unit_lanes + copy * s.copy_lanes + row % s.unit);
  return lanes;
}

}  // namespace assay::layout
