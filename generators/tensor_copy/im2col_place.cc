// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/questions.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

/// Bytes on both sides of what a copy touches, at least.
constexpr uint32_t column_guard = 128;

}  // namespace

uint64_t touched_end(const TensorCopyCase& c, spec::Arch arch) {
  const uint64_t end = model::footprint(c, spec::Readings(arch)).global_end;
  if (c.map.rank != 5 || c.direction != CopyDirection::load) return end;
  const spec::Readings cut = spec::Readings(arch).choose({"TMA-AMB-23", "cut_to_5_bits"});
  return std::max(end, model::footprint(c, cut).global_end);
}

bool place_column(Random& random, const ColumnWish& wish, TensorCopyCase& c) {
  const spec::Readings readings(spec::Arch::sm_90);
  TensorMapArgs& m = c.map;
  const uint64_t granule = address_granule(m);
  c.tile_offset = 128 * random.between(1, random.one_in(wish.rarity) ? 16 : 2);
  m.global_address = 0;
  const model::CopyFootprint usual = model::footprint(c, readings);
  if (random.one_in(tiles_for_one_at_border * wish.rarity))
    if (const uint32_t at = tile_at_shared_border(random, usual.shared_bytes,
                                                  rig::max_window_bytes / wish.cluster_size, column_guard))
      c.tile_offset = at;
  const uint64_t image_end = whole_units(c.tile_offset + usual.shared_bytes, 128);
  c.window_bytes = static_cast<uint32_t>(image_end + column_guard);
  if (image_end + column_guard > rig::max_window_bytes / wish.cluster_size) return false;
  c.fill_offset = place_in_arena(random, c.window_bytes, wish.rarity);
  if (c.direction == CopyDirection::store) {
    const uint64_t end = whole_units(usual.global_end, 16);
    if (end + 2 * column_guard + 64 * granule > rig::max_slot_bytes) return false;
    m.global_address = column_guard + granule * random.below(32);
    m.global_address = whole_units(m.global_address, granule);
    c.slot_bytes = static_cast<uint32_t>(whole_units(m.global_address + end + column_guard, 16));
    c.slot_fill_offset = place_in_arena(random, c.slot_bytes, wish.rarity);
    return true;
  }
  // Room for the whole tensor where it has that: a device that walks otherwise still reads the arena.
  uint64_t whole = uint64_t{m.global_dim[0]} * 32;
  for (uint32_t i = 1; i < m.rank; ++i)
    whole += std::min<uint64_t>(m.global_dim[i], uint64_t{1} << 24) * m.global_stride[i - 1];
  const uint64_t touched = touched_end(c, spec::Arch::sm_90);
  const uint64_t end = whole < rig::arena_bytes / 2 ? std::max(whole, touched) : touched;
  if (end > rig::arena_bytes - 64 * granule) return false;
  const uint64_t room = (rig::arena_bytes - end) / granule;
  const bool floats =
      spec::data_types[m.data_type].is_float && end < rig::arena_bytes / 4 && random.one_in(2);
  const uint64_t first = floats ? rig::arena_floats / granule : 0;
  const uint64_t lowest = std::min(first, room);
  const uint64_t highest =
      is_anywhere(random, wish.rarity) ? room : std::min(room, lowest + usual_reach / granule);
  m.global_address = granule * random.between64(lowest, highest);
  if (m.global_address >= rig::arena_bytes) m.global_address -= granule;
  return true;
}

}  // namespace assay::gen
