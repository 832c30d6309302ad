// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"

#include <algorithm>
#include <vector>

#include "reference/model/rig.h"

namespace assay::gen {
namespace {

constexpr uint64_t far_away = uint64_t{1} << 62;

/// a / step rounded up. Steps are nearly always 1.
int64_t rounded_up(int64_t a, int64_t step) {
  return step == 1 ? a : (a + step - 1) / step;
}

uint64_t saturating_multiply(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return product > far_away ? far_away : static_cast<uint64_t>(product);
}

}  // namespace

uint32_t address_granule(const TensorMapArgs& map) {
  return map.interleave == spec::host_interleave::by_32B || map.data_type == spec::host_type::b4x16_p64 ||
                 map.data_type == spec::host_type::b6x16_p32
             ? 32
             : 16;
}

uint32_t box_quantum(const spec::DataType& type, uint32_t interleave) {
  if (type.is_packed()) return type.is_dense_packed() ? 32 : 128;
  (void)interleave;  // the driver asks for whole 16 bytes of elements on interleaved maps too
  return 16 / (type.bits / 8);
}

uint32_t coordinate_quantum(const spec::DataType& type, uint32_t interleave) {
  if (interleave != 0) return 1;
  return box_quantum(type, interleave);
}

uint64_t inner_bytes(const spec::DataType& type, uint32_t interleave, uint64_t elements) {
  if (interleave != 0)
    return saturating_multiply(elements, interleave == spec::host_interleave::by_16B ? 16 : 32);
  return saturating_multiply(elements, type.bits) / 8;
}

namespace {

/// Of an interleaved map the chosen slice, or all of its box (TMA-AMB-12).
TiledGeometry walked(const TensorMapArgs& map, const std::array<int32_t, 5>& coord, bool all_slices) {
  TiledGeometry g;
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  const int rank = static_cast<int>(map.rank);
  const bool interleaved = map.interleave != 0;
  g.any_inside = true;
  uint64_t rows = 1;
  for (int i = 0; i < rank; ++i) {
    const bool acts = i > 0 || interleaved;
    const uint32_t step = acts ? std::max(1u, map.element_stride[i]) : 1;
    uint32_t count = step == 1 ? map.box_dim[i] : (map.box_dim[i] + step - 1) / step;
    if (interleaved && i == rank - 2 && !all_slices) count = 1;
    g.step[i] = step;
    g.count[i] = count;
    g.first[i] = coord[i];
    g.last[i] = g.first[i] + int64_t{count - 1} * step;
    // Lowest visited index >= 0 and highest visited index < D.
    const int64_t below_zero = g.first[i] < 0 ? rounded_up(-g.first[i], step) : 0;
    g.low_in[i] = g.first[i] + below_zero * step;
    const auto dim = static_cast<int64_t>(std::min<uint64_t>(map.global_dim[i], uint64_t{1} << 33));
    const int64_t over = g.last[i] >= dim ? rounded_up(g.last[i] - dim + 1, step) : 0;
    g.high_in[i] = g.last[i] - over * step;
    if (g.high_in[i] < g.low_in[i]) g.any_inside = false;
    if (i > 0) rows *= count;
  }
  uint64_t inner = inner_bytes(type, map.interleave, g.count[0]), pitch = inner;
  if (!interleaved) {
    if (type.is_packed()) pitch = uint64_t{g.count[0]} / type.group * type.group_shared_bytes;
    if (const spec::Swizzle* swizzle = spec::find_swizzle(map.swizzle); swizzle && map.swizzle != swizzle_96B)
      pitch = std::max<uint64_t>(pitch, swizzle->span_bytes);
    if (map.swizzle == swizzle_96B)
      pitch = std::max<uint64_t>(pitch, 128);  // room for either reading of the pitch
  }
  g.transaction_bytes = rows * inner;
  g.shared_bytes = rows * pitch;
  return g;
}

}  // namespace

TiledGeometry visited(const TensorMapArgs& map, const std::array<int32_t, 5>& coord) {
  return walked(map, coord, false);
}

void touch(const TensorMapArgs& map, const std::array<int32_t, 5>& coord, TiledGeometry& g) {
  g.touched_begin = g.touched_end = 0;
  const TiledGeometry most = map.interleave != 0 ? walked(map, coord, true) : g;
  if (!most.any_inside) return;
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  g.touched_begin = inner_bytes(type, map.interleave, static_cast<uint64_t>(most.low_in[0]));
  const uint64_t end = inner_bytes(type, map.interleave, static_cast<uint64_t>(most.high_in[0]) + 1);
  g.touched_end = (end + 15) / 16 * 16;
  for (uint32_t i = 1; i < map.rank; ++i) {
    const uint64_t low = saturating_multiply(static_cast<uint64_t>(most.low_in[i]), map.global_stride[i - 1]);
    const uint64_t high =
        saturating_multiply(static_cast<uint64_t>(most.high_in[i]), map.global_stride[i - 1]);
    g.touched_begin = std::min(far_away, g.touched_begin + low);
    g.touched_end = std::min(far_away, g.touched_end + high);
  }
}

TiledGeometry geometry(const TensorMapArgs& map, const std::array<int32_t, 5>& coord) {
  TiledGeometry g = visited(map, coord);
  touch(map, coord, g);
  return g;
}

uint32_t image_bytes(const TensorCopyCase& c, const TiledGeometry& g) {
  uint64_t image = g.shared_bytes;
  if (c.map.interleave != 0) {
    // Room for either reading of TMA-AMB-12: a device that walks the channel slices writes all of them.
    const uint32_t i = c.map.rank - 2, step = std::max(1u, c.map.element_stride[i]);
    image *= (c.map.box_dim[i] + step - 1) / step;
  }
  return static_cast<uint32_t>(std::min<uint64_t>((image + 127) / 128 * 128, 1u << 30));
}

uint32_t smallest_window(const TensorCopyCase& c, const TiledGeometry& g) {
  const uint64_t image_end = c.tile_offset + uint64_t{c.lanes - 1} * c.lane_pitch + image_bytes(c, g);
  return static_cast<uint32_t>(std::min<uint64_t>((image_end + guard_bytes + 15) / 16 * 16, 1u << 30));
}

namespace {

/// Behind what the copy of a lane touches.
uint64_t lane_end(const TensorCopyCase& c, uint32_t lane) {
  const TensorCopyCase one = of_lane(c, lane);
  return one.map.global_address + geometry(one.map, one.coord).touched_end;
}

}  // namespace

uint64_t smallest_slot(const TensorCopyCase& c, const TiledGeometry& g) {
  uint64_t end = c.map.global_address + g.touched_end;
  for (uint32_t lane = 0; c.lanes > 1 && lane < c.lanes; ++lane) end = std::max(end, lane_end(c, lane));
  return (end + guard_bytes + 15) / 16 * 16;
}

bool other_map_fits(const TensorCopyCase& c) {
  if (c.other_map_lanes == 0) return c.other_map_address == 0 && c.other_map_less == 0;
  if (c.lanes < 2 || uint64_t{c.other_map_lanes} >> c.lanes != 0 || c.other_map_address % 32 != 0)
    return false;
  if (c.map.rank < 2 || c.map.rank > 5) return c.other_map_less == 0;
  return c.other_map_less == 0 || c.other_map_less < c.map.global_dim[c.map.rank - 1];
}

namespace {

/// Whether the lanes' boxes have no byte of global memory in common, by the same walk that tells whether rows
/// of a box may overlap. They lie further on in one dimension.
bool stores_lie_apart(const TensorCopyCase& c, const TiledGeometry& g) {
  struct Walk {
    uint64_t step, count;
  };
  std::vector<Walk> walks;
  const spec::DataType& type = spec::data_types[c.map.data_type & 15];
  uint64_t further = 0;
  for (uint32_t i = 0; i < c.map.rank; ++i) {
    if (i != 0 && g.count[i] > 1)
      walks.push_back({c.map.global_stride[i - 1] * static_cast<uint64_t>(g.step[i]), g.count[i]});
    if (c.lane_step[i] == 0) continue;
    if (c.lane_step[i] < 0 || further != 0) return false;
    const auto step = static_cast<uint64_t>(c.lane_step[i]);
    further = i == 0 ? inner_bytes(type, c.map.interleave, step) : c.map.global_stride[i - 1] * step;
  }
  walks.push_back({further, c.lanes});
  std::stable_sort(walks.begin(), walks.end(), [](const Walk& a, const Walk& b) { return a.step < b.step; });
  const uint64_t row = inner_bytes(type, c.map.interleave, static_cast<uint64_t>(g.count[0] * g.step[0]));
  unsigned __int128 extent = (row + 15) / 16 * 16;
  for (const Walk& walk : walks) {
    if (walk.step < extent) return false;
    extent += static_cast<unsigned __int128>(walk.step) * (walk.count - 1);
  }
  return true;
}

bool lanes_fit(const TensorCopyCase& c, const TiledGeometry& g) {
  if (c.map.swizzle == swizzle_96B) return false;  // the kernel changes the map of one lane alone
  if (!other_map_fits(c)) return false;
  if (c.lane_pitch % 128 != 0 || c.lane_pitch < image_bytes(c, g)) return false;
  for (uint32_t i = 0; i < 5; ++i) {
    const int64_t last = c.coord[i] + (int64_t{c.lanes} - 1) * c.lane_step[i];
    if ((i >= c.map.rank && c.lane_step[i] != 0) || last < INT32_MIN || last > INT32_MAX) return false;
  }
  if (c.direction == CopyDirection::store && c.other_map_lanes != 0) {
    // The other tensor begins behind all that the lanes would write by the first map.
    TensorCopyCase first = c;
    first.other_map_lanes = 0;
    for (uint32_t lane = 0; lane < c.lanes; ++lane)
      if (lane_end(first, lane) > c.map.global_address + c.other_map_address) return false;
  }
  if (c.reduction != TensorReduction::none)
    return *std::min_element(c.lane_step.begin(), c.lane_step.end()) >= 0;
  if (c.direction == CopyDirection::store) return stores_lie_apart(c, g);
  for (uint32_t lane = 0; lane < c.lanes; ++lane)
    if (lane_end(c, lane) > rig::arena_bytes) return false;
  return true;
}

}  // namespace

bool fits_rig(const TensorCopyCase& c, const TiledGeometry& g) {
  if (c.lanes > 1 && !lanes_fit(c, g)) return false;
  if (c.window_bytes % 16 != 0 || c.window_bytes > rig::max_window_bytes) return false;
  if (c.fill_offset % 16 != 0 || c.fill_offset + c.window_bytes > rig::arena_bytes) return false;
  if (c.tile_offset < guard_bytes || smallest_window(c, g) > c.window_bytes) return false;
  if (c.direction == CopyDirection::load)
    return c.map.global_address < rig::arena_bytes &&
           c.map.global_address + g.touched_end <= rig::arena_bytes;
  if (c.slot_bytes % 16 != 0 || c.slot_bytes > rig::max_slot_bytes) return false;
  if (c.slot_fill_offset % 16 != 0 || c.slot_fill_offset + c.slot_bytes > rig::arena_bytes) return false;
  return c.map.global_address >= guard_bytes && smallest_slot(c, g) <= c.slot_bytes;
}

namespace {

constexpr uint64_t stride_limit = uint64_t{1} << 40;

/// Bytes from index 0 to behind the last element that matters in each dimension.
struct Chain {
  uint64_t granule;
  uint64_t round(uint64_t bytes) const { return (bytes + granule - 1) / granule * granule; }
};

/// Extents beyond what is visited, without moving an edge: only a dimension whose last visited index is
/// inside. False where there is none.
bool widen(Random& random, const TiledGeometry& g, TensorMapArgs& map) {
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  bool widened = false;
  for (int i = 0; i < static_cast<int>(map.rank) - 1; ++i)
    if (g.last[i] < static_cast<int64_t>(map.global_dim[i]) && (!widened || random.one_in(2))) {
      const uint64_t unit = i == 0 && type.is_packed() ? 128 : 1;
      const uint64_t most = 64 + 2 * static_cast<uint64_t>(g.last[i] + 1);
      map.global_dim[i] =
          std::min<uint64_t>(map.global_dim[i] + unit * random.between64(33, most + 33), 1u << 31);
      widened = true;
    }
  return widened;
}

}  // namespace

bool assign_strides(Random& random, const StrideWish& wish, const TiledGeometry& g, TensorMapArgs& map) {
  const int rank = static_cast<int>(map.rank);
  if (rank == 1) return wish.wanted == StrideClass::dense;
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  const Chain chain{address_granule(map)};
  // What a dimension spans: its extent, or only what is visited where the class says that extents overlap.
  const bool by_visited =
      wish.no_overlap && (wish.wanted == StrideClass::overlapping || wish.wanted == StrideClass::descending ||
                          wish.wanted == StrideClass::zero);
  const auto span = [&](int i) {
    if (!by_visited) return map.global_dim[i];
    return g.any_inside ? static_cast<uint64_t>(g.high_in[i]) + 1 : std::min<uint64_t>(map.global_dim[i], 4);
  };
  if (wish.wanted == StrideClass::overlapping && by_visited && !widen(random, g, map)) return false;
  std::array<int, 4> order{1, 2, 3, 4};
  if (wish.wanted == StrideClass::descending) {
    if (rank < 3) return false;
    do
      for (int k = rank - 2; k > 0; --k)
        std::swap(order[k], order[random.below(static_cast<uint32_t>(k) + 1)]);
    while (std::is_sorted(order.begin(), order.begin() + rank - 1));
  }
  uint64_t run = chain.round(inner_bytes(type, map.interleave, span(0)));
  if (type.is_packed() && by_visited) run = chain.round((run + 95) / 96 * 96);
  const int padded = wish.wanted == StrideClass::padded ? static_cast<int>(random.below(rank - 1u)) : -1;
  int overlapped = -1;
  if (wish.wanted == StrideClass::overlapping && !by_visited)
    overlapped = static_cast<int>(random.below(rank - 1u));
  uint64_t previous = 0;
  for (int k = 0; k < rank - 1; ++k) {
    const int i = order[k];
    uint64_t stride = run;
    if (k == padded || (padded >= 0 && random.one_in(3)))
      stride += chain.granule * (random.one_in(4) ? random.log_uniform(1, 64) : random.between(1, 4));
    if (wish.wanted == StrideClass::overlapping && !by_visited && k >= overlapped) {
      const uint64_t low = std::max(chain.granule, previous),
                     high = run <= chain.granule ? 0 : run - chain.granule;
      if (low <= high) stride = low + chain.granule * random.below64((high - low) / chain.granule + 1);
    }
    if (i == wish.zero_dimension && wish.wanted == StrideClass::zero) stride = 0;
    if (stride >= stride_limit) return false;
    map.global_stride[i - 1] = stride;
    if (stride == 0) continue;
    previous = stride;
    const unsigned __int128 next = static_cast<unsigned __int128>(stride) * span(i);
    if (next >= stride_limit) {
      if (k + 1 < rank - 1) return false;
      continue;
    }
    run = static_cast<uint64_t>(next);
    if (wish.wanted == StrideClass::descending && span(i) == 1) run += chain.granule;
  }
  if (wish.huge && wish.wanted == StrideClass::padded && (!g.any_inside || g.high_in[rank - 1] == 0)) {
    uint64_t& last = map.global_stride[rank - 2];
    last = chain.granule * random.log_uniform(last / chain.granule + 1, stride_limit / chain.granule - 1);
  }
  return true;
}

}  // namespace assay::gen
