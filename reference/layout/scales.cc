// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/scales.h"

namespace assay::layout {
namespace {

constexpr int lanes_of_partition = 32, partitions = 4, scales_of_cell = 4;

bool has_64_rows(const DLayoutRow& layout) {
  return layout.m / layout.cta_group == 64;
}

ScalePlace place_in(int partition, int line, int position, int group) {
  return {partition * lanes_of_partition + line % lanes_of_partition,
          position / scales_of_cell * group + line / lanes_of_partition, position % scales_of_cell};
}

}  // namespace

int a_scale_group(const DLayoutRow& layout, const ScaleReadings& readings) {
  return has_64_rows(layout) && readings.rows_of_64 == ScaleReadings::RowsOf64::two_columns ? 2 : 4;
}

int b_scale_group(const DLayoutRow& layout, int n_count, const ScaleReadings& readings) {
  const bool halved = layout.folds == 2 && readings.halves_of_n;
  return (halved ? n_count / 2 : n_count) > 128 ? 8 : 4;
}

ScalePlaces a_scale_places(const DLayoutRow& layout, int row, int position, const ScaleReadings& readings) {
  const int group = a_scale_group(layout, readings);
  ScalePlaces places;
  if (has_64_rows(layout) && readings.rows_of_64 == ScaleReadings::RowsOf64::one_column) {
    for (int half = 0; half < partitions; half += 2)
      places.add(place_in(half + row / lanes_of_partition, row % lanes_of_partition, position, group));
    return places;
  }
  for (int partition = 0; partition < partitions; ++partition)
    places.add(place_in(partition, row, position, group));
  return places;
}

ScalePlaces b_scale_places(const DLayoutRow& layout, int n, int n_count, int position,
                           const ScaleReadings& readings) {
  const int group = b_scale_group(layout, n_count, readings);
  ScalePlaces places;
  if (layout.folds == 2 && readings.halves_of_n) {
    const int columns = n_count / 2, half = n / columns;
    for (const int partition : {2 * half, 2 * half + 1})
      places.add(place_in(partition, n % columns, position, group));
    return places;
  }
  for (int partition = 0; partition < partitions; ++partition)
    places.add(place_in(partition, n, position, group));
  return places;
}

}  // namespace assay::layout
