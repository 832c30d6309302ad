// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/program_edit.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/rig.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {

std::vector<MapStep> edits_of_whole_map(const TensorMapArgs& map, spec::Arch arch) {
  std::vector<MapStep> edits;
  const auto add = [&](MapOp op, uint32_t ordinal, uint64_t value) {
    edits.push_back({op, static_cast<uint8_t>(ordinal), 0, value});
  };
  const spec::Swizzle& swizzle = *spec::find_swizzle(map.swizzle);
  add(MapOp::global_address, 0, map.global_address);
  add(MapOp::rank, 0, map.rank - 1);
  for (uint32_t i = 0; i < map.rank; ++i) {
    add(MapOp::box_dim, i, map.box_dim[i]);
    add(MapOp::global_dim, i, map.global_dim[i] & 0xffffffff);
    add(MapOp::element_stride, i, map.element_stride[i]);
    if (i + 1 < map.rank) add(MapOp::global_stride, i, map.global_stride[i]);
  }
  add(MapOp::elemtype, 0, spec::data_types[map.data_type].elemtype);
  add(MapOp::interleave_layout, 0, map.interleave);
  add(MapOp::swizzle_mode, 0, swizzle.is_96B ? 4 : swizzle.width_code);
  if (spec::has_tcgen05(arch)) add(MapOp::swizzle_atomicity, 0, swizzle.atomicity_code);
  add(MapOp::fill_mode, 0, map.oob_fill);
  return edits;
}

std::vector<MapStep> edits_between(const TensorMapArgs& from, const TensorMapArgs& to, spec::Arch arch) {
  const std::vector<MapStep> before = edits_of_whole_map(from, arch);
  std::vector<MapStep> edits = edits_of_whole_map(to, arch);
  std::erase_if(edits, [&](const MapStep& edit) {
    return std::find(before.begin(), before.end(), edit) != before.end();
  });
  return edits;
}

void disguise(Random& random, MapStep& edit) {
  if (!random.one_in(4)) return;
  switch (edit.op) {
    case MapOp::rank:
      edit.value += 8 * random.below(1 << 20);
      break;
    case MapOp::box_dim:
      edit.value = edit.value == 256 ? 0 : edit.value + 256 * random.below(1 << 20);
      break;
    case MapOp::element_stride:
      edit.value = edit.value == 8 ? 0 : edit.value + 8 * random.below(1 << 20);
      break;
    case MapOp::global_stride:
      edit.value += random.below(16) + (random.below64(1 << 20) << 40);
      break;
    default:
      break;
  }
}

void change_one(Random& random, spec::Arch arch, TensorCopyCase& copy) {
  TensorMapArgs& map = copy.map;
  const uint32_t i = random.below(map.rank);
  switch (random.below(9)) {
    case 0:
    case 1: {
      const uint64_t unit = address_granule(map);
      map.global_address = random.below64(rig::arena_bytes / unit) * unit;
      break;
    }
    case 2:
      map.global_dim[i] = random.log_uniform(1, std::max<uint64_t>(2, 2 * map.global_dim[i]));
      break;
    case 3:
      if (i != 0) map.box_dim[i] = random.between(1, std::min(256u, 2 * map.box_dim[i]));
      break;
    case 4:
      map.element_stride[i] = random.between(1, 8);
      break;
    case 5: {
      // Types of the same width, by which nothing else has to change.
      const spec::DataType& old = spec::data_types[map.data_type];
      const spec::DataType& type = spec::data_types[random.below(13)];
      if (type.bits == old.bits && type.exists(arch)) map.data_type = type.host;
      break;
    }
    case 6:
      map.oob_fill ^= 1;
      break;
    case 7:
      map.swizzle = random.below(4);
      break;
    default:
      // Around the end, where a coordinate is one of the largest.
      copy.coord[i] = static_cast<int32_t>(static_cast<uint32_t>(copy.coord[i]) + random.between(0, 64) - 32);
      if (i == 0) copy.coord[0] = copy.coord[0] / 128 * 128;
      break;
  }
  if (map.rank > 1 && random.one_in(6)) {
    uint64_t& stride = map.global_stride[random.below(map.rank - 1)];
    stride = random.below(64) * 32;
  }
}

}  // namespace assay::gen
