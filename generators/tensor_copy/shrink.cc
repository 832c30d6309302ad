// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/issue.h"

#include <algorithm>

#include "generators/simpler_cases.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::gen {
namespace {

/// Window and slot of a tiled copy cut to what the case needs, with the operand's misalignment kept.
void refit(TensorCopyCase& c) {
  if (c.mode != CopyMode::tile) return;
  const TiledGeometry g = geometry(c.map, c.coord);
  c.window_bytes = std::min<uint32_t>(c.window_bytes, smallest_window(c, g));
  if (c.direction == CopyDirection::store)
    c.slot_bytes = static_cast<uint32_t>(std::min<uint64_t>(c.slot_bytes, smallest_slot(c, g)));
}

using CopySteps = SimplerCases<TensorCopyCase>;

void drop_dimension(TensorCopyCase& c, uint32_t i) {
  TensorMapArgs& m = c.map;
  for (uint32_t k = i; k + 1 < m.rank; ++k) {
    m.global_dim[k] = m.global_dim[k + 1];
    m.box_dim[k] = m.box_dim[k + 1];
    m.element_stride[k] = m.element_stride[k + 1];
    c.coord[k] = c.coord[k + 1];
    c.lane_step[k] = c.lane_step[k + 1];
    if (k >= 1 && k < 4) m.global_stride[k - 1] = m.global_stride[k];
  }
  const uint32_t last = m.rank - 1;
  m.global_dim[last] = 0;
  m.box_dim[last] = m.element_stride[last] = 0;
  c.coord[last] = c.lane_step[last] = 0;
  if (last >= 1) m.global_stride[last - 1] = 0;
  --m.rank;
  if (c.instruction_rank == m.rank + 1) c.instruction_rank = m.rank;
}

void make_dense(TensorMapArgs& m) {
  const uint64_t granule = address_granule(m);
  uint64_t run = inner_bytes(spec::data_types[m.data_type & 15], m.interleave, m.global_dim[0]);
  run = (run + granule - 1) / granule * granule;
  for (uint32_t i = 0; i + 1 < m.rank && run < uint64_t{1} << 40; ++i) {
    m.global_stride[i] = run;
    run *= m.global_dim[i + 1];
  }
}

/// Host value of the plainest type with as many bits.
uint32_t unsigned_of_width(uint32_t bits) {
  for (const spec::DataType& type : spec::data_types)
    if (type.bits == bits && !type.is_float) return type.host;
  return spec::host_type::u8;
}

/// The same bytes of dimension 0, counted in u8.
void to_bytes(TensorCopyCase& c) {
  const uint32_t es = spec::data_types[c.map.data_type & 15].bits / 8;
  if (es > 1 && c.map.interleave == 0) {
    c.map.box_dim[0] *= es;
    c.map.global_dim[0] *= es;
    // A far coordinate stays as far out as 32 bits go.
    c.coord[0] = static_cast<int32_t>(
        std::clamp<int64_t>(int64_t{c.coord[0]} * es, INT32_MIN / 16 * 16, INT32_MAX / 16 * 16));
  } else if (c.map.interleave != 0) {
    c.map.box_dim[0] = std::min(256u, (c.map.box_dim[0] + 15) / 16 * 16);
  }
  c.map.data_type = 0;
  c.map.oob_fill = 0;
}

/// The same bytes, counted in u8 instead of slices; the channel slice stays a dimension of box extent 1.
void to_plain_bytes(TensorCopyCase& c) {
  TensorMapArgs& m = c.map;
  const uint32_t slice = m.interleave == spec::host_interleave::by_16B ? 16 : 32;
  const uint32_t visited = geometry(m, c.coord).count[0];
  m.box_dim[0] = std::min(256u, visited * slice);
  m.global_dim[0] = std::min<uint64_t>(m.global_dim[0] * slice, uint64_t{1} << 31);
  c.coord[0] = static_cast<int32_t>(
      std::clamp<int64_t>(int64_t{c.coord[0]} * slice, -(int64_t{1} << 31), (int64_t{1} << 31) - slice));
  m.box_dim[m.rank - 2] = m.element_stride[m.rank - 2] = 1;
  m.element_stride[0] = 1;
  m.interleave = m.swizzle = m.data_type = m.oob_fill = 0;
}

void offer_dimension(CopySteps& steps, const TensorCopyCase& c, uint32_t i) {
  const TensorMapArgs& m = c.map;
  const spec::DataType& type = spec::data_types[m.data_type & 15];
  const uint32_t quantum = i == 0 ? box_quantum(type, m.interleave) : 1;
  const uint32_t step = i == 0 ? coordinate_quantum(type, m.interleave) : 1;
  if (m.box_dim[i] > quantum) {
    steps.offer([&](TensorCopyCase& s) { s.map.box_dim[i] = quantum; });
    steps.offer([&](TensorCopyCase& s) {
      s.map.box_dim[i] = std::max(quantum, m.box_dim[i] / 2 / quantum * quantum);
    });
    steps.offer([&](TensorCopyCase& s) { s.map.box_dim[i] = m.box_dim[i] - quantum; });
  }
  if (m.element_stride[i] > 1) steps.offer([&](TensorCopyCase& s) { s.map.element_stride[i] = 1; });
  if (m.element_stride[i] > 2) steps.offer([&](TensorCopyCase& s) { s.map.element_stride[i] = 2; });
  if (c.coord[i] != 0) {
    steps.offer([&](TensorCopyCase& s) { s.coord[i] = 0; });
    // In 64 bits: -2^31 / -1 has no place in 32.
    const int64_t at = c.coord[i], nearest = at < 0 ? -static_cast<int64_t>(step) : step;
    if (at / nearest > 1) {
      steps.offer([&](TensorCopyCase& s) { s.coord[i] = static_cast<int32_t>(nearest); });
      steps.offer([&](TensorCopyCase& s) { s.coord[i] = static_cast<int32_t>(at / 2 / nearest * nearest); });
      steps.offer([&](TensorCopyCase& s) { s.coord[i] = static_cast<int32_t>(at - nearest); });
    }
    // The same distance to the upper border, without the offset below it.
    if (c.coord[i] > 0 && m.global_dim[i] > static_cast<uint64_t>(c.coord[i]))
      steps.offer([&](TensorCopyCase& s) {
        s.map.global_dim[i] -= static_cast<uint64_t>(c.coord[i]);
        s.coord[i] = 0;
      });
  }
  const uint64_t unit = type.is_packed() && i == 0 ? box_quantum(type, 0) : 1;
  if (m.global_dim[i] > unit) {
    const uint64_t box = (uint64_t{m.box_dim[i]} + unit - 1) / unit * unit;
    if (box < m.global_dim[i]) steps.offer([&](TensorCopyCase& s) { s.map.global_dim[i] = box; });
    steps.offer([&](TensorCopyCase& s) { s.map.global_dim[i] = unit; });
    steps.offer(
        [&](TensorCopyCase& s) { s.map.global_dim[i] = std::max(unit, m.global_dim[i] / 2 / unit * unit); });
    steps.offer([&](TensorCopyCase& s) { s.map.global_dim[i] = m.global_dim[i] - unit; });
  }
}

void offer_memory(CopySteps& steps, const TensorCopyCase& c) {
  if (c.tile_offset / 128 > 1) {
    steps.offer([&](TensorCopyCase& s) { s.tile_offset = 128 + c.tile_offset % 128; });
    steps.offer([&](TensorCopyCase& s) { s.tile_offset = c.tile_offset - 128; });
  }
  const uint64_t origin = c.direction == CopyDirection::load ? 0 : 128;
  if (c.map.global_address > origin) {
    steps.offer([&](TensorCopyCase& s) { s.map.global_address = origin; });
    if (c.map.global_address > rig::arena_floats)
      steps.offer([&](TensorCopyCase& s) { s.map.global_address = rig::arena_floats; });
    const uint64_t granule = address_granule(c.map);
    steps.offer([&](TensorCopyCase& s) {
      s.map.global_address = std::max(origin, c.map.global_address / 2 / granule * granule);
    });
  }
  if (c.transaction_delta != 0) {
    steps.offer([&](TensorCopyCase& s) { s.transaction_delta = c.transaction_delta < 0 ? -16 : 16; });
    steps.offer([&](TensorCopyCase& s) { s.transaction_delta = c.transaction_delta / 2; });
  }
}

void offer_cluster(CopySteps& steps, const TensorCopyCase& c) {
  // Without .cta_group a copy of some modes is a case of another property.
  if (c.cta_group == 0 || is_gather(c) || is_wide(c)) {
    steps.offer([](TensorCopyCase& s) { s.cta_group = 0, s.peer_barrier = s.unicast = false; });
    steps.offer([](TensorCopyCase& s) {
      s.cluster_size = 1;
      s.cta_mask = s.issuer_rank = 0;
      s.cta_group = 0, s.peer_barrier = s.unicast = false;
    });
  }
  if (c.cluster_size > 2)
    steps.offer([&](TensorCopyCase& s) {
      s.cluster_size /= 2;
      s.cta_mask &= static_cast<uint16_t>((1u << s.cluster_size) - 1);
      if (s.cta_mask == 0 && c.cta_mask != 0) s.cta_mask = 1;
      s.issuer_rank = static_cast<uint16_t>(s.issuer_rank % s.cluster_size);
    });
  if (c.issuer_rank != 0) steps.offer([](TensorCopyCase& s) { s.issuer_rank = 0; });
  for (uint32_t bit = c.cta_mask; bit != 0; bit &= bit - 1)
    if ((c.cta_mask & (c.cta_mask - 1)) != 0)
      steps.offer([&](TensorCopyCase& s) { s.cta_mask &= static_cast<uint16_t>(~(bit & -bit)); });
}

void offer_lanes(CopySteps& steps, const TensorCopyCase& c) {
  steps.offer([&](TensorCopyCase& s) { s = of_lane(c, 0); });
  steps.offer([&](TensorCopyCase& s) { s = of_lane(c, c.lanes - 1); });
  if (c.lanes > 2) steps.offer([](TensorCopyCase& s) { keep_lanes(s, 2); });
  if (c.lanes > 2) steps.offer([](TensorCopyCase& s) { keep_lanes(s, s.lanes - 1); });
  steps.offer([](TensorCopyCase& s) { to_one_map(s); });
  steps.offer([](TensorCopyCase& s) { s.other_map_less = 0; });
}

/// Of a tiled copy.
void offer_map(CopySteps& steps, const TensorCopyCase& c) {
  const TensorMapArgs& m = c.map;
  if (m.l2_promotion != 0) steps.offer([](TensorCopyCase& s) { s.map.l2_promotion = 0; });
  if (m.oob_fill != 0) steps.offer([](TensorCopyCase& s) { s.map.oob_fill = 0; });
  if (m.swizzle != 0) steps.offer([](TensorCopyCase& s) { s.map.swizzle = 0; });
  if (m.swizzle > spec::host_swizzle::by_32B && m.swizzle != spec::host_swizzle::by_128B)
    steps.offer([](TensorCopyCase& s) { s.map.swizzle = 3; });
  if (m.interleave != 0) {
    steps.offer([](TensorCopyCase& s) { to_plain_bytes(s); });
    steps.offer([](TensorCopyCase& s) { s.map.interleave = 0; });
  }
  if (m.interleave == spec::host_interleave::by_32B)
    steps.offer([](TensorCopyCase& s) { s.map.interleave = spec::host_interleave::by_16B; });
  const bool is_wide = m.data_type != spec::host_type::u8 && m.data_type < spec::host_type::first_packed;
  if (is_wide) steps.offer([](TensorCopyCase& s) { to_bytes(s); });
  if (is_wide) {
    const uint32_t plain = unsigned_of_width(spec::data_types[m.data_type].bits);
    if (plain != m.data_type)
      steps.offer([plain](TensorCopyCase& s) {
        s.map.data_type = plain;
        s.map.oob_fill = 0;
      });
  }
  steps.offer([](TensorCopyCase& s) { make_dense(s.map); });
  for (uint32_t i = m.rank; i-- > 0;) offer_dimension(steps, c, i);
  // One stride at a time nearer to dense, from above only: towards dense from below is make_dense alone, so
  // that no two steps undo each other.
  TensorMapArgs dense = m;
  make_dense(dense);
  for (uint32_t i = 0; i + 1 < m.rank; ++i) {
    const uint64_t low = dense.global_stride[i], high = m.global_stride[i], granule = address_granule(m);
    if (high <= low) continue;
    steps.offer([&](TensorCopyCase& s) { s.map.global_stride[i] = low; });
    steps.offer(
        [&](TensorCopyCase& s) { s.map.global_stride[i] = low + (high - low) / 2 / granule * granule; });
  }
}

/// Of a copy of rows or of a column.
void offer_other_map(CopySteps& steps, const TensorCopyCase& c) {
  const uint32_t rank = std::min(5u, c.map.rank), axes = is_column(c) ? spatial_axes(rank) : 0;
  if (is_column(c)) {
    steps.towards(1u, [](TensorCopyCase& s) -> uint32_t& { return s.map.pixels; });
    steps.towards(uint16_t{0}, [](TensorCopyCase& s) -> uint16_t& { return s.w_halo; });
    steps.towards(uint16_t{0}, [](TensorCopyCase& s) -> uint16_t& { return s.w_offset; });
  }
  if (c.mode == CopyMode::w_128)
    steps.offer([](TensorCopyCase& s) { s.mode = CopyMode::w, s.map.wide_mode = 0, s.map.pixels = 128; });
  for (uint32_t TensorMapArgs::*code : {&TensorMapArgs::l2_promotion, &TensorMapArgs::oob_fill,
                                        &TensorMapArgs::swizzle, &TensorMapArgs::data_type})
    steps.towards(0u, [code](TensorCopyCase& s) -> uint32_t& { return s.map.*code; });
  const auto width = [&](TensorCopyCase& s) -> uint32_t& {
    return is_column(c) ? s.map.channels : s.map.box_dim[0];
  };
  steps.towards(16u, width);
  steps.offer([&](TensorCopyCase& s) { width(s) = std::max(1u, width(s) / 2); });
  for (uint32_t k = 0; k < axes; ++k) {
    steps.towards(uint16_t{0}, [k](TensorCopyCase& s) -> uint16_t& { return s.offset[k]; });
    steps.towards(0, [k](TensorCopyCase& s) -> int32_t& { return s.map.lower[k]; });
    steps.towards(0, [k](TensorCopyCase& s) -> int32_t& { return s.map.upper[k]; });
  }
  for (uint32_t i = 0; i < (is_gather(c) ? 5 : rank); ++i)
    steps.towards(0, [i](TensorCopyCase& s) -> int32_t& { return s.coord[i]; });
  for (uint32_t i = 0; i < rank; ++i) {
    steps.towards(1u, [i](TensorCopyCase& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{16}, [i](TensorCopyCase& s) -> uint64_t& { return s.map.global_dim[i]; });
  }
  for (uint32_t i = 0; i + 1 < rank; ++i)
    steps.towards(uint64_t{256} << (4 * i),
                  [i](TensorCopyCase& s) -> uint64_t& { return s.map.global_stride[i]; });
}

}  // namespace

std::vector<TensorCopyCase> simpler(const TensorCopyCase& c) {
  CopySteps steps(c, [fits = fits_rig(c)](TensorCopyCase& s) {
    refit(s);
    return !fits || fits_rig(s);
  });
  if (c.mode == CopyMode::tile && c.map.rank > 1)
    for (uint32_t i = c.map.rank; i-- > 1;) steps.offer([i](TensorCopyCase& s) { drop_dimension(s, i); });
  if (c.cluster_size > 1) offer_cluster(steps, c);
  if (c.lanes > 1) offer_lanes(steps, c);
  steps.offer_plain_members();
  if (c.mode == CopyMode::tile)
    offer_map(steps, c);
  else
    offer_other_map(steps, c);
  offer_memory(steps, c);
  return std::move(steps.made);
}

}  // namespace assay::gen
