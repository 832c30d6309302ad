// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/breach.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

void misplace_operand(uint32_t turn, TensorCopyCase& c) {
  constexpr uint32_t off[] = {16, 4, 64, 32, 1, 112, 8};
  const uint32_t bytes = off[turn % std::size(off)];
  c.tile_offset += bytes;
  // Without swizzle multiples of 16 are a question of their own.
  if (bytes % 16 == 0 && !is_wide(c)) c.map.swizzle = 0;
}

void change_map_rank(uint32_t turn, TensorMapArgs& m) {
  m.rank = turn % 3 == 0 ? 1 : 2 + turn % 3;
  for (uint32_t i = 2; i < m.rank; ++i) {
    m.global_dim[i] = m.box_dim[i] = m.element_stride[i] = 1;
    m.global_stride[i - 1] = m.global_stride[0];
  }
}

/// Of the dimensions without a box: images, and channels or their plane.
void start_negative(uint32_t turn, TensorCopyCase& c) {
  const TensorMapArgs& m = c.map;
  const bool image = turn % 2 == 0;
  const uint32_t channels = m.interleave != 0 ? m.rank - 2 : 0;
  c.coord[image ? m.rank - 1 : channels] =
      image || m.interleave != 0
          ? -1
          : -static_cast<int32_t>(coordinate_quantum(spec::data_types[m.data_type], 0));
}

/// One that the plain encoder takes as well, its box that of the walk.
void take_plain_map(TensorCopyCase& c) {
  c.map.wide = false;
  c.map.wide_mode = 0;
  c.map.lower = c.map.upper = {};
  c.map.pixels = 8;
  c.coord[1] = 0;
  c.map.swizzle = std::min(c.map.swizzle, 3u);
  for (uint32_t i = 2; i + 1 < c.map.rank; ++i) c.coord[i] = 0;
}

/// Outside of the pixel box along one axis.
void leave_box(Random& random, bool above, uint32_t axis, uint32_t turn, TensorCopyCase& c) {
  const auto [low, high] = model::box_of(c.map, axis);
  const int64_t further = 1 + (turn % 2 == 0 ? 0 : int64_t{random.below(40)});
  c.coord[dimension_of_axis(c.map, axis)] = static_cast<int32_t>(above ? high + further : low - further);
}

}  // namespace

void breach(Random& random, CopyBreach what, uint32_t turn, TensorCopyCase& c) {
  Im2colMapArgs& m = c.map;
  const uint32_t axis = is_column(c) ? turn / 3 % spatial_axes(m.rank) : 0;
  switch (what) {
    case CopyBreach::operand:
      return misplace_operand(turn, c);
    case CopyBreach::channel_start:
      c.coord[0] += 1;
      return;
    case CopyBreach::extent:
      m.global_dim[m.rank - 1] = (uint64_t{1} << 31) + 1 + (turn % 3 == 0 ? 0 : random.below(1000));
      return;
    case CopyBreach::map_rank:
      return change_map_rank(turn, m);
    case CopyBreach::height:
      m.box_dim[1] = turn % 3 == 0 ? 4 : random.between(2, 8);
      m.element_stride[1] = 1;
      return;
    case CopyBreach::negative_row:
      c.coord[turn % 5] = turn % 5 == 0
                              ? -static_cast<int32_t>(coordinate_quantum(spec::data_types[m.data_type], 0))
                              : -1 - static_cast<int32_t>(random.below(3));
      return;
    case CopyBreach::instruction_rank:
      c.instruction_rank = m.rank == 3   ? random.between(4, 5)
                           : m.rank == 5 ? random.between(3, 4)
                                         : 3 + 2 * (turn % 2);
      return;
    case CopyBreach::tile_instruction:
      c.is_tile_instruction = true;
      return;
    case CopyBreach::start_below_box:
    case CopyBreach::start_above_box:
      return leave_box(random, what == CopyBreach::start_above_box, axis, turn, c);
    case CopyBreach::negative_start:
      return start_negative(turn, c);
    case CopyBreach::leaving_corner:
      (turn % 2 == 0 ? m.lower : m.upper)[axis] = turn % 2 == 0 ? -1 : 1;
      return;
    case CopyBreach::start_right_of_box:
      return leave_box(random, true, 0, turn, c);
    case CopyBreach::plain_map:
      return take_plain_map(c);
    case CopyBreach::other_mode:
      m.wide_mode ^= 1;
      m.pixels = std::clamp(m.pixels, 1u, 128u);
      return;
    case CopyBreach::plain_instruction:
      c.mode = CopyMode::im2col;
      c.w_halo = c.w_offset = 0;
      return;
  }
}

}  // namespace assay::gen
