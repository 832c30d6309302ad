#include "reference/layout/tmem.h"

namespace assay::layout {
namespace {

int rows_per_cta(const DLayoutRow& layout) {
  return layout.m / layout.cta_group;
}

/// Lane of a row within its CTA, first fold.
int lane_of(const DLayoutRow& layout, int row, int lane_base) {
  return layout.half_of_lanes ? lane_base + row / 16 * 32 + row % 16 : row;
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
  return n_count / layout.folds;
}

TmemPlace d_place(const DLayoutRow& layout, int m, int n, int n_count, int lane_base) {
  const int rows = rows_per_cta(layout), columns = d_columns(layout, n_count);
  return {m / rows, lane_of(layout, m % rows, lane_base) + n / columns * rows, n % columns};
}

std::vector<TmemPlace> a_places(const DLayoutRow& layout, const TmemPacking& packing, int m, int k,
                                int lane_base, NibblePlace nibble) {
  const int rows = rows_per_cta(layout);
  const int stored_bits = packing.in_bytes ? 8 : packing.element_bits;
  const int bit = k * stored_bits;
  const int inside = packing.in_bytes && packing.element_bits == 4 && nibble == NibblePlace::middle ? 2 : 0;
  std::vector<TmemPlace> places;
  for (int fold = 0; fold < layout.folds; ++fold)
    places.push_back(
        {m / rows, lane_of(layout, m % rows, lane_base) + fold * rows, bit / 32, bit % 32 + inside});
  return places;
}

}  // namespace assay::layout
