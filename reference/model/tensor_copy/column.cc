// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/column.h"

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

/// Units of the tensor's channels, and the first one that the copy takes.
struct ChannelUnits {
  uint32_t elements = 1;  ///< of a unit
  int64_t start = 0, extent = 0;
};
ChannelUnits channel_units(const TensorCopyCase& copy) {
  const spec::DataType& type = type_of(copy);
  ChannelUnits units;
  units.elements = type.is_dense_packed() ? 2 : type.group;  // two elements a byte, nothing else to it
  const auto elements = static_cast<int64_t>(units.elements);
  units.start = copy.coord[0] / elements;
  units.extent = static_cast<int64_t>(copy.map.global_dim[0]) / elements;
  return units;
}

/// Pixels in shared memory, halos among them.
uint32_t rows_of(const TensorCopyCase& copy) {
  switch (copy.mode) {
    case CopyMode::w:
      return copy.map.pixels + copy.w_halo;
    case CopyMode::w_128:
      return pixels_of_w_128 + pixels_of_w_128 / pixels_before_halo * copy.w_halo;
    default:
      return copy.map.pixels;
  }
}

/// Adds where the index begins. False: it lies outside of the tensor.
bool add_index(const TensorMapArgs& map, uint32_t dimension, int64_t index, unsigned __int128& byte) {
  if (index < 0 || index >= static_cast<int64_t>(map.global_dim[dimension])) return false;
  byte += static_cast<unsigned __int128>(index) * stride_of(map, dimension);
  return true;
}

}  // namespace

SwizzlePattern pattern_of_column(const TensorCopyCase& copy, const spec::Readings& readings) {
  const spec::Swizzle& swizzle = swizzle_of(copy);
  return pattern_of(swizzle, swizzle.flip_mask != 0 && readings.is({"TMA-AMB-10", "bit_7_clear"}));
}

ColumnShape column_of(const TensorCopyCase& copy, const spec::Readings& readings) {
  const TensorMapArgs& map = copy.map;
  const spec::DataType& type = type_of(copy);
  const spec::Swizzle& swizzle = swizzle_of(copy);
  ColumnShape shape;
  shape.pixels = rows_of(copy);
  if (map.interleave != 0) {
    shape.unit_global = shape.unit_shared = spec::find_interleave(map.interleave)->slice_bytes;
    shape.units = 1;
    const int64_t plane = copy.coord[map.rank - 2];
    shape.end_unit = plane >= 0 && plane < static_cast<int64_t>(map.global_dim[map.rank - 2]) ? 1 : 0;
  } else {
    const ChannelUnits channels = channel_units(copy);
    shape.unit_global = type.is_dense_packed() ? 1 : type.group_global_bytes;
    shape.unit_shared = type.is_dense_packed() ? 1 : type.group_shared_bytes;
    shape.units = copy.map.channels / channels.elements;
    const auto count = static_cast<int64_t>(shape.units);
    shape.first_unit = static_cast<uint32_t>(std::clamp<int64_t>(-channels.start, 0, count));
    shape.end_unit =
        static_cast<uint32_t>(std::clamp<int64_t>(channels.extent - channels.start, shape.first_unit, count));
    shape.first_channel = channels.start * static_cast<int64_t>(shape.unit_global);
  }
  shape.is_padded = shape.unit_global != shape.unit_shared;
  shape.inner = shape.units * shape.unit_shared;
  shape.pitch = shape.inner;
  if (map.interleave == 0 && shape.inner < swizzle.span_bytes && !readings.is({"TMA-AMB-04", "rows_dense"}))
    shape.pitch = swizzle.span_bytes;
  const uint64_t block = pattern_of_column(copy, readings).block_bytes;
  const uint64_t image = (uint64_t{shape.pixels} - 1) * shape.pitch + shape.inner;
  shape.shared_bytes = (image + block - 1) / block * block;
  return shape;
}

uint64_t stride_of(const TensorMapArgs& map, uint32_t dimension) {
  return dimension == 0 ? spec::find_interleave(map.interleave)->slice_bytes
                        : map.global_stride[dimension - 1];
}

