// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "generators/shrink_tree.h"
#include "generators/tensor_copy/gather.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "generators/tensor_copy/tiled_lanes.h"

namespace assay::gen {
namespace {

class GatherSteps {
 public:
  explicit GatherSteps(const GatherCase& from) : from_(from), fits_(fits_rig(from)) {}

  template <typename Change>
  void offer(Change change) {
    GatherCase c = from_;
    change(c);
    if (c == from_ || (fits_ && !fits_rig(c))) return;
    if (std::find(made.begin(), made.end(), c) == made.end()) made.push_back(c);
  }
  /// Plainest value, then halfway there, then one step nearer.
  template <typename Value, typename Field>
  void towards(Value plain, Field field) {
    GatherCase copy = from_;
    const Value now = field(copy);
    if (now == plain) return;
    offer([&](GatherCase& c) { field(c) = plain; });
    offer([&](GatherCase& c) { field(c) = static_cast<Value>(plain + (now - plain) / 2); });
    offer([&](GatherCase& c) { field(c) = static_cast<Value>(now < plain ? now + 1 : now - 1); });
  }

  std::vector<GatherCase> made;

 private:
  const GatherCase& from_;
  const bool fits_;
};

}  // namespace

std::vector<GatherCase> simpler(const GatherCase& c) {
  GatherSteps steps(c);
  const TensorMapArgs& m = c.tile.map;
  steps.offer([](GatherCase& s) { s.cta_group = 0, s.peer_barrier = s.unicast = false; });
  steps.offer([](GatherCase& s) { s.peer_barrier = false; });
  steps.offer([](GatherCase& s) { s.unicast = false; });
  if (c.tile.cluster_size > 1) {
    steps.offer([](GatherCase& s) {
      s.tile.cluster_size = 1;
      s.tile.cta_mask = s.tile.issuer_rank = 0;
      s.cta_group = 0, s.peer_barrier = s.unicast = false;
    });
    for (uint32_t bit = c.unicast ? 0 : c.tile.cta_mask; bit != 0; bit &= bit - 1)
      steps.offer([&](GatherCase& s) { s.tile.cta_mask &= static_cast<uint16_t>(~(bit & -bit)); });
    steps.offer([](GatherCase& s) { s.tile.issuer_rank = 0; });
  }
  if (c.tile.lanes > 1) {
    steps.offer([&](GatherCase& s) { s = of_lane(c, 0); });
    steps.offer([&](GatherCase& s) { s = of_lane(c, c.tile.lanes - 1); });
    if (c.tile.lanes > 2) steps.offer([](GatherCase& s) { keep_lanes(s.tile, s.tile.lanes - 1); });
    steps.offer([](GatherCase& s) { to_one_map(s.tile); });
    steps.offer([](GatherCase& s) { s.tile.in_a_row = false; });
    for (uint32_t i = 0; i < 5; ++i) steps.offer([i](GatherCase& s) { s.tile.lane_step[i] = 0; });
  }
  steps.offer([](GatherCase& s) { s.tile.spelling = 0; });
  if (c.tile.lanes == 1) steps.offer([](GatherCase& s) { s.tile.issuer_thread = 0; });
  for (bool TiledCase::*flag :
       {&TiledCase::prefetch_first, &TiledCase::destination_cta, &TiledCase::cache_hint})
    steps.offer([flag](GatherCase& s) { s.tile.*flag = false; });
  for (uint32_t TensorMapArgs::*code : {&TensorMapArgs::l2_promotion, &TensorMapArgs::oob_fill,
                                        &TensorMapArgs::swizzle, &TensorMapArgs::data_type})
    steps.towards(0u, [code](GatherCase& s) -> uint32_t& { return s.tile.map.*code; });
  steps.towards(16u, [](GatherCase& s) -> uint32_t& { return s.tile.map.box_dim[0]; });
  if (m.box_dim[0] > 1) steps.offer([&](GatherCase& s) { s.tile.map.box_dim[0] /= 2; });
  for (uint32_t i = 0; i < 5; ++i)
    steps.towards(0, [i](GatherCase& s) -> int32_t& { return s.tile.coord[i]; });
  for (uint32_t i = 0; i < 2; ++i) {
    steps.towards(uint64_t{16}, [i](GatherCase& s) -> uint64_t& { return s.tile.map.global_dim[i]; });
    steps.towards(1u, [i](GatherCase& s) -> uint32_t& { return s.tile.map.element_stride[i]; });
  }
  steps.towards(uint64_t{256}, [](GatherCase& s) -> uint64_t& { return s.tile.map.global_stride[0]; });
  steps.towards(128u, [](GatherCase& s) -> uint32_t& { return s.tile.tile_offset; });
  if (c.tile.direction == TiledDirection::load)
    steps.towards(uint64_t{0}, [](GatherCase& s) -> uint64_t& { return s.tile.map.global_address; });
  steps.offer([](GatherCase& s) { s.tile.fill_offset = 0; });
  steps.offer([](GatherCase& s) { s.tile.slot_fill_offset = 0; });
  return std::move(steps.made);
}

rc::Shrinkable<GatherCase> shrink_tree(const GatherCase& c, std::function<bool(const GatherCase&)> keep) {
  return kept_tree<GatherCase>(c, simpler, std::move(keep));
}

}  // namespace assay::gen
