// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// Arbitrary legal copies for the tests of this room: small tensors, every type, interleave and swizzle,
/// boxes that hang over any edge, strides padded, overlapping or zero.
class RandomCase {
 public:
  static constexpr uint32_t arena_bytes = 1 << 17;

  explicit RandomCase(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// 0..n-1.
  uint32_t below(uint64_t n) { return static_cast<uint32_t>(next() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  TensorCopyCase copy(spec::Arch arch) {
    const spec::Readings readings(arch);
    for (;;) {
      const TensorCopyCase made = attempt(arch);
      if (broken_map_rules(made.map, readings).any()) continue;
      spec::RuleSet rules;
      if (end_of_issue(made, readings, rules) != End::done) continue;
      const CopyFootprint bytes = footprint(made, readings);
      if (bytes.global_end > arena_bytes || made.tile_offset + bytes.shared_bytes > window_limit) continue;
      TensorCopyCase sized = made;
      sized.window_bytes = (made.tile_offset + bytes.shared_bytes + 15) / 16 * 16 + 128;
      return sized;
    }
  }

  /// A call of the encoder, legal about half of the time.
  EncodeTiledCase call(spec::Arch arch) {
    EncodeTiledCase made;
    made.map = attempt(arch).map;
    if (made.map.swizzle == swizzle_96B) made.map.swizzle = 0;
    made.before = static_cast<uint8_t>(next());
    made.map.global_address = 16 * (next() % (uint64_t{1} << 53));
    for (int spoilt = below(3); spoilt > 0; --spoilt) spoil(made);
    return made;
  }

 private:
  static constexpr uint32_t window_limit = 64 * 1024;

  TensorCopyCase attempt(spec::Arch arch) {
    TensorCopyCase made;
    TensorMapArgs& map = made.map;
    made.direction = one_in(2) ? CopyDirection::load : CopyDirection::store;
    const spec::DataType* type;
    do type = &spec::data_types[below(16)];
    while (!type->exists(arch));
    map.data_type = type->host;
    map.rank = 1 + below(5);
    const bool wide = type->is_packed() && type->group_shared_bytes == 16;
    map.interleave = map.rank >= 3 && !wide && one_in(3) ? 1 + below(2) : 0;
    const spec::Swizzle* swizzle;
    do swizzle = &spec::swizzles[below(8)];
    while (!swizzle->exists(arch));
    map.swizzle = swizzle->host;
    map.oob_fill = type->is_float ? below(2) : 0;
    map.l2_promotion = below(4);
    map.global_address = 256 + 32 * below(40);
    const uint32_t unit = map.interleave != 0 ? 16 * map.interleave : 1;
    uint32_t box_pieces = 1 + below(map.rank <= 2 ? 16 : 6);
    if (map.interleave == 0 && swizzle->span_bytes != 0) box_pieces = 1 + below(swizzle->span_bytes / 16);
    map.box_dim[0] = wide ? 128 : box_pieces * 128 / type->bits;
    map.global_dim[0] = 1 + below(map.box_dim[0] * 2);
    if (type->is_dense_packed()) map.global_dim[0] = (map.global_dim[0] + 1) / 2 * 2;
    if (wide) map.global_dim[0] = 128 * (1 + below(3));
    map.element_stride[0] = 1 + (map.interleave != 0 || one_in(3) ? below(8) : 0);
    uint64_t below_bytes =
        map.interleave != 0 ? map.global_dim[0] * uint64_t{unit} : map.global_dim[0] * type->bits / 8 + 1;
    for (uint32_t i = 1; i < map.rank; ++i) {
      map.global_dim[i] = 1 + below(12);
      map.box_dim[i] = 1 + below(map.rank >= 4 ? 5 : 12);
      map.element_stride[i] = one_in(2) ? 1 : 1 + below(8);
      uint64_t stride = (below_bytes + 31) / 32 * 32 + 32 * below(2);
      if (one_in(8)) stride = 32 * below(4);
      map.global_stride[i - 1] = stride;
      below_bytes = stride * map.global_dim[i];
    }
    made.instruction_rank = map.rank;
    const bool store = made.direction == CopyDirection::store;
    for (uint32_t i = 0; i < map.rank; ++i) {
      const int64_t extent = static_cast<int64_t>(map.global_dim[i]), box = map.box_dim[i];
      made.coord[i] = static_cast<int32_t>(below(static_cast<uint64_t>(extent + (store ? 2 : box) + 2))) -
                      static_cast<int32_t>(store ? 0 : box);
    }
    if (map.interleave == 0) {
      const int32_t grain = wide ? 128 : static_cast<int32_t>(128 / type->bits);
      made.coord[0] = made.coord[0] / grain * grain;
    }
    made.tile_offset = 128 * below(20);
    return made;
  }

  void spoil(EncodeTiledCase& call) {
    TensorMapArgs& map = call.map;
    const uint32_t i = below(5);
    static constexpr uint64_t edges[] = {
        0,          1,          8,    15, 16, 17, 255, 256, 257, 1ull << 31, 1ull << 32, (1ull << 32) + 1,
        1ull << 40, 1ull << 57, ~0ull};
    const uint64_t edge = edges[below(std::size(edges))];
    switch (below(14)) {
      case 0:
        map.global_address = edge;
        break;
      case 1:
        map.global_dim[i] = edge;
        break;
      case 2:
        map.global_stride[i % 4] = edge;
        break;
      case 3:
        map.box_dim[i] = static_cast<uint32_t>(edge);
        break;
      case 4:
        map.element_stride[i] = static_cast<uint32_t>(edge);
        break;
      case 5:
        map.data_type = below(20);
        break;
      case 6:
        map.rank = below(9);
        break;
      case 7:
        map.interleave = below(5);
        break;
      case 8:
        map.swizzle = below(9);
        break;
      case 9:
        map.l2_promotion = below(6);
        break;
      case 10:
        map.oob_fill = below(4);
        break;
      case 11:
        call.null_mask = 1 << i;
        break;
      case 12:
        call.map_offset = below(64);
        break;
      default:
        map.box_dim[i] = 250 + below(10);
        break;
    }
  }

  uint64_t state_;
};

/// Bytes in which every class of float is frequent.
inline std::vector<std::byte> test_arena(uint64_t seed) {
  RandomCase random(seed);
  std::vector<std::byte> bytes(RandomCase::arena_bytes);
  for (size_t at = 0; at < bytes.size(); at += 4) {
    uint32_t word = static_cast<uint32_t>(random.next());
    switch (random.below(8)) {
      case 0:
        word &= 0x807fffff;
        break;
      case 1:
        word |= 0x7f800000;
        break;
      case 2:
        word = (word & 0xffffe000) | 0x1000;
        break;
      case 3:
        word = (word & 0x80000000) | 0x7f7fe000 | (word & 0x1fff);
        break;
      default:
        break;
    }
    for (int i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(word >> (8 * i));
  }
  return bytes;
}

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
