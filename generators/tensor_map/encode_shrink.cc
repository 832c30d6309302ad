// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_shrink.h"

#include <algorithm>

#include "generators/shrink_tree.h"

namespace assay::gen {
namespace {

class EncodeSteps {
 public:
  explicit EncodeSteps(const EncodeTiledCase& from) : from_(from) {}

  template <typename Change>
  void offer(Change change) {
    EncodeTiledCase c = from_;
    change(c);
    if (c != from_ && std::find(made.begin(), made.end(), c) == made.end()) made.push_back(c);
  }
  /// Plainest value, then halfway there, then one step nearer.
  template <typename Value, typename Field>
  void towards(Value plain, Field field) {
    EncodeTiledCase copy = from_;
    const Value now = field(copy);
    if (now == plain) return;
    offer([&](EncodeTiledCase& c) { field(c) = plain; });
    if (now < plain) return;
    offer([&](EncodeTiledCase& c) { field(c) = plain + (now - plain) / 2; });
    offer([&](EncodeTiledCase& c) { field(c) = plain + (now - plain) / 2 / 16 * 16; });
    offer([&](EncodeTiledCase& c) { field(c) = now - 1; });
  }

  std::vector<EncodeTiledCase> made;

 private:
  const EncodeTiledCase& from_;
};

}  // namespace

std::vector<EncodeTiledCase> simpler(const EncodeTiledCase& c) {
  EncodeSteps steps(c);
  const TensorMapArgs& m = c.map;
  // Entries at index >= rank are not read: plain first, so that a report shows what matters.
  steps.offer([](EncodeTiledCase& s) {
    for (uint32_t i = std::min(5u, s.map.rank); i < 5; ++i) {
      s.map.global_dim[i] = 0;
      s.map.box_dim[i] = s.map.element_stride[i] = 0;
      if (i >= 1) s.map.global_stride[i - 1] = 0;
    }
    if (s.map.rank == 0) s.map.global_stride.fill(0);
  });
  if (m.rank > 1 && m.rank <= 5) {
    steps.offer([](EncodeTiledCase& s) { s.map.rank = 1; });
    steps.offer([](EncodeTiledCase& s) { --s.map.rank; });
  }
  for (uint32_t bit = c.null_mask; bit != 0; bit &= bit - 1)
    steps.offer([&](EncodeTiledCase& s) { s.null_mask &= ~(bit & -bit); });
  if (c.replaces) {
    steps.offer([](EncodeTiledCase& s) { s.replaces = false, s.replacement = 0; });
    steps.towards(uint64_t{16}, [](EncodeTiledCase& s) -> uint64_t& { return s.replacement; });
  }
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map_offset; });
  steps.offer([](EncodeTiledCase& s) { s.before = 0xcd; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.l2_promotion; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.oob_fill; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.interleave; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.swizzle; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.data_type; });
  for (uint32_t i = 0; i < std::min(5u, m.rank); ++i) {
    steps.towards(i == 0 ? 16u : 1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.box_dim[i]; });
    steps.towards(1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{256}, [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_dim[i]; });
    if (i >= 1)
      steps.towards(uint64_t{1024} << (8 * (i - 1)),
                    [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_stride[i - 1]; });
  }
  steps.towards(uint64_t{0x100000}, [](EncodeTiledCase& s) -> uint64_t& { return s.map.global_address; });
  return std::move(steps.made);
}

rc::Shrinkable<EncodeTiledCase> shrink_tree(const EncodeTiledCase& c, KeepEncode keep) {
  return kept_tree<EncodeTiledCase>(c, simpler, std::move(keep));
}

}  // namespace assay::gen
