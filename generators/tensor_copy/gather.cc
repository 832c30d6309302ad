// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/gather.h"

#include <algorithm>
#include <array>

#include "generators/borders.h"
#include "generators/tensor_copy/gather_build.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "generators/tensor_copy/tiled_lanes.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/gather.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/tensor_map.h"

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

bool is_reachable(const GatherCell& cell, spec::Arch arch, TiledDirection direction) {
  const spec::DataType& type = spec::data_types[cell.type];
  const bool is_padded = type.is_packed() && type.group_shared_bytes == 16;
  const bool store = direction == TiledDirection::store;
  if (!spec::is_sm_10x(arch) || !type.exists(arch)) return false;
  if (type.host == spec::host_type::b4x16_p64 && store) return false;  // for loads alone
  if (is_padded && cell.edge == GatherEdge::columns) return false;     // boxes and rows of 128 elements
  if (!is_padded) return true;
  if (cell.swizzle == spec::host_swizzle::by_128B_atom64B) return store;
  return cell.swizzle == 0 || cell.swizzle == spec::host_swizzle::by_128B ||
         cell.swizzle == spec::host_swizzle::by_128B_atom32B;
}

using GatherCellLists = std::array<std::array<std::vector<uint32_t>, 2>, spec::arch_count>;
GatherCellLists lists_of_gather_cells() {
  GatherCellLists lists;
  for (int arch = 0; arch < spec::arch_count; ++arch)
    for (const int store : {0, 1})
      for (uint32_t index = 0; index < gather_cell_count; ++index)
        if (is_reachable(cell_at(index), static_cast<spec::Arch>(arch),
                         store ? TiledDirection::store : TiledDirection::load))
          lists[arch][store].push_back(index);
  return lists;
}

/// Any cell; the first indexes have each once, neighbours far apart.
GatherCell pick_gather_cell(const CaseId& id, Random& random, TiledDirection direction) {
  const auto cells = reachable_gather_cells(id.arch, direction);
  constexpr uint64_t step = 1009;  // a prime that divides no number of cells
  const uint64_t at = id.index < cells.size() ? id.index * step % cells.size()
                                              : random.below(static_cast<uint32_t>(cells.size()));
  return cell_at(cells[at]);
}

