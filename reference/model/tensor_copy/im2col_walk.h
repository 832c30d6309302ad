// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// A pixel of a column: where it lies in the tensor, offsets included. Axes that there are not are 0.
struct Pixel {
  std::array<int64_t, 3> at{};  ///< W, H, D
  int64_t image = 0;
  bool is_nowhere = false;  ///< TMA-AMB-14, the rival: behind the end of a walk along W
};

/// The walk of an im2col copy through its pixel box, worked out for any pixel at once: axis k is a digit
/// whose first round begins at the start and all others at the lower corner.
class Im2colWalk {
 public:
  /// The map is legal and the start lies in the box; along W alone it may lie left of it.
  Im2colWalk(const TensorCopyCase&, const spec::Readings&);
  /// Of a row of the column in shared memory.
  Pixel pixel(uint32_t row) const;
  /// Calls visit(row, its pixel, rows) for rows 0 to `rows` - 1 of the column in order, as many at once as
  /// lie a step of W apart, one behind the other.
  template <typename Visit>
  void for_stretches(uint32_t rows, const Visit& visit) const;

 private:
  /// A pixel of the walk, and positions that are left in the round of each axis, its own among them.
  struct Place {
    Pixel pixel;
    std::array<int64_t, 3> left{};
  };
  /// So many steps behind the start; not for the rival of TMA-AMB-02.
  Place place(int64_t steps) const;
  void next_round(Place&) const;
  /// Steps of the walk from its start to the pixel of a row.
  uint32_t step_of(uint32_t row) const;

  struct Axis {
    int64_t start, lower, step, offset;
    int64_t first;  ///< positions of the round that begins at the start
    int64_t round;  ///< of every other
    int64_t width;  ///< of the box
  };
  std::array<Axis, 3> axes_{};
  uint32_t axis_count_ = 0;
  int64_t image_start_ = 0, image_step_ = 1;
  bool carries_remainder_ = false;  ///< TMA-AMB-02, the rival
  // Along W alone:
  bool ends_at_corner_ = false;     ///< TMA-AMB-14, the rival
  std::array<int64_t, 3> fixed_{};  ///< H and D
  uint32_t halo_ = 0;               ///< between groups of 32 pixels
  bool halos_lie_behind_ = false;   ///< TMA-AMB-13, the rival
};

inline void Im2colWalk::next_round(Place& place) const {
  for (uint32_t k = 0; k < axis_count_; ++k) {
    const Axis& axis = axes_[k];
    if (k != 0 && --place.left[k] > 0) {
      place.pixel.at[k] += axis.step;
      return;
    }
    place.pixel.at[k] = axis.lower + axis.offset;
    place.left[k] = axis.round;
  }
  place.pixel.image += image_step_;
  place.pixel.is_nowhere = ends_at_corner_;
}

template <typename Visit>
void Im2colWalk::for_stretches(uint32_t rows, const Visit& visit) const {
  if (carries_remainder_ || halos_lie_behind_) {
    for (uint32_t row = 0; row < rows; ++row) visit(row, pixel(row), 1u);
    return;
  }
  const uint32_t group = halo_ == 0 ? rows : pixels_before_halo + halo_;
  for (uint32_t row = 0; row < rows;) {
    Place at = place(step_of(row));
    for (const uint32_t end = std::min(rows, row + group); row < end; next_round(at)) {
      const auto count = static_cast<uint32_t>(std::min<int64_t>(at.left[0], end - row));
      visit(row, at.pixel, count);
      row += count;
    }
  }
}

/// The first and the last position of the pixel box of an axis, both in it.
struct BoxEnds {
  int64_t lower, upper;
};
BoxEnds box_of(const Im2colMapArgs&, uint32_t axis);

/// What the instruction's offsets are for the map's rank (IM2C-R07); wOffset is one of W alone, since a start
/// and corners that are moved together move all pixels by as much (IM2W-R05).
std::array<uint32_t, 3> acting_offsets(const TensorCopyCase&, const spec::Readings&);

}  // namespace assay::model
