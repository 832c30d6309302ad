// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"

#include <algorithm>
#include <set>
#include <utility>

#include "generators/random.h"

namespace assay::gen {
namespace {

bool swizzle_goes_with(const spec::DataType& type, const spec::Swizzle& swizzle, CopyDirection direction) {
  if (!type.is_padded() || swizzle.host == spec::host_swizzle::none) return true;
  if (swizzle.host == spec::host_swizzle::by_128B || swizzle.host == spec::host_swizzle::by_128B_atom32B)
    return true;  // V-26
  return swizzle.host == spec::host_swizzle::by_128B_atom64B && type.host == spec::host_type::b6x16_p32 &&
         direction == CopyDirection::store;
}

bool reachable(const TiledCell& cell, spec::Arch arch, CopyDirection direction) {
  const spec::DataType& type = spec::data_types[cell.type];
  const spec::Swizzle& swizzle = spec::swizzles[cell.swizzle];
  if (!type.exists(arch) || !swizzle.exists(arch)) return false;
  if (!swizzle_goes_with(type, swizzle, direction)) return false;
  const bool store = direction == CopyDirection::store;
  if (store && type.host == spec::host_type::b4x16_p64) return false;  // b4x16_p64 is load only
  if (cell.interleave != 0 && (cell.rank < 3 || type.is_packed() || swizzle.host == swizzle_96B))
    return false;
  if (cell.interleave == spec::host_interleave::by_32B && swizzle.host > spec::host_swizzle::by_128B)
    return false;  // no document and no measurement allows it
  if (store && (cell.edge == Edge::lower || cell.edge == Edge::both)) return false;
  const bool whole_groups_only = type.is_padded();  // boxes and starts in steps of the whole inner box
  if (cell.rank == 1) {
    if (cell.strides != StrideClass::dense || cell.stepped) return false;
    if (whole_groups_only &&
        (cell.edge == Edge::lower || cell.edge == Edge::upper || cell.edge == Edge::both))
      return false;
  }
  if (cell.rank == 2 && cell.strides == StrideClass::descending) return false;
  return true;
}

std::vector<uint32_t> list_cells(spec::Arch arch, CopyDirection direction) {
  std::vector<uint32_t> list;
  for (uint32_t i = 0; i < tiled_cell_count; ++i)
    if (reachable(tiled_cell(i), arch, direction)) list.push_back(i);
  return list;
}

/// Padded types go with few swizzles, so that one with one of them is a cell of several hundred: in the first
/// five hundred of a walk one of eight changes places with the next of these, of each pair of the two by
/// turns.
void bring_padded_forward(std::vector<uint32_t>& list) {
  constexpr size_t first = 3, period = 8, reach = 512;
  std::set<std::pair<uint8_t, uint8_t>> had;
  for (size_t to = first; to < std::min(reach, list.size()); to += period) {
    const auto next = [&] {
      return std::find_if(list.begin() + static_cast<ptrdiff_t>(to), list.end(), [&](uint32_t index) {
        const TiledCell cell = tiled_cell(index);
        return spec::data_types[cell.type].is_padded() && cell.swizzle != 0 &&
               !had.contains({cell.type, cell.swizzle});
      });
    };
    auto found = next();
    if (found == list.end()) had.clear(), found = next();
    if (found == list.end()) return;
    const TiledCell cell = tiled_cell(*found);
    had.insert({cell.type, cell.swizzle});
    std::swap(list[to], *found);
  }
}

/// One list of cells for each architecture and direction.
class TiledCellLists {
 public:
  explicit TiledCellLists(bool shuffled) {
    for (int a = 0; a < spec::arch_count; ++a)
      for (int d = 0; d < 2; ++d) {
        std::vector<uint32_t>& list = lists_[a][d];
        list = list_cells(static_cast<spec::Arch>(a), static_cast<CopyDirection>(d));
        Random random(case_stream(0, "cells", 0));  // part of what a seed means: never change it
        for (size_t k = list.size(); shuffled && k > 1; --k)
          std::swap(list[k - 1], list[random.below(static_cast<uint32_t>(k))]);
        if (shuffled) bring_padded_forward(list);
      }
  }
  std::span<const uint32_t> of(spec::Arch arch, CopyDirection direction) const {
    return lists_[static_cast<int>(arch)][static_cast<int>(direction)];
  }