/// A case of plain types, several elements in 16 bytes, in the tensor.
void make_small(Random& random, spec::Arch arch, TiledDirection direction, GatherCase& c) {
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

void make_multicast(const CaseId& id, Random& random, uint32_t ctas, GatherCase& c) {
  GatherWish wish;
  wish.cluster_size = ctas;
  wish.rarity = rarity_at(id.index);
  wish.cell = pick_gather_cell(id, random, TiledDirection::load);
  build_gather(random, wish, c);
  TiledCase& tile = c.tile;
  tile.cluster_size = wish.cluster_size;
  const uint32_t all = (1u << tile.cluster_size) - 1;
  tile.issuer_rank = static_cast<uint16_t>(random.below(tile.cluster_size));
  const uint32_t own = 1u << tile.issuer_rank;
  const uint32_t corners[] = {all, all & ~own, own, 0, 1u << (tile.cluster_size - 1)};
  tile.cta_mask = static_cast<uint16_t>(id.index % 2 == 0 ? corners[id.index / 2 % std::size(corners)]
                                                          : random.between(0, all));
  tile.prefetch_first = random.one_in(8);
  tile.cache_hint = random.one_in(8);
  tile.issuer_thread = issuing_thread(random);
  tile.spelling = drawn_spelling(id.random());
}

/// What a faulting case breaks.
enum class GatherBreach : uint32_t { operand, rank, column_start, height, extent, negative };
constexpr GatherBreach gather_load_breaches[] = {GatherBreach::operand, GatherBreach::rank,
                                                 GatherBreach::column_start, GatherBreach::height,
                                                 GatherBreach::extent};
constexpr GatherBreach gather_store_breaches[] = {
    GatherBreach::operand,  GatherBreach::negative, GatherBreach::rank,  GatherBreach::column_start,
    GatherBreach::negative, GatherBreach::height,   GatherBreach::extent};

void breach(Random& random, GatherBreach what, uint32_t turn, GatherCase& c) {
  TiledCase& tile = c.tile;
  TensorMapArgs& m = tile.map;
  constexpr uint32_t off[] = {16, 4, 64, 32, 1, 112, 8};
  switch (what) {
    case GatherBreach::operand:
      tile.tile_offset += off[turn % std::size(off)];
      // Without swizzle multiples of 16 are a question of their own.
      if (off[turn % std::size(off)] % 16 == 0) m.swizzle = 0;
      break;
    case GatherBreach::rank:
      m.rank = turn % 3 == 0 ? 1 : 2 + turn % 3;
      for (uint32_t i = 2; i < m.rank; ++i) {
        m.global_dim[i] = m.box_dim[i] = m.element_stride[i] = 1;
        m.global_stride[i - 1] = m.global_stride[0];
      }
      break;
    case GatherBreach::column_start:
      tile.coord[0] += 1;
      break;
    case GatherBreach::height:
      m.box_dim[1] = turn % 3 == 0 ? 4 : random.between(2, 8);
      m.element_stride[1] = 1;
      break;
    case GatherBreach::extent:
      m.global_dim[1] = (uint64_t{1} << 31) + 1 + (turn % 3 == 0 ? 0 : random.below(1000));
      break;
    case GatherBreach::negative:
      tile.coord[turn % 5] = turn % 5 == 0
                                 ? -static_cast<int32_t>(coordinate_quantum(spec::data_types[m.data_type], 0))
                                 : -1 - static_cast<int32_t>(random.below(3));
      break;
  }
}

void make_gather_fault(const CaseId& id, TiledDirection direction, std::span<const GatherBreach> breaches,
                       GatherCase& c) {
  Random random = id.random();
  // Few cases end a process each: seeds begin at different kinds.
  const uint64_t place = id.seed * 3 + id.index;
  const GatherBreach what = breaches[place % breaches.size()];
  // Stores have two turns of negative coordinates a round; five of them, so that each comes.
  const auto turn = static_cast<uint32_t>(place / breaches.size() * 2 + (place % breaches.size() > 2));
  const uint32_t kind_turn = what == GatherBreach::negative ? turn : turn / 2;
  do make_small(random, id.arch, direction, c);
  while (c.tile.map.global_dim[1] > uint64_t{1} << 30);
  breach(random, what, kind_turn, c);
}

/// A copy by one lane.
bool one_fits(const GatherCase& c) {
  const spec::Readings readings(spec::Arch::sm_103);  // has every map
  const TiledCase& t = c.tile;
  if (t.map.rank != 2 || t.map.interleave != 0 || t.instruction_rank != 2) return false;
  if (t.map.swizzle == swizzle_96B || model::broken_map_rules(t.map, readings).any()) return false;
  if (t.window_bytes % 16 != 0 || t.window_bytes > rig::max_window_bytes) return false;
  if (t.fill_offset % 16 != 0 || t.fill_offset + t.window_bytes > rig::arena_bytes) return false;
  const model::TiledFootprint touched = model::footprint(c, readings);
  if (t.tile_offset + touched.shared_bytes > t.window_bytes) return false;
  const bool store = t.direction == TiledDirection::store;
  if (store && (t.slot_bytes % 16 != 0 || t.slot_fill_offset % 16 != 0 ||
                t.slot_fill_offset + t.slot_bytes > rig::arena_bytes))
    return false;
  const uint64_t room = store ? t.slot_bytes : rig::arena_bytes;
  return t.map.global_address < room && touched.global_end <= room;
}

/// Whether no row of a lane has a byte in common with one of another.
bool rows_lie_apart(const GatherCase& c) {
  const spec::Readings readings(spec::Arch::sm_103);
  std::vector<model::TiledFootprint> rows;
  for (uint32_t i = 0; i < c.tile.lanes * gathered_rows; ++i) {
    const uint32_t lane = i / gathered_rows;
    rows.push_back(model::footprint(model::row_of(of_lane(c, lane), i % gathered_rows, readings), readings));
    for (uint32_t other = 0; other < lane * gathered_rows; ++other)
      if (rows[i].global_begin < rows[other].global_end && rows[other].global_begin < rows[i].global_end)
        return false;
  }
  return true;
}

/// Tiles of lanes lie behind each other, and each copy reaches what there is.
bool gather_lanes_fit(const GatherCase& c) {
  const uint32_t bytes = model::footprint(c, spec::Readings(spec::Arch::sm_103)).shared_bytes;
  if (c.tile.lane_pitch % 128 != 0 || c.tile.lane_pitch < bytes) return false;
  if (c.tile.direction == TiledDirection::store && !rows_lie_apart(c)) return false;
  for (uint32_t lane = 0; lane < c.tile.lanes; ++lane) {
    const GatherCase one = of_lane(c, lane);
    spec::RuleSet unused;
    if (!one_fits(one) ||
        model::end_of_issue(one, spec::Readings(spec::Arch::sm_103), unused) != model::End::done)
      return false;
  }
  return true;
}

/// False: no such lanes fit.
bool place_lanes(Random& random, GatherCase& c) {
  GatherCase several = c;
  TiledCase& t = several.tile;
  t.lanes = random.between(2, t.cluster_size > 1 ? 3 : 8);
  const uint32_t bytes = model::footprint(c, spec::Readings(spec::Arch::sm_103)).shared_bytes;
  t.lane_pitch = (bytes + 127) / 128 * 128 + 128 * random.below(3);
  t.window_bytes = (t.tile_offset + (t.lanes - 1) * t.lane_pitch + bytes + 128 + 15) / 16 * 16;
  t.fill_offset = std::min<uint64_t>(t.fill_offset, rig::arena_bytes - t.window_bytes);
  const auto quantum = static_cast<int32_t>(coordinate_quantum(spec::data_types[t.map.data_type], 0));
  if (random.one_in(2)) t.lane_step[0] = quantum * (static_cast<int32_t>(random.below(7)) - 3);
  // Rows of stores lie apart most often where those of a lane begin behind those of the lane before.
  const bool store = t.direction == TiledDirection::store;
  const auto rows = static_cast<int32_t>(random.between(1, 40));
  for (uint32_t i = 1; i < 5; ++i) t.lane_step[i] = store ? rows : static_cast<int32_t>(random.below(9)) - 4;
  const auto end_of = [&](uint32_t lane) {
    return model::footprint(of_lane(several, lane), spec::Readings(spec::Arch::sm_103)).global_end;
  };
  if (Random maps = apart(random); maps.one_in(2)) {
    uint64_t end = t.map.global_address;
    for (uint32_t lane = 0; store && lane < t.lanes; ++lane) end = std::max(end, end_of(lane));
    part_maps(maps, end - t.map.global_address, t);
  }
  for (uint32_t lane = t.other_map_lanes & 1 ? 0 : 1; store && lane < t.lanes; ++lane) {
    const uint64_t end = end_of(lane);
    if (end + 128 > rig::max_slot_bytes) return false;
    t.slot_bytes = std::max(t.slot_bytes, static_cast<uint32_t>(end + 128 + 15) / 16 * 16);
  }
  t.slot_fill_offset = std::min<uint64_t>(t.slot_fill_offset, rig::arena_bytes - t.slot_bytes);
  t.issuer_thread = 32 * random.below(4) + random.below(33 - t.lanes);
  t.in_a_row = random.one_in(3);
  if (uint64_t{t.window_bytes} * t.cluster_size > rig::max_window_bytes || !gather_lanes_fit(several))
    return false;
  c = several;
  return true;
}

/// Some copies are issued by several lanes at once, or by one thread behind each other, each with a column
/// and rows of its own, which stores have apart. By a stream of its own.
void add_lanes(Random random, GatherCase& c) {
  random = apart(random);
  if (!random.one_in(8)) return;
  for (int tries = 0; tries < 6; ++tries)
    if (place_lanes(random, c)) return;
}

/// Some rows at which a column could begin as well: both readings of TMA-AMB-21 then let the copy complete,
/// where misaligned columns end the process of a device on which rows are columns. By a stream of its own.
void let_rows_be_columns(Random random, GatherCase& c) {
  random = apart(apart(random));
  if (!random.one_in(2)) return;
  GatherCase even = c;
  const auto quantum = static_cast<int32_t>(coordinate_quantum(spec::data_types[c.tile.map.data_type], 0));
  for (uint32_t i = 1; i < 5; ++i) even.tile.coord[i] -= (even.tile.coord[i] % quantum + quantum) % quantum;
  if (index_of(classify(even)) == index_of(classify(c)) && one_fits(even)) c = even;
}

void make_rows(const CaseId& id, TiledDirection direction, GatherCase& c) {
  Random random = id.random();
  GatherWish wish;
  wish.direction = direction;
  wish.cell = pick_gather_cell(id, random, direction);
  wish.rarity = rarity_at(id.index);
  build_gather(random, wish, c);
  c.tile.cache_hint = random.one_in(8);
  c.tile.issuer_thread = issuing_thread(random);
  c.tile.spelling = drawn_spelling(id.random());
  if (direction == TiledDirection::store) return add_lanes(random, c);
  c.tile.prefetch_first = random.one_in(8);
  c.tile.destination_cta = random.one_in(4);
  let_rows_be_columns(random, c);
  add_lanes(random, c);
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

GatherCell classify(const GatherCase& c) {
  const TensorMapArgs& m = c.tile.map;
  GatherCell cell;
  cell.type = static_cast<uint8_t>(m.data_type);
  cell.swizzle = static_cast<uint8_t>(m.swizzle);
  const int64_t column = c.tile.coord[0], extent = static_cast<int64_t>(m.global_dim[0]);
  const bool columns_out = column < 0 || column + m.box_dim[0] > extent;
  uint32_t rows_out = 0;
  for (uint32_t q = 0; q < gathered_rows; ++q) {
    const int64_t row = c.tile.coord[1 + q];
    rows_out += row < 0 || row >= static_cast<int64_t>(m.global_dim[1]);
    for (uint32_t other = 0; other < q; ++other) cell.repeats |= row == c.tile.coord[1 + other];
  }
  const bool none = rows_out == gathered_rows || column + m.box_dim[0] <= 0 || column >= extent;
  cell.edge = none            ? GatherEdge::all
              : rows_out != 0 ? GatherEdge::some_rows
              : columns_out   ? GatherEdge::columns
                              : GatherEdge::inside;
  return cell;
}

std::span<const uint32_t> reachable_gather_cells(spec::Arch arch, TiledDirection direction) {
  static const GatherCellLists lists = lists_of_gather_cells();
  return lists[static_cast<int>(arch)][direction == TiledDirection::store ? 1 : 0];
}

void make_gather4_load(const CaseId& id, GatherCase& c) {
  make_rows(id, TiledDirection::load, c);
}
void make_scatter4_store(const CaseId& id, GatherCase& c) {
  make_rows(id, TiledDirection::store, c);
}

void make_scatter4_conflict(const CaseId& id, GatherCase& c) {
  Random random = id.random();
  GatherWish wish;
  wish.direction = TiledDirection::store;
  do
    wish.cell =
        pick_gather_cell({id.seed, id.property, random.next(), id.arch}, random, TiledDirection::store);
  while (!wish.cell.repeats || wish.cell.edge == GatherEdge::all);
  build_gather(random, wish, c);
}

namespace {

void make_load_in_cluster(const CaseId& id, uint32_t ctas, GatherCase& c) {
  Random random = id.random();
  make_multicast(id, random, ctas, c);
  if (const uint16_t one = sole_receiver(random, id.index, c.tile.cluster_size))
    c.unicast = true, c.tile.cta_mask = one;
  add_lanes(random, c);
}

}  // namespace

void make_gather4_load_multicast(const CaseId& id, GatherCase& c) {
  make_load_in_cluster(id, ctas_of_rows(id, 256), c);
}
void make_gather4_load_non_portable(const CaseId& id, GatherCase& c) {
  make_load_in_cluster(id, 16, c);
}

void make_gather4_load_cta_group(const CaseId& id, GatherCase& c) {
  Random random = id.random();
  make_multicast(id, random, ctas_of_rows(id, 16), c);
  c.cta_group = id.index % 4 == 3 ? 1 : 2;
  c.peer_barrier = c.cta_group == 2 && random.one_in(2);
  c.unicast = random.one_in(3);
  if (c.unicast) c.tile.cta_mask = static_cast<uint16_t>(1u << random.below(c.tile.cluster_size));
}

void make_gather4_load_transaction(const CaseId& id, GatherCase& c) {
  Random random = id.random();
  make_small(random, id.arch, TiledDirection::load, c);
  if (id.index % 3 == 0) return;
  const auto counted = static_cast<int32_t>(model::transaction_bytes(c, spec::Readings(id.arch)));
  if (id.index % 3 == 1) {
    const int32_t more[] = {16, 1, counted, counted / 4};
    c.tile.transaction_delta = more[id.index / 3 % std::size(more)];
  } else {
    // Three rows' worth, and the inner box alone: what a count without the four rows gives.
    const int32_t less[] = {counted / 4, 1, counted / 4 * 3, counted - 1};
    c.tile.transaction_delta = -less[id.index / 3 % std::size(less)];
  }
}

void make_gather4_load_fault(const CaseId& id, GatherCase& c) {
  make_gather_fault(id, TiledDirection::load, gather_load_breaches, c);
}
void make_scatter4_store_fault(const CaseId& id, GatherCase& c) {
  make_gather_fault(id, TiledDirection::store, gather_store_breaches, c);
}

bool fits_rig(const GatherCase& c) {
  return c.tile.lanes > 1 ? gather_lanes_fit(c) : one_fits(c);
}

}  // namespace assay::gen
