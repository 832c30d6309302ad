// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/im2col_walk.h"

#include "reference/spec/questions.h"

namespace assay::model {

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
