// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "reference/layout/tmem.h"

namespace assay::layout {

/// What the documents leave open about scale factors in tensor memory.
struct ScaleReadings {
  /// Where each CTA of a pair has 64 rows of A.
  enum class RowsOf64 : uint8_t { as_of_128, two_columns, one_column } rows_of_64 = RowsOf64::as_of_128;
  /// Layout B: each half of the lanes has the scales of its half of N; else all have those of all columns.
  bool halves_of_n = true;
};

/// A byte of a cell of tensor memory: one scale factor. The column counts from that of the operand's address.
struct ScalePlace {
  int lane, column, byte;
  friend bool operator==(const ScalePlace&, const ScalePlace&) = default;
};

/// Places of one scale, of which there are few.
class ScalePlaces {
 public:
  void add(const ScalePlace& place) { places_[count_++] = place; }
  const ScalePlace& front() const { return places_[0]; }
  const ScalePlace& operator[](size_t i) const { return places_[i]; }
  size_t size() const { return count_; }
  const ScalePlace* begin() const { return places_.data(); }
  const ScalePlace* end() const { return places_.data() + count_; }

 private:
  std::array<ScalePlace, 4> places_{};  ///< one in each partition of lanes at most
  size_t count_ = 0;
};

/// Columns from one group of four scales to the next.
int a_scale_group(const DLayoutRow& layout, const ScaleReadings& readings = {});
int b_scale_group(const DLayoutRow& layout, int n_count, const ScaleReadings& readings = {});

/// Every place of scale `position` of a row of A within its CTA: one in each partition of 32 lanes that must
/// hold it. Positions count along K from byte 0 of the cell at the address.
ScalePlaces a_scale_places(const DLayoutRow& layout, int row, int position,
                           const ScaleReadings& readings = {});
/// The same of column n of B. Every CTA of a pair has those of all columns.
ScalePlaces b_scale_places(const DLayoutRow& layout, int n, int n_count, int position,
                           const ScaleReadings& readings = {});

}  // namespace assay::layout
