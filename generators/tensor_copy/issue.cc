// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/issue.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

/// Elements in which a coordinate of a dimension goes on.
uint32_t lane_quantum(const TensorCopyCase& c, uint32_t dimension) {
  const spec::DataType& type = spec::data_types[c.map.data_type];
  if (dimension != 0) return 1;
  return type.is_packed() ? 128 : coordinate_quantum(type, c.map.interleave);
}
bool is_slice(const TensorCopyCase& c, uint32_t dimension) {
  return c.map.interleave != 0 && dimension + 2 == c.map.rank;  // no place of a box
}

/// Elements from the box of a lane to that of the next.
int32_t lane_step(Random& random, const TensorCopyCase& c, uint32_t dimension) {
  const uint32_t quantum = lane_quantum(c, dimension);
  const uint32_t box = (c.map.box_dim[dimension] + quantum - 1) / quantum;
  if (c.direction == CopyDirection::store)
    return static_cast<int32_t>(quantum * (box + random.below(2) * random.below(box)));
  const auto step = static_cast<int32_t>(quantum * random.between(1, 2 * box));
  return random.one_in(2) ? -step : step;
}

/// Room for the tiles of all lanes behind the first, and for their boxes; `one` again where there is none.
bool make_room(Random& random, const TensorCopyCase& one, TensorCopyCase& c) {
  const TiledGeometry g = geometry(c.map, c.coord);
  c.lane_pitch = image_bytes(c, g) + 128 * random.below(3) * random.below(3);
  c.window_bytes = smallest_window(c, g);
  if (c.direction == CopyDirection::store)
    c.slot_bytes = static_cast<uint32_t>(std::min<uint64_t>(smallest_slot(c, g), 1u << 30));
  c.fill_offset =
      std::min<uint64_t>(c.fill_offset, rig::arena_bytes - std::min(c.window_bytes, rig::max_window_bytes));
  c.slot_fill_offset =
      std::min<uint64_t>(c.slot_fill_offset, rig::arena_bytes - std::min(c.slot_bytes, rig::max_slot_bytes));
  if (fits_rig(c) && uint64_t{c.window_bytes} * c.cluster_size <= rig::max_window_bytes) return true;
  c = one;
  return false;
}

/// Several lanes that issue the copy: further boxes of the tensor or beside it, and tiles behind the first.
/// False: they do not fit.
bool add_lanes(Random& random, uint32_t lanes, TensorCopyCase& c) {
  const bool store = c.direction == CopyDirection::store;
  const TensorCopyCase one = c;
  c.lanes = lanes;
  const uint32_t all = random.one_in(4) && !store ? (1u << c.map.rank) - 1 : 1u << random.below(c.map.rank);
  for (uint32_t i = 0; i < c.map.rank; ++i)
    if ((all >> i & 1) != 0 && !is_slice(c, i)) c.lane_step[i] = lane_step(random, c, i);
  return make_room(random, one, c);
}

}  // namespace

void to_one_map(TensorCopyCase& c) {
  c.other_map_lanes = 0;
  c.other_map_address = c.other_map_less = 0;
}

void keep_lanes(TensorCopyCase& c, uint32_t lanes) {
  c.lanes = lanes;
  c.other_map_lanes &= static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
  if (lanes == 1 || c.other_map_lanes == 0) to_one_map(c);
  if (lanes > 1) return;
  c.lane_pitch = 0;
  c.in_a_row = false;
  c.lane_step = {};
}

void part_maps(Random& random, uint64_t written, TensorCopyCase& c) {
  const uint32_t last = c.map.rank - 1;
  // Of all lanes it would be the only map.
  c.other_map_lanes = random.between(1, (1u << c.lanes) - 2);
  if (last != 0 && random.one_in(2))
    c.other_map_less = random.below(static_cast<uint32_t>(std::min<uint64_t>(c.map.global_dim[last], 8)));
  uint64_t further = random.one_in(2) ? random.between(1, 64) : random.between(1, 1u << 15);
  if (c.direction == CopyDirection::store) further = written / 32 + random.between(1, 8);
  c.other_map_address = 32 * further;
}

