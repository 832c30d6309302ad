// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "generators/tensor_copy/im2col_copy.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/im2col.h"

namespace assay::gen {
namespace {

const spec::Readings& of_every_map() {
  static const spec::Readings readings(spec::Arch::sm_103);
  return readings;
}

/// False: no such lanes fit.
bool place_lanes(Random& random, Im2colCase& c) {
  Im2colCase several = c;
  const bool store = c.direction == TiledDirection::store;
  several.lanes = store ? 2 : random.between(2, c.cluster_size > 1 ? 3 : 6);
  const model::TiledFootprint touched = model::footprint(c, of_every_map());
  several.lane_pitch = (touched.shared_bytes + 127) / 128 * 128 + 128 * random.below(3);
  const uint32_t end = c.tile_offset + (several.lanes - 1) * several.lane_pitch + touched.shared_bytes;
  several.window_bytes = (end + 128 + 15) / 16 * 16;
  if (several.window_bytes > rig::max_window_bytes / c.cluster_size) return false;
  several.fill_offset = std::min<uint64_t>(c.fill_offset, rig::arena_bytes - several.window_bytes);
  const TensorMapArgs& map = c.map.base;
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

bool lanes_fit(const Im2colCase& c) {
  if (c.transaction_delta != 0 || c.cta_group != 0) return false;
  const bool store = c.direction == TiledDirection::store;
  if (c.other_map_address % 32 != 0 || uint64_t{c.other_map_lanes} >> c.lanes != 0) return false;
  if (c.other_map_lanes == 0 && c.other_map_address != 0) return false;
  std::vector<model::TiledFootprint> touched;
  for (uint32_t lane = 0; lane < c.lanes; ++lane) {
    const Im2colCase one = of_lane(c, lane);
    spec::RuleSet unused;
    if (!fits_rig(one) || model::end_of_issue(one, of_every_map(), unused) != model::End::done) return false;
    touched.push_back(model::footprint(one, of_every_map()));
    if (c.lane_pitch % 128 != 0 || c.lane_pitch < touched.back().shared_bytes) return false;
    for (uint32_t other = 0; store && other < lane; ++other)
      if (touched[lane].global_begin < touched[other].global_end &&
          touched[other].global_begin < touched[lane].global_end)
        return false;
  }
  return true;
}

void add_lanes(Random random, uint32_t rarity, Im2colCase& c) {
  for (int times = 0; times < 6; ++times) random = apart(random);
  if (!random.one_in(8 * rarity)) return;
  for (int tries = 0; tries < 6; ++tries)
    if (place_lanes(random, c)) return;
}

}  // namespace assay::gen
