// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_map/im2col_legality.h"

namespace assay::model {

/// Arbitrary legal im2col copies for the tests of this room, as RandomCase has tiled ones: every type, mode,
/// interleave and swizzle, pixel boxes and columns that hang over any edge, halos, strides padded,
/// overlapping or zero.
class RandomColumn {
 public:
  explicit RandomColumn(RandomCase& random) : random_(random) {}

  TensorCopyCase copy(spec::Arch arch) {
    const spec::Readings readings(arch);
    for (;;) {
      TensorCopyCase made = attempt(arch);
      spec::RuleSet rules;
      if (broken_column_map_rules(made.map, readings).any()) continue;
      if (end_of_issue(made, readings, rules) != End::done) continue;
      const CopyFootprint bytes = footprint(made, readings);
      if (bytes.global_end > RandomCase::arena_bytes || bytes.shared_bytes > window_limit) continue;
      made.window_bytes = (made.tile_offset + bytes.shared_bytes + 15) / 16 * 16 + 128;
      return made;
    }
  }

 private:
  static constexpr uint32_t window_limit = 64 * 1024;

  int32_t between(int32_t low, int32_t high) {
    return low + static_cast<int32_t>(random_.below(static_cast<uint64_t>(high - low + 1)));
  }

  TensorCopyCase attempt(spec::Arch arch) {
    TensorCopyCase made;
    made.mode = CopyMode::im2col;
    TensorMapArgs& map = made.map;
    const bool wide = spec::has_tcgen05(arch) && random_.one_in(3);
    made.map.wide = wide;
    made.direction = wide || random_.one_in(2) ? CopyDirection::load : CopyDirection::store;
    const spec::DataType* type;
    do type = &spec::data_types[random_.below(16)];
    while (!type->exists(arch));
    map.data_type = type->host;
    map.rank = made.instruction_rank = 3 + random_.below(3);
    map.interleave = !wide && random_.one_in(4) ? 1 + random_.below(2) : 0;
    map.swizzle = wide ? 2 + random_.below(3) : random_.below(7);
    map.oob_fill = type->is_float ? random_.below(2) : 0;
    map.global_address = 256 + 32 * random_.below(40);
    const bool is_padded = type->group_shared_bytes == 16;
    made.map.channels = is_padded ? 128 : (1 + random_.below(8)) * 128 / type->bits;
    made.map.pixels = 1 + random_.below(random_.one_in(4) ? 256 : 24);
    if (wide && random_.one_in(2)) made.map.wide_mode = 1;
    if (wide) made.mode = made.map.wide_mode == 1 ? CopyMode::w_128 : CopyMode::w;
    if (wide) made.w_halo = static_cast<uint16_t>(random_.below(6));
    if (wide) made.w_offset = static_cast<uint16_t>(random_.below(4));
    map.global_dim[0] = is_padded ? 128 * (1 + random_.below(2)) : 2 * (1 + random_.below(made.map.channels));
    uint64_t below =
        map.interleave != 0 ? map.global_dim[0] * 16 * map.interleave : map.global_dim[0] * type->bits / 8;
    for (uint32_t i = 1; i < map.rank; ++i) {
      map.global_dim[i] = 1 + random_.below(10);
      map.global_stride[i - 1] = (below + 31) / 32 * 32 + 32 * random_.below(2);
      if (random_.one_in(8)) map.global_stride[i - 1] = 32 * random_.below(4);
      below = map.global_stride[i - 1] * map.global_dim[i];
    }
    for (uint32_t i = 0; i < map.rank; ++i)
      map.element_stride[i] = random_.one_in(2) ? 1 : 1 + random_.below(4);
    const bool store = made.direction == CopyDirection::store;
    made.coord[map.rank - 1] = between(store ? 0 : -2, static_cast<int32_t>(map.global_dim[map.rank - 1]));
    if (map.interleave != 0) made.coord[map.rank - 2] = between(store ? 0 : -1, 4);
    if (map.interleave == 0) {
      const auto grain = is_padded ? 128 : static_cast<int32_t>(128 / type->bits);
      made.coord[0] = grain * between(store ? 0 : -2, 3);
    }
    for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) place_axis(made, k, store);
    made.tile_offset = 128 * random_.below(20);
    return made;
  }

  void place_axis(TensorCopyCase& made, uint32_t axis, bool store) {
    const uint32_t dimension = dimension_of_axis(made.map, axis);
    const auto extent = static_cast<int32_t>(made.map.global_dim[dimension]);
    if (made.map.wide && axis != 0) {
      made.coord[dimension] = between(-1, extent);
      return;
    }
    int32_t& lower = made.map.lower[axis] = between(store ? 0 : -3, store ? extent - 1 : 2);
    int32_t& upper = made.map.upper[axis] = between(std::max(-3, lower + 1 - extent), store ? 0 : 3);
    if (lower > extent - 1 + upper) lower = upper = 0;
    made.coord[dimension] = between(lower, extent - 1 + upper);
    if (!store) made.offset[axis] = static_cast<uint16_t>(random_.below(4));
  }

  RandomCase& random_;
};

}  // namespace assay::model
