// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "generators/shrink_tree.h"
#include "generators/tensor_copy/im2col_copy.h"
#include "generators/tensor_copy/tiled_lanes.h"

namespace assay::gen {
namespace {

class ColumnSteps {
 public:
  explicit ColumnSteps(const Im2colCase& from) : from_(from), fits_(fits_rig(from)) {}

  template <typename Change>
  void offer(Change change) {
    Im2colCase c = from_;
    change(c);
    if (c == from_ || (fits_ && !fits_rig(c))) return;
    if (std::find(made.begin(), made.end(), c) == made.end()) made.push_back(c);
  }
  /// Plainest value, then halfway there, then one step nearer.
  template <typename Value, typename Field>
  void towards(Value plain, Field field) {
    Im2colCase copy = from_;
    const Value now = field(copy);
    if (now == plain) return;
    offer([&](Im2colCase& c) { field(c) = plain; });
    offer([&](Im2colCase& c) { field(c) = static_cast<Value>(plain + (now - plain) / 2); });
    offer([&](Im2colCase& c) { field(c) = static_cast<Value>(now < plain ? now + 1 : now - 1); });
  }

  std::vector<Im2colCase> made;

 private:
  const Im2colCase& from_;
  const bool fits_;
};

}  // namespace

std::vector<Im2colCase> simpler(const Im2colCase& c) {
  ColumnSteps steps(c);
  const uint32_t rank = std::min(5u, c.map.base.rank), axes = spatial_axes(rank);
  const auto channels = [](Im2colCase& s) -> uint32_t& { return s.map.channels; };
  steps.towards(1u, [](Im2colCase& s) -> uint32_t& { return s.map.pixels; });
  steps.towards(uint16_t{0}, [](Im2colCase& s) -> uint16_t& { return s.w_halo; });
  steps.towards(uint16_t{0}, [](Im2colCase& s) -> uint16_t& { return s.w_offset; });
  if (c.mode == Im2colMode::w_128)
    steps.offer([](Im2colCase& s) { s.mode = Im2colMode::w, s.map.wide_mode = 0, s.map.pixels = 128; });
  // Without it a load of mode im2col is a case of another property.
  if (is_wide(c)) steps.offer([](Im2colCase& s) { s.cta_group = 0, s.peer_barrier = s.unicast = false; });
  steps.offer([](Im2colCase& s) { s.peer_barrier = false; });
  steps.offer([](Im2colCase& s) { s.unicast = false; });
  if (c.cluster_size > 1 && is_wide(c))
    steps.offer([](Im2colCase& s) {
      s.cluster_size = 1, s.cta_mask = s.issuer_rank = 0;
      s.cta_group = 0, s.peer_barrier = s.unicast = false;
    });
  if (c.lanes > 1) {
    steps.offer([&](Im2colCase& s) { s = of_lane(c, 0); });
    steps.offer([&](Im2colCase& s) { s = of_lane(c, c.lanes - 1); });
    if (c.lanes > 2) steps.offer([](Im2colCase& s) { keep_lanes(s, s.lanes - 1); });
    steps.offer([](Im2colCase& s) { to_one_map(s); });
    steps.offer([](Im2colCase& s) { s.in_a_row = false; });
    for (uint32_t i = 0; i < 5; ++i) steps.offer([i](Im2colCase& s) { s.lane_step[i] = 0; });
  }
  steps.offer([](Im2colCase& s) { s.issuer_thread = 0; });
  steps.offer([](Im2colCase& s) { s.spelling = 0; });
  for (bool Im2colCase::*flag :
       {&Im2colCase::prefetch_first, &Im2colCase::destination_cta, &Im2colCase::cache_hint})
    steps.offer([flag](Im2colCase& s) { s.*flag = false; });
  for (uint32_t TensorMapArgs::*code : {&TensorMapArgs::l2_promotion, &TensorMapArgs::oob_fill,
                                        &TensorMapArgs::swizzle, &TensorMapArgs::data_type})
    steps.towards(0u, [code](Im2colCase& s) -> uint32_t& { return s.map.base.*code; });
  steps.towards(16u, channels);
  if (c.map.channels > 1) steps.offer([&](Im2colCase& s) { channels(s) /= 2; });
  for (uint32_t k = 0; k < axes; ++k) {
    steps.towards(uint16_t{0}, [k](Im2colCase& s) -> uint16_t& { return s.offset[k]; });
    steps.towards(0, [k](Im2colCase& s) -> int32_t& { return s.map.lower[k]; });
    steps.towards(0, [k](Im2colCase& s) -> int32_t& { return s.map.upper[k]; });
  }
  for (uint32_t i = 0; i < rank; ++i) {
    steps.towards(1u, [i](Im2colCase& s) -> uint32_t& { return s.map.base.element_stride[i]; });
    steps.towards(0, [i](Im2colCase& s) -> int32_t& { return s.coord[i]; });
    steps.towards(uint64_t{16}, [i](Im2colCase& s) -> uint64_t& { return s.map.base.global_dim[i]; });
  }
  for (uint32_t i = 0; i + 1 < rank; ++i)
    steps.towards(uint64_t{256} << (4 * i),
                  [i](Im2colCase& s) -> uint64_t& { return s.map.base.global_stride[i]; });
  steps.towards(128u, [](Im2colCase& s) -> uint32_t& { return s.tile_offset; });
  if (c.direction == TiledDirection::load)
    steps.towards(uint64_t{0}, [](Im2colCase& s) -> uint64_t& { return s.map.base.global_address; });
  steps.offer([](Im2colCase& s) { s.fill_offset = 0; });
  steps.offer([](Im2colCase& s) { s.slot_fill_offset = 0; });
  return std::move(steps.made);
}

rc::Shrinkable<Im2colCase> shrink_tree(const Im2colCase& c, std::function<bool(const Im2colCase&)> keep) {
  return kept_tree<Im2colCase>(c, simpler, std::move(keep));
}

}  // namespace assay::gen
