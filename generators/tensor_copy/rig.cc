// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/mode.h"

/// What fits the rig, and lanes that do, of copies of rows and of columns; of boxes tiled_build.h tells.
namespace assay::gen {
namespace {

const spec::Readings& of_every_map() {
  static const spec::Readings readings(spec::arch_with_every_map);
  return readings;
}

/// A copy by one lane.
bool one_fits(const TensorCopyCase& c) {
  if (is_gather(c) ? c.map.rank != 2 || c.map.interleave != 0 || c.instruction_rank != 2 ||
                         c.map.swizzle == swizzle_96B
                   : c.instruction_rank < 3 || c.instruction_rank > 5 || c.map.wide != is_wide(c))
    return false;
  if (model::broken_map_rules(c, of_every_map()).any()) return false;
  if (c.window_bytes % 16 != 0 || c.window_bytes > rig::max_window_bytes) return false;
  if (c.fill_offset % 16 != 0 || c.fill_offset + c.window_bytes > rig::arena_bytes) return false;
  if (is_store(c) && (c.slot_bytes % 16 != 0 || c.slot_fill_offset % 16 != 0 ||
                      c.slot_fill_offset + c.slot_bytes > rig::arena_bytes))
    return false;
  const model::CopyFootprint touched = model::footprint(c, of_every_map());
  const uint64_t room = is_store(c) ? c.slot_bytes : rig::arena_bytes;
  return c.tile_offset + touched.shared_bytes <= c.window_bytes && c.map.global_address < room &&
         (is_gather(c) ? touched.global_end : touched_end(c, spec::arch_with_every_map)) <= room;
}

/// What a lane touches: a range, of gather4 one a row.
std::vector<model::CopyFootprint> ranges_of(const TensorCopyCase& one) {
  if (!is_gather(one)) return {model::footprint(one, of_every_map())};
  std::vector<model::CopyFootprint> rows;
  for (uint32_t q = 0; q < gathered_rows; ++q)
    rows.push_back(model::footprint(model::row_of(one, q, of_every_map()), of_every_map()));
  return rows;
}

/// Whether each lane's copy could stand alone, its tile lies behind that of the lane before, and none stores
/// what another stores.
bool lanes_fit(const TensorCopyCase& c) {
  if (c.transaction_delta != 0 || (is_column(c) && (c.cta_group != 0 || c.other_map_less != 0))) return false;
  if (!other_map_fits(c)) return false;
  std::vector<model::CopyFootprint> stored;
  for (uint32_t lane = 0; lane < c.lanes; ++lane) {
    const TensorCopyCase one = of_lane(c, lane);
    spec::RuleSet unused;
    if (!one_fits(one) || model::end_of_issue(one, of_every_map(), unused) != model::End::done) return false;
    if (c.lane_pitch % 128 != 0 || c.lane_pitch < model::footprint(one, of_every_map()).shared_bytes)
      return false;
    if (!is_store(c)) continue;
    const std::vector<model::CopyFootprint> ranges = ranges_of(one);
    for (const model::CopyFootprint& range : ranges)
      for (const model::CopyFootprint& other : stored)
        if (range.global_begin < other.global_end && other.global_begin < range.global_end) return false;
    stored.insert(stored.end(), ranges.begin(), ranges.end());
  }
  return true;
}

/// Lanes with four rows each. False: they do not fit.
bool place_lanes_of_rows(Random& random, TensorCopyCase& c) {
  TensorCopyCase t = c;
  t.lanes = random.between(2, t.cluster_size > 1 ? 3 : 8);
  const uint32_t bytes = model::footprint(c, of_every_map()).shared_bytes;
  t.lane_pitch = (bytes + 127) / 128 * 128 + 128 * random.below(3);
  t.window_bytes = (t.tile_offset + (t.lanes - 1) * t.lane_pitch + bytes + 128 + 15) / 16 * 16;
  t.fill_offset = std::min<uint64_t>(t.fill_offset, rig::arena_bytes - t.window_bytes);
  const auto quantum = static_cast<int32_t>(coordinate_quantum(spec::data_types[t.map.data_type], 0));
  if (random.one_in(2)) t.lane_step[0] = quantum * (static_cast<int32_t>(random.below(7)) - 3);
  // Rows of stores lie apart most often where those of a lane begin behind those of the lane before.
  const bool store = is_store(t);
  const auto rows = static_cast<int32_t>(random.between(1, 40));
  for (uint32_t i = 1; i < 5; ++i) t.lane_step[i] = store ? rows : static_cast<int32_t>(random.below(9)) - 4;
  const auto end_of = [&](uint32_t lane) {
    return model::footprint(of_lane(t, lane), of_every_map()).global_end;
  };
  if (Random maps = apart(random); maps.one_in(2)) {
    uint64_t end = t.map.global_address;
    for (uint32_t lane = 0; store && lane < t.lanes; ++lane) end = std::max(end, end_of(lane));
    part_maps(maps, end - t.map.global_address, t);
  }
  for (uint32_t lane = t.other_map_lanes & 1 ? 0 : 1; store && lane < t.lanes; ++lane) {
    const uint64_t end = end_of(lane);
    if (end + 128 > rig::max_slot_bytes) return false;
    t.slot_bytes = std::max(t.slot_bytes, static_cast<uint32_t>(end + 128 + 15) / 16 * 16);
  }
  t.slot_fill_offset = std::min<uint64_t>(t.slot_fill_offset, rig::arena_bytes - t.slot_bytes);
  t.issuer_thread = 32 * random.below(4) + random.below(33 - t.lanes);
  t.in_a_row = random.one_in(3);
  if (uint64_t{t.window_bytes} * t.cluster_size > rig::max_window_bytes || !lanes_fit(t)) return false;
  c = t;
  return true;
}

/// Lanes with a column each. False: they do not fit.
bool place_lanes_of_columns(Random& random, TensorCopyCase& c) {
  TensorCopyCase several = c;
  const bool store = is_store(c);
  several.lanes = store ? 2 : random.between(2, c.cluster_size > 1 ? 3 : 6);
  const model::CopyFootprint touched = model::footprint(c, of_every_map());
  several.lane_pitch = (touched.shared_bytes + 127) / 128 * 128 + 128 * random.below(3);
  const uint32_t end = c.tile_offset + (several.lanes - 1) * several.lane_pitch + touched.shared_bytes;
  several.window_bytes = (end + 128 + 15) / 16 * 16;
  if (several.window_bytes > rig::max_window_bytes / c.cluster_size) return false;
  several.fill_offset = std::min<uint64_t>(c.fill_offset, rig::arena_bytes - several.window_bytes);
  const TensorMapArgs& map = c.map;
  for (uint32_t i = 1; i < map.rank && !store; ++i)
    if (random.one_in(2)) several.lane_step[i] = static_cast<int32_t>(random.below(5)) - 2;
  several.in_a_row = random.one_in(3);
  if (!store && random.one_in(2)) {
    several.other_map_lanes = random.between(1, (1u << several.lanes) - 2);
    several.other_map_address = 32 * random.between(1, 1u << random.below(12));
  }
  if (store) {
    const uint64_t behind = touched.global_end - map.global_address;
    several.other_map_lanes = 2;
    several.other_map_address = (behind + 31) / 32 * 32 + 32 * random.below(8);
    const uint64_t slot = (touched.global_end + several.other_map_address + 128 + 15) / 16 * 16;
    if (slot > rig::max_slot_bytes) return false;
    several.slot_bytes = std::max(c.slot_bytes, static_cast<uint32_t>(slot));
    several.slot_fill_offset = std::min<uint64_t>(c.slot_fill_offset, rig::arena_bytes - several.slot_bytes);
  }
  several.issuer_thread = 32 * random.below(4) + random.below(33 - several.lanes);
  if (!lanes_fit(several)) return false;
  c = several;
  return true;
}

}  // namespace

bool fits_rig(const TensorCopyCase& c) {
  if (c.mode == CopyMode::tile) return fits_rig(c, geometry(c.map, c.coord));
  return c.lanes > 1 ? lanes_fit(c) : one_fits(c);
}

void add_lanes(Random& random, TensorCopyCase& c) {
  for (int tries = 0; tries < 6; ++tries)
    if (is_gather(c) ? place_lanes_of_rows(random, c) : place_lanes_of_columns(random, c)) return;
}

}  // namespace assay::gen