bool is_row_in_tensor(const TensorCopyCase& copy, const Pixel& pixel, unsigned __int128& byte) {
  const TensorMapArgs& map = copy.map;
  byte = 0;
  if (pixel.is_nowhere) return false;
  for (uint32_t k = 1; k < spatial_axes(map.rank); ++k)
    if (!add_index(map, dimension_of_axis(map, k), pixel.at[k], byte)) return false;
  if (map.interleave != 0 && !add_index(map, map.rank - 2, copy.coord[map.rank - 2], byte)) return false;
  return add_index(map, map.rank - 1, pixel.image, byte);
}

bool is_in_tensor(const TensorCopyCase& copy, const Pixel& pixel, unsigned __int128& byte) {
  const TensorMapArgs& map = copy.map;
  return is_row_in_tensor(copy, pixel, byte) && add_index(map, dimension_of_axis(map, 0), pixel.at[0], byte);
}

uint32_t stored_end(const TensorCopyCase& copy, const ColumnShape& shape, const spec::Readings& readings,
                    spec::RuleSet& rules) {
  uint32_t end = shape.end_unit * shape.unit_global;
  if (copy.map.interleave != 0 || end % spec::store_clip_bytes == 0 || shape.first_unit == shape.end_unit)
    return end;
  rules.set(spec::rule("TILE-R27"));
  if (readings.is({"X-17", "by_16_byte_pieces"}))
    end = std::min((end + spec::store_clip_bytes - 1) / spec::store_clip_bytes * spec::store_clip_bytes,
                   shape.units * shape.unit_global);
  return end;
}

uint32_t transaction_bytes(const TensorCopyCase& copy, const ColumnShape& shape,
                           const spec::Readings& readings) {
  return transaction_bytes(copy, shape, PixelRuns(copy, shape, readings).inside(), readings);
}

uint32_t transaction_bytes(const TensorCopyCase& copy, const ColumnShape& shape, uint64_t pixels_inside,
                           const spec::Readings& readings) {
  uint64_t unit = shape.unit_global;
  if (shape.is_padded && readings.is({"TMA-AMB-33", "padded_bytes"})) unit = shape.unit_shared;
  const uint64_t counted = pixels_inside * (shape.end_unit - shape.first_unit) * unit;
  const uint64_t all = uint64_t{shape.pixels} * shape.units * unit;
  if (counted != all && readings.is({"TMA-AMB-18", "bytes_in_bounds"})) return static_cast<uint32_t>(counted);
  if (copy.map.interleave == 0 && shape.inner < swizzle_of(copy).span_bytes &&
      readings.is({"TMA-AMB-04", "span_bytes_counted"}))
    return shape.pixels * shape.pitch;
  return static_cast<uint32_t>(all);
}

BoxEnds box_of(const Im2colMapArgs& map, uint32_t axis) {
  const auto extent = static_cast<int64_t>(map.global_dim[dimension_of_axis(map, axis)]);
  return {map.lower[axis], extent - 1 + map.upper[axis]};
}

std::array<uint32_t, 3> acting_offsets(const TensorCopyCase& copy, const spec::Readings& readings) {
  const uint32_t w = copy.offset[0], h = copy.offset[1], d = copy.offset[2];
  if (copy.direction == CopyDirection::store) return {0, 0, 0};
  if (is_wide(copy)) return {copy.w_offset, 0, 0};
  if (copy.map.rank == 3) return {w, 0, 0};
  if (copy.map.rank == 4) return {w % 256, h % 256, 0};
  if (w > 31 || h > 31 || d > 31) {
    if (readings.is({"TMA-AMB-23", "cut_to_5_bits"})) return {w % 32, h % 32, d % 32};
  }
  const uint32_t sum = w + 32 * h + 1024 * d;
  return {sum % 32, sum / 32 % 32, sum / 1024 % 32};
}