 private:
  std::array<std::array<std::vector<uint32_t>, 2>, spec::arch_count> lists_;
};

Edge edge_of(const TensorCopyCase& c, const TiledGeometry& g) {
  bool below = false, above = false;
  for (uint32_t i = 0; i < c.map.rank; ++i) {
    if (c.coord[i] >= 1 << 30 || c.coord[i] <= -(1 << 30)) return Edge::far;
    below |= g.first[i] < 0;
    above |= g.last[i] >= static_cast<int64_t>(c.map.global_dim[i]);
  }
  if (!g.any_inside) return Edge::outside;
  if (below) return above ? Edge::both : Edge::lower;
  return above ? Edge::upper : Edge::inside;
}

StrideClass strides_of(const TensorMapArgs& map) {
  using Wide = unsigned __int128;
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  const uint64_t granule = address_granule(map);
  Wide need = inner_bytes(type, map.interleave, map.global_dim[0]);
  bool overlaps = false, descends = false, padded = false;
  for (uint32_t i = 0; i + 1 < map.rank; ++i) {
    const uint64_t stride = map.global_stride[i];
    if (stride == 0) return StrideClass::zero;
    if (i > 0 && stride < map.global_stride[i - 1]) descends = true;
    if (stride < need) overlaps = true;
    if (stride > (need + granule - 1) / granule * granule) padded = true;
    need = Wide{stride} * map.global_dim[i + 1];
  }
  if (descends) return StrideClass::descending;
  if (overlaps) return StrideClass::overlapping;
  return padded ? StrideClass::padded : StrideClass::dense;
}

}  // namespace

uint32_t index_of(const TiledCell& cell) {
  uint32_t index = cell.type;
  index = index * 5 + (cell.rank - 1u);
  index = index * 3 + cell.interleave;
  index = index * 8 + cell.swizzle;
  index = index * 6 + static_cast<uint32_t>(cell.edge);
  index = index * 5 + static_cast<uint32_t>(cell.strides);
  return index * 2 + (cell.stepped ? 1 : 0);
}

TiledCell tiled_cell(uint32_t index) {
  const auto take = [&index](uint32_t n) {
    const uint32_t digit = index % n;
    index /= n;
    return static_cast<uint8_t>(digit);
  };
  TiledCell cell;
  cell.stepped = take(2) != 0;
  cell.strides = static_cast<StrideClass>(take(5));
  cell.edge = static_cast<Edge>(take(6));
  cell.swizzle = take(8);
  cell.interleave = take(3);
  cell.rank = static_cast<uint8_t>(take(5) + 1);
  cell.type = take(16);
  return cell;
}

std::string name_of(const TiledCell& cell) {
  std::string name(spec::data_types[cell.type].name);
  name += '/';
  name += static_cast<char>('0' + cell.rank);
  for (const std::string_view part :
       {spec::interleaves[cell.interleave].name, spec::swizzles[cell.swizzle].name,
        edge_names[static_cast<int>(cell.edge)], stride_names[static_cast<int>(cell.strides)]}) {
    name += '/';
    name += part;
  }
  if (cell.stepped) name += "+steps";
  return name;
}

TiledCell classify(const TensorCopyCase& c, const TiledGeometry& g) {
  TiledCell cell;
  cell.type = static_cast<uint8_t>(c.map.data_type & 15);
  cell.rank = static_cast<uint8_t>(std::clamp(c.map.rank, 1u, 5u));
  cell.interleave = static_cast<uint8_t>(std::min(c.map.interleave, 2u));
  cell.swizzle = static_cast<uint8_t>(c.map.swizzle == swizzle_96B ? 7 : c.map.swizzle & 7);
  cell.edge = edge_of(c, g);
  cell.strides = strides_of(c.map);
  for (uint32_t i = 0; i < c.map.rank; ++i) {
    const bool slice_dimension = cell.interleave != 0 && i == c.map.rank - 2;
    if (g.step[i] > 1 && !slice_dimension) cell.stepped = true;
  }
  return cell;
}

std::span<const uint32_t> reachable_cells(spec::Arch arch, CopyDirection direction) {
  static const TiledCellLists lists(false);
  return lists.of(arch, direction);
}

std::span<const uint32_t> cells_of_type(std::span<const uint32_t> cells, uint32_t type) {
  constexpr uint32_t of_type = tiled_cell_count / uint32_t{spec::data_types.size()};
  const auto first = std::lower_bound(cells.begin(), cells.end(), type * of_type);
  const auto end = std::lower_bound(first, cells.end(), (type + 1) * of_type);
  return {first, end};
}

std::span<const uint32_t> shuffled_cells(spec::Arch arch, CopyDirection direction) {
  static const TiledCellLists lists(true);
  return lists.of(arch, direction);
}

}  // namespace assay::gen
