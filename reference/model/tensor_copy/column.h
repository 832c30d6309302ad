// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/layout/swizzle.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

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

/// Where the pixels of a column lie in both memories. Channels come in units: elements, groups of packed
/// elements, or the one slice of an interleaved map.
struct ColumnShape {
  uint32_t pixels = 0;                        ///< rows in shared memory, halos among them
  uint32_t units = 0;                         ///< of a pixel
  uint32_t first_unit = 0, end_unit = 0;      ///< those that lie in the tensor; equal if none does
  uint32_t unit_global = 0, unit_shared = 0;  ///< bytes, padding included
  uint32_t inner = 0, pitch = 0;              ///< shared bytes of a pixel, and from one to the next
  uint64_t shared_bytes = 0;                  ///< extent from the operand on, gaps included
  int64_t first_channel = 0;                  ///< global byte of unit 0 relative to the pixel
  bool is_padded = false;                     ///< unit_shared has undefined bytes behind unit_global
};
/// `copy` has a legal map.
ColumnShape column_of(const TensorCopyCase& copy, const spec::Readings&);

/// Global bytes from one index of a dimension to the next; of dimension 0 those of an interleaved map.
uint64_t stride_of(const TensorMapArgs&, uint32_t dimension);
/// True when the pixel lies in the tensor; `byte` is then where it begins, relative to the map's address.
bool is_in_tensor(const TensorCopyCase&, const Pixel&, unsigned __int128& byte);
/// The same of everything but W: as if the pixel were the first of its row.
bool is_row_in_tensor(const TensorCopyCase&, const Pixel&, unsigned __int128& byte);

/// Bytes that a load signals to each receiving barrier.
uint32_t transaction_bytes(const TensorCopyCase&, const ColumnShape&, const spec::Readings&);
/// The same, where so many of the pixels lie in the tensor.
uint32_t transaction_bytes(const TensorCopyCase&, const ColumnShape&, uint64_t pixels_inside,
                           const spec::Readings&);

/// Where bytes of the column are kept.
SwizzlePattern pattern_of_column(const TensorCopyCase&, const spec::Readings&);

/// One past the last byte of a pixel that a store writes, from the first channel of the copy on.
uint32_t stored_end(const TensorCopyCase&, const ColumnShape&, const spec::Readings&, spec::RuleSet& rules);

/// Types and swizzles of a map that is legal.
inline const spec::DataType& type_of(const TensorCopyCase& copy) {
  return *spec::find_data_type(copy.map.data_type);
}
inline const spec::Swizzle& swizzle_of(const TensorCopyCase& copy) {
  return *spec::find_swizzle(copy.map.swizzle);
}

/// The pixels of a column as runs of rows: those of a run lie in or out of the tensor together. Addresses are
/// exact modulo 2^64, thus exact wherever they are used.
class PixelRuns {
 public:
  PixelRuns(const TensorCopyCase&, const ColumnShape&, const spec::Readings&);
  std::span<const RowRun> runs() const { return many_.empty() ? std::span(few_.data(), count_) : many_; }
  /// Pixels that lie in the tensor with channels of the copy.
  uint64_t inside() const { return inside_; }
  /// Of those, where the first and the last one begin, relative to the case's tensor memory; first channel or
  /// not.
  unsigned __int128 lowest() const { return lowest_; }
  unsigned __int128 highest() const { return highest_; }
  /// False only if no two pixels can share a byte when each has `bytes` of them.
  bool may_overlap(uint64_t bytes) const;

 private:
  void add(uint32_t rows, bool inside, unsigned __int128 byte);
  /// The run that is being added to has ended.
  void close();

  std::array<RowRun, 16> few_;  ///< the first ones; all of them in `many_` where there are more
  std::vector<RowRun> many_;
  size_t count_ = 0;
  RowRun last_{};
  unsigned __int128 first_byte_ = 0, next_byte_ = 0;  ///< of `last_`, and behind it
  uint32_t shared_, pitch_;
  uint64_t advance_;
  int64_t first_channel_;
  uint64_t inside_ = 0;
  unsigned __int128 lowest_ = 0, highest_ = 0;
};

}  // namespace assay::model
