// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/reduction.h"
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

namespace {

/// A legal store of a cell of the type that satisfies `wanted`.
template <typename Wanted>
void build_column(Random& random, const CaseId& id, uint32_t type, uint64_t bytes, Wanted wanted,
                  TensorCopyCase& c) {
  const auto cells = reachable_column_cells(id.arch, CopyDirection::store);
  ColumnWish wish;
  wish.direction = CopyDirection::store;
  wish.bytes = bytes;
  wish.rarity = rarity_at(id.index);
  do wish.cell = column_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (wish.cell.type != type || !wanted(wish.cell));
  build_column(random, wish, c);
}

bool any_column(const ColumnCell&) {
  return true;
}

}  // namespace

void make_im2col_reduce(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const ReductionPair& pair = tensor_reductions()[id.index % tensor_reductions().size()];
  const bool meets = meets_specials(random, pair.type, rarity_at(id.index));
  const uint64_t bytes = tile_bytes_wish(random, id.index);
  build_column(random, id, pair.type, meets ? meeting_bytes(bytes) : bytes, any_column, c);
  c.reduction = pair.reduction;
  take_integer_borders(random, pair.type, c);
  if (meets) take_floats(random, c);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  spread_columns(id.random(), rarity_at(id.index), c);
}

void make_im2col_reduce_fault(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  if (id.index % 3 != 2) {
    const uint64_t turn = id.index / 3 * 2 + id.index % 3 + id.seed;
    const ReductionPair& pair = missing_reductions()[turn * 11 % missing_reductions().size()];
    build_column(random, id, pair.type, random.log_uniform(64, 1024), any_column, c);
    c.reduction = pair.reduction;
    return;
  }
  // A fault of a store on a type that has a reduction; every turn has another kind of it.
  CaseId other = id;
  for (other.index = id.index / 3;; other.index += 9 * 63) {
    make_im2col_store_fault(other, c);
    const auto found = std::find_if(tensor_reductions().begin(), tensor_reductions().end(),
                                    [&](const ReductionPair& pair) { return pair.type == c.map.data_type; });
    if (found == tensor_reductions().end()) continue;
    c.reduction = found->reduction;
    return;
  }
}

void make_im2col_reduce_conflict(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const ReductionPair& pair = tensor_reductions()[id.index % tensor_reductions().size()];
  const bool few = model::is_order_dependent(*model::tensor_reduction(pair.reduction, pair.type));
  build_column(
      random, id, pair.type, random.log_uniform(128, 2048),
      [](const ColumnCell& cell) {
        return cell.rank == 3 && cell.interleave == 0 && cell.edge != ColumnEdge::all_outside;
      },
      c);
  c.reduction = pair.reduction;
  // Pixels on each other: the slot stays as large as it was. Of two images one may lie on the other.
  TensorMapArgs& m = c.map;
  const uint64_t pixel = inner_bytes(spec::data_types[m.data_type], 0, c.map.channels);
  m.global_stride[0] = std::min<uint64_t>(m.global_stride[0], 16 * random.below64(pixel / 16));
  if (random.one_in(3)) m.global_stride[1] = std::min<uint64_t>(m.global_stride[1], 16 * random.below(8));
  // So few that all their orders can be tried.
  if (few) c.map.pixels = std::min<uint32_t>(c.map.pixels, model::most_orders_of);
}

}  // namespace assay::gen