Im2colWalk::Im2colWalk(const TensorCopyCase& copy, const spec::Readings& readings) {
  const TensorMapArgs& map = copy.map;
  axis_count_ = is_wide(copy) ? 1 : spatial_axes(map.rank);
  const std::array<uint32_t, 3> offsets = acting_offsets(copy, readings);
  bool is_uneven = false;
  for (uint32_t k = 0; k < axis_count_; ++k) {
    const uint32_t dimension = dimension_of_axis(map, k);
    const auto [lower, upper] = box_of(copy.map, k);
    Axis& axis = axes_[k];
    axis.start = copy.coord[dimension];
    axis.lower = lower;
    axis.step = map.element_stride[dimension];
    axis.offset = offsets[k];
    axis.width = upper - lower + 1;
    axis.first = (upper - axis.start) / axis.step + 1;
    axis.round = std::max<int64_t>((upper - lower) / axis.step + 1, 1);  // 0: no such map is legal
    is_uneven |= axis.width % axis.step != 0 || (axis.start - lower) % axis.step != 0;
  }
  image_start_ = copy.coord[map.rank - 1];
  if (is_wide(copy)) {
    for (uint32_t k = 1; k < spatial_axes(map.rank); ++k) fixed_[k] = copy.coord[dimension_of_axis(map, k)];
    ends_at_corner_ = readings.is({"TMA-AMB-14", "nowhere"});
    if (map.element_stride[map.rank - 1] != 1 && readings.is({"TMA-AMB-42", "images_too"}))
      image_step_ = map.element_stride[map.rank - 1];
    if (copy.mode == CopyMode::w_128 && copy.w_halo != 0) {
      halo_ = copy.w_halo;
      halos_lie_behind_ = readings.is({"TMA-AMB-13", "behind_all_pixels"});
    }
    return;
  }
  if (map.element_stride[map.rank - 1] != 1 && readings.is({"TMA-AMB-03", "steps_over_images"}))
    image_step_ = map.element_stride[map.rank - 1];
  if (is_uneven) carries_remainder_ = readings.is({"TMA-AMB-02", "carries_the_rest"});
}

uint32_t Im2colWalk::step_of(uint32_t row) const {
  if (halo_ == 0) return row;
  if (!halos_lie_behind_) {
    // A halo goes on where its group ends, and the next group begins there: pixels behind a group are counted
    // from its first one.
    const uint32_t group = row / (pixels_before_halo + halo_);
    return group * pixels_before_halo + row % (pixels_before_halo + halo_);
  }
  if (row < pixels_of_w_128) return row;
  constexpr uint32_t groups = pixels_of_w_128 / pixels_before_halo;
  const uint32_t behind = row - pixels_of_w_128;
  return (behind % groups + 1) * pixels_before_halo + behind / groups;
}

Im2colWalk::Place Im2colWalk::place(int64_t steps) const {
  Place place;
  place.pixel.at = fixed_;
  for (uint32_t k = 0; k < axis_count_; ++k) {
    // Steps of the axis at hand; what is beyond its rounds is steps of the next.
    const Axis& axis = axes_[k];
    int64_t at = axis.start + steps * axis.step, rounds = 0;
    place.left[k] = axis.first - steps;
    if (steps >= axis.first) {
      const int64_t beyond = (steps - axis.first) % axis.round;
      rounds = 1 + (steps - axis.first) / axis.round;
      at = axis.lower + beyond * axis.step;
      place.left[k] = axis.round - beyond;
    }
    place.pixel.at[k] = at + axis.offset;
    steps = rounds;
  }
  place.pixel.image = image_start_ + steps * image_step_;
  place.pixel.is_nowhere = ends_at_corner_ && steps != 0;
  return place;
}

Pixel Im2colWalk::pixel(uint32_t row) const {
  int64_t steps = step_of(row);
  if (!carries_remainder_) return place(steps).pixel;
  Pixel pixel;
  pixel.at = fixed_;
  for (uint32_t k = 0; k < axis_count_; ++k) {
    // One round at a time: a step that is wider than the box ends one round, however far it goes.
    const Axis& axis = axes_[k];
    int64_t at = axis.start, rounds = 0;
    for (int64_t i = 0; i < steps; ++i) {
      at += axis.step;
      if (at < axis.lower + axis.width) continue;
      at = axis.lower + (at - axis.lower) % axis.width;
      ++rounds;
    }
    pixel.at[k] = at + axis.offset;
    steps = rounds;
  }
  pixel.image = image_start_ + steps * image_step_;
  return pixel;
}

}  // namespace assay::model