void place_issue(Random random, uint32_t rarity, TensorCopyCase& c) {
  random = apart(random);
  const bool may_be_several =
      c.map.swizzle != swizzle_96B && c.transaction_delta == 0 && c.barrier_offset == 0;
  if (random.one_in(10 * rarity) && may_be_several) {
    for (uint32_t lanes : {random.between(2, 8), random.between(2, 3), 2u})
      if (add_lanes(random, lanes, c)) break;
  }
  if (c.lanes > 1 || random.one_in(8)) c.issuer_thread = 32 * random.below(4) + random.below(33 - c.lanes);
  c.in_a_row = c.lanes > 1 && random.one_in(3);
  random = apart(random);
  if (c.lanes == 1 || !random.one_in(2)) return;
  const TensorCopyCase one_map = c;
  uint64_t written = 0;
  for (uint32_t lane = 0; lane < c.lanes && c.direction == CopyDirection::store; ++lane)
    written = std::max(written, geometry(c.map, of_lane(c, lane).coord).touched_end);
  part_maps(random, written, c);
  make_room(random, one_map, c);
}

bool overlap_lanes(Random& random, uint32_t most, TensorCopyCase& c) {
  const TensorCopyCase one = c;
  c.lanes = random.between(2, std::max(2u, most));
  for (uint32_t i = 0; i < c.map.rank; ++i) {
    const uint32_t quantum = lane_quantum(c, i);
    if (random.one_in(4) && !is_slice(c, i))
      c.lane_step[i] = static_cast<int32_t>(quantum * random.below(1 + c.map.box_dim[i] / quantum / 2));
  }
  c.in_a_row = random.one_in(2);
  c.issuer_thread = 32 * random.below(4) + random.below(33 - c.lanes);
  return make_room(random, one, c);
}

void draw_receivers(Random& random, uint64_t index, uint32_t cluster_size, TensorCopyCase& c) {
  c.cluster_size = cluster_size;
  const uint32_t all = (1u << cluster_size) - 1;
  c.issuer_rank = static_cast<uint16_t>(random.below(cluster_size));
  const uint32_t own = 1u << c.issuer_rank;
  const uint32_t corners[] = {all, all & ~own, own, 0, 1u << (cluster_size - 1)};
  c.cta_mask = static_cast<uint16_t>(index % 2 == 0 ? corners[index / 2 % std::size(corners)]
                                                    : random.between(0, all));
}

void draw_cta_group(const CaseId& id, Random& random, TensorCopyCase& c) {
  c.cta_group = id.index % 4 == 3 ? 1 : 2;
  c.peer_barrier = c.cta_group == 2 && random.one_in(2);
  c.unicast = random.one_in(3);
  if (c.unicast) c.cta_mask = static_cast<uint16_t>(1u << random.below(c.cluster_size));
}

void draw_sole_receiver(const Random& random, uint64_t index, TensorCopyCase& c) {
  if (const uint16_t one = sole_receiver(random, index, c.cluster_size)) c.unicast = true, c.cta_mask = one;
}

void draw_hint(Random& random, TensorCopyCase& c) {
  c.cache_hint = random.one_in(8);
}
void draw_prefetch(Random& random, TensorCopyCase& c) {
  c.prefetch_first = random.one_in(8);
}
void draw_destination(Random& random, TensorCopyCase& c) {
  c.destination_cta = random.one_in(4);
}

void arm_otherwise(uint64_t index, const std::array<int32_t, 4>& more, const std::array<int32_t, 4>& less,
                   TensorCopyCase& c) {
  if (index % 3 == 0) return;
  const size_t turn = index / 3 % more.size();
  c.transaction_delta = index % 3 == 1 ? std::max(1, more[turn]) : -std::max(1, less[turn]);
}

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
