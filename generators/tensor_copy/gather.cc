// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/gather.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"

#include "generators/borders.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_map/legality.h"

namespace assay::gen {
namespace {

GatherCell cell_at(uint32_t index) {
  GatherCell cell;
  cell.repeats = index % 2 != 0;
  cell.edge = static_cast<GatherEdge>(index / 2 % 4);
  cell.swizzle = static_cast<uint8_t>(index / 8 % 7);
  cell.type = static_cast<uint8_t>(index / 56);
  return cell;
}

bool is_gather_reachable(uint32_t index, spec::Arch arch, CopyDirection direction) {
  const GatherCell cell = cell_at(index);
  const spec::DataType& type = spec::data_types[cell.type];
  const bool is_padded = type.is_packed() && type.group_shared_bytes == 16;
  const bool store = direction == CopyDirection::store;
  if (!spec::has_tcgen05(arch) || !type.exists(arch)) return false;
  if (type.host == spec::host_type::b4x16_p64 && store) return false;  // for loads alone
  if (is_padded && cell.edge == GatherEdge::columns) return false;     // boxes and rows of 128 elements
  if (!is_padded) return true;
  if (cell.swizzle == spec::host_swizzle::by_128B_atom64B) return store;
  return cell.swizzle == 0 || cell.swizzle == spec::host_swizzle::by_128B ||
         cell.swizzle == spec::host_swizzle::by_128B_atom32B;
}

/// Any cell.
GatherCell pick_gather_cell(const CaseId& id, Random& random, CopyDirection direction) {
  return cell_at(pick_cell(id, random, reachable_gather_cells(id.arch, direction), 1009));
}

/// A case of plain types, several elements in 16 bytes, in the tensor.
void make_small_gather(Random& random, spec::Arch arch, CopyDirection direction, TensorCopyCase& c) {
  GatherWish wish;
  wish.direction = direction;
  const auto cells = reachable_gather_cells(arch, direction);
  do wish.cell = cell_at(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (wish.cell.type >= spec::host_type::first_packed || spec::data_types[wish.cell.type].bits == 64 ||
         wish.cell.edge == GatherEdge::all);
  build_gather(random, wish, c);
}

/// The same cluster for `run` indexes.
uint32_t ctas_of_rows(const CaseId& id, uint64_t run) {
  constexpr uint32_t sizes[] = {8, 2, 4};
  return sizes[id.index / run % std::size(sizes)];
}

void make_gather_multicast(const CaseId& id, Random& random, uint32_t ctas, TensorCopyCase& c) {
  GatherWish wish;
  wish.cluster_size = ctas;
  wish.rarity = rarity_at(id.index);
  wish.cell = pick_gather_cell(id, random, CopyDirection::load);
  build_gather(random, wish, c);
  draw_receivers(random, id.index, wish.cluster_size, c);
  draw_prefetch(random, c);
  draw_hint(random, c);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
}

void make_gather_fault(const CaseId& id, CopyDirection direction, std::span<const CopyBreach> breaches,
                       TensorCopyCase& c) {
  Random random = id.random();
  // Few cases end a process each: seeds begin at different kinds.
  const uint64_t place = id.seed * 3 + id.index;
  const CopyBreach what = breaches[place % breaches.size()];
  // Stores have two turns of negative coordinates a round; five of them, so that each comes.
  const auto turn = static_cast<uint32_t>(place / breaches.size() * 2 + (place % breaches.size() > 2));
  const uint32_t kind_turn = what == CopyBreach::negative_row ? turn : turn / 2;
  do make_small_gather(random, id.arch, direction, c);
  while (c.map.global_dim[1] > uint64_t{1} << 30);
  breach(random, what, kind_turn, c);
}

/// Some copies are issued by several lanes. By a stream of its own.
void spread_rows(Random random, TensorCopyCase& c) {
  random = apart(random);
  if (random.one_in(8)) add_lanes(random, c);
}

/// Some rows at which a column could begin as well: both readings of TMA-AMB-21 then let the copy complete,
/// where misaligned columns end the process of a device on which rows are columns. By a stream of its own.
void let_rows_be_columns(Random random, TensorCopyCase& c) {
  random = apart(apart(random));
  if (!random.one_in(2)) return;
  TensorCopyCase even = c;
  const auto quantum = static_cast<int32_t>(coordinate_quantum(spec::data_types[c.map.data_type], 0));
  for (uint32_t i = 1; i < 5; ++i) even.coord[i] -= (even.coord[i] % quantum + quantum) % quantum;
  if (index_of(classify_rows(even)) == index_of(classify_rows(c)) && fits_rig(even)) c = even;
}

void make_rows(const CaseId& id, CopyDirection direction, TensorCopyCase& c) {
  Random random = id.random();
  GatherWish wish;
  wish.direction = direction;
  wish.cell = pick_gather_cell(id, random, direction);
  wish.rarity = rarity_at(id.index);
  build_gather(random, wish, c);
  draw_hint(random, c);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  if (direction == CopyDirection::store) return spread_rows(random, c);
  draw_prefetch(random, c);
  draw_destination(random, c);
  let_rows_be_columns(random, c);
  spread_rows(random, c);
}

}  // namespace

uint32_t index_of(const GatherCell& cell) {
  return ((cell.type * 7u + cell.swizzle) * 4 + static_cast<uint32_t>(cell.edge)) * 2 +
         (cell.repeats ? 1 : 0);
}

std::string name_of_gather_cell(uint32_t index) {
  constexpr std::string_view edges[] = {"inside", "columns outside", "some rows outside", "all outside"};
  const GatherCell cell = cell_at(index);
  return std::string(spec::data_types[cell.type].name) + "/" +
         std::string(spec::swizzles[cell.swizzle].name) + "/" +
         std::string(edges[static_cast<size_t>(cell.edge)]) + (cell.repeats ? "/repeated" : "/distinct");
}

GatherCell classify_rows(const TensorCopyCase& c) {
  const TensorMapArgs& m = c.map;
  GatherCell cell;
  cell.type = static_cast<uint8_t>(m.data_type);
  cell.swizzle = static_cast<uint8_t>(m.swizzle);
  const int64_t column = c.coord[0], extent = static_cast<int64_t>(m.global_dim[0]);
  const bool columns_out = column < 0 || column + m.box_dim[0] > extent;
  uint32_t rows_out = 0;
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    const int64_t row = c.coord[1 + q];
    rows_out += row < 0 || row >= static_cast<int64_t>(m.global_dim[1]);
    for (uint32_t other = 0; other < q; ++other) cell.repeats |= row == c.coord[1 + other];
  }
  const bool none = rows_out == gathered_rows || column + m.box_dim[0] <= 0 || column >= extent;
  cell.edge = none            ? GatherEdge::all
              : rows_out != 0 ? GatherEdge::some_rows
              : columns_out   ? GatherEdge::columns
                              : GatherEdge::inside;
  return cell;
}

std::span<const uint32_t> reachable_gather_cells(spec::Arch arch, CopyDirection direction) {
  return reachable_in<is_gather_reachable, gather_cell_count>(arch, direction);
}

void make_gather4_load(const CaseId& id, TensorCopyCase& c) {
  make_rows(id, CopyDirection::load, c);
}
void make_scatter4_store(const CaseId& id, TensorCopyCase& c) {
  make_rows(id, CopyDirection::store, c);
}

void make_scatter4_conflict(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  GatherWish wish;
  wish.direction = CopyDirection::store;
  do
    wish.cell =
        pick_gather_cell({id.seed, id.property, random.next(), id.arch}, random, CopyDirection::store);
  while (!wish.cell.repeats || wish.cell.edge == GatherEdge::all);
  build_gather(random, wish, c);
}

namespace {

void make_gather_in_cluster(const CaseId& id, uint32_t ctas, TensorCopyCase& c) {
  Random random = id.random();
  make_gather_multicast(id, random, ctas, c);
  draw_sole_receiver(random, id.index, c);
  spread_rows(random, c);
}

}  // namespace

void make_gather4_load_multicast(const CaseId& id, TensorCopyCase& c) {
  make_gather_in_cluster(id, ctas_of_rows(id, 256), c);
}
void make_gather4_load_non_portable(const CaseId& id, TensorCopyCase& c) {
  make_gather_in_cluster(id, 16, c);
}

void make_gather4_load_cta_group(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_gather_multicast(id, random, ctas_of_rows(id, 16), c);
  draw_cta_group(id, random, c);
}

void make_gather4_load_transaction(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_small_gather(random, id.arch, CopyDirection::load, c);
  const auto counted = static_cast<int32_t>(model::transaction_bytes(c, spec::Readings(id.arch)));
  // Three rows' worth, and the inner box alone: what a count without the four rows gives.
  arm_otherwise(id.index, {16, 1, counted, counted / 4}, {counted / 4, 1, counted / 4 * 3, counted - 1}, c);
}

void make_gather4_load_fault(const CaseId& id, TensorCopyCase& c) {
  using enum CopyBreach;
  constexpr CopyBreach breaches[] = {operand, map_rank, channel_start, height, extent};
  make_gather_fault(id, CopyDirection::load, breaches, c);
}
void make_scatter4_store_fault(const CaseId& id, TensorCopyCase& c) {
  using enum CopyBreach;
  constexpr CopyBreach breaches[] = {operand,      negative_row, map_rank, channel_start,
                                     negative_row, height,       extent};
  make_gather_fault(id, CopyDirection::store, breaches, c);
}

}  // namespace assay::gen
