// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/column.h"

#include <algorithm>
#include <array>

namespace assay::model {
namespace {

/// How many of `count` positions, `step` apart from `start` on, lie below `end`.
uint32_t positions_below(int64_t end, int64_t start, int64_t step, uint32_t count) {
  if (start >= end) return 0;
  const int64_t positions = step == 1 ? end - start : (end - start + step - 1) / step;
  return static_cast<uint32_t>(std::min<int64_t>(positions, count));
}

/// Where rows of the tensor along W begin, relative to its address: what is_row_in_tensor says, with what is
/// the same for all pixels of a column looked up once.
class TensorRows {
 public:
  explicit TensorRows(const TensorCopyCase& copy) {
    const TensorMapArgs& map = copy.map;
    const auto along = [&](uint32_t dimension) {
      return Dimension{map.global_dim[dimension], stride_of(map, dimension)};
    };
    for (uint32_t k = 1; k < spatial_axes(map.rank); ++k) axes_[k] = along(dimension_of_axis(map, k));
    axis_count_ = spatial_axes(map.rank);
    images_ = along(map.rank - 1);
    if (map.interleave != 0) has_plane_ = add(along(map.rank - 2), copy.coord[map.rank - 2], plane_);
  }
  bool find(const Pixel& pixel, unsigned __int128& byte) const {
    byte = plane_;
    bool inside = has_plane_ && !pixel.is_nowhere && add(images_, pixel.image, byte);
    for (uint32_t k = 1; k < axis_count_; ++k) inside = inside && add(axes_[k], pixel.at[k], byte);
    return inside;
  }

 private:
  struct Dimension {
    uint64_t extent, stride;
  };
  static bool add(const Dimension& dimension, int64_t index, unsigned __int128& byte) {
    if (static_cast<uint64_t>(index) >= dimension.extent) return false;  // those below 0 too
    byte += static_cast<unsigned __int128>(static_cast<uint64_t>(index)) * dimension.stride;
    return true;
  }
  std::array<Dimension, 3> axes_{};
  Dimension images_{};
  uint32_t axis_count_ = 0;
  unsigned __int128 plane_ = 0;
  bool has_plane_ = true;
};

}  // namespace

PixelRuns::PixelRuns(const TensorCopyCase& copy, const ColumnShape& shape, const spec::Readings& readings)
    : shared_(copy.tile_offset), pitch_(shape.pitch), first_channel_(shape.first_channel) {
  const TensorMapArgs& map = copy.map;
  const uint32_t w = dimension_of_axis(map, 0);
  const uint64_t pixel_stride = stride_of(map, w);
  const auto step = static_cast<int64_t>(map.element_stride[w]),
             extent = static_cast<int64_t>(map.global_dim[w]);
  const bool has_channels = shape.first_unit < shape.end_unit;
  advance_ = pixel_stride * map.element_stride[w];
  const Im2colWalk walk(copy, readings);
  const TensorRows tensor(copy);
  walk.for_stretches(shape.pixels, [&](uint32_t, const Pixel& pixel, uint32_t rows) {
    unsigned __int128 byte = 0;
    if (!has_channels || !tensor.find(pixel, byte)) return add(rows, false, 0);
    const uint32_t left = positions_below(0, pixel.at[0], step, rows),
                   end = positions_below(extent, pixel.at[0], step, rows);
    if (left != 0) add(left, false, 0);
    const auto first = static_cast<uint64_t>(pixel.at[0] + left * step);
    add(end - left, true, byte + map.global_address + static_cast<unsigned __int128>(first) * pixel_stride);
    if (end != rows) add(rows - end, false, 0);
  });
  close();
}

inline void PixelRuns::add(uint32_t rows, bool inside, unsigned __int128 byte) {
  if (rows == 0) return;
  const unsigned __int128 behind = byte + static_cast<unsigned __int128>(advance_) * rows;
  if (last_.inside == inside && last_.rows != 0 && (!inside || byte == next_byte_)) {
    last_.rows += rows;
  } else {
    close();
    const uint64_t global = static_cast<uint64_t>(byte) + static_cast<uint64_t>(first_channel_);
    last_ = {inside, rows, shared_, inside ? global : 0, advance_};
    first_byte_ = byte;
  }
  next_byte_ = behind;
  shared_ += rows * pitch_;
}

void PixelRuns::close() {
  if (last_.rows == 0) return;
  if (last_.inside) {
    lowest_ = inside_ == 0 ? first_byte_ : std::min(lowest_, first_byte_);
    highest_ = std::max(highest_, next_byte_ - advance_);
    inside_ += last_.rows;
  }
  if (count_ < few_.size()) {
    few_[count_++] = last_;
    return;
  }
  if (many_.empty()) many_.assign(few_.begin(), few_.end());
  many_.push_back(last_);
}

bool PixelRuns::may_overlap(uint64_t bytes) const {
  bool any = false;
  uint64_t end = 0;
  for (const RowRun& run : runs()) {
    if (!run.inside) continue;
    if ((any && run.global < end) || (run.rows > 1 && run.advance < bytes)) return true;
    any = true;
    end = run.global + (run.rows - 1) * run.advance + bytes;
  }
  return false;
}

}  // namespace assay::model
