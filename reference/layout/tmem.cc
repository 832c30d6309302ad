// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem.h"

#include "reference/layout/lane_ranges.h"

namespace assay::layout {
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

}  // namespace assay::layout
