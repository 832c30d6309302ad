// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col_copy.h"

#include <algorithm>
#include <array>

#include "generators/borders.h"
#include "generators/tensor_copy/im2col_column.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/shared_map.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/pixel_runs.h"
#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

bool is_reachable(const ColumnCell& cell, spec::Arch arch, CopyDirection direction) {
  const spec::DataType& type = spec::data_types[cell.type];
  const spec::Swizzle& swizzle = spec::swizzles[cell.swizzle];
  if (!type.exists(arch) || !swizzle.exists(arch)) return false;
  const bool is_padded = type.is_packed() && type.group_shared_bytes == 16;
  if (is_padded && direction == CopyDirection::store) return false;  // no document says what comes of it
  if (cell.interleave != 0 && type.is_packed()) return false;
  if (cell.interleave == spec::host_interleave::by_32B && swizzle.host > spec::host_swizzle::by_128B)
    return false;
  if (is_padded && swizzle.host != spec::host_swizzle::none && swizzle.host != spec::host_swizzle::by_128B &&
      swizzle.host != spec::host_swizzle::by_128B_atom32B)
    return false;
  return true;
}

using Im2colCellLists = std::array<std::array<std::vector<uint32_t>, 2>, spec::arch_count>;
Im2colCellLists lists_of_im2col_cells() {
  Im2colCellLists lists;
  for (int arch = 0; arch < spec::arch_count; ++arch)
    for (const int store : {0, 1})
      for (uint32_t index = 0; index < column_cell_count; ++index)
        if (is_reachable(column_cell(index), static_cast<spec::Arch>(arch),
                         store ? CopyDirection::store : CopyDirection::load))
          lists[arch][store].push_back(index);
  return lists;
}

/// Any cell; the first indexes have each once, neighbours far apart.
ColumnCell pick_column_cell(const CaseId& id, Random& random, CopyDirection direction) {
  const auto cells = reachable_column_cells(id.arch, direction);
  constexpr uint64_t step = 1597;  // a prime that divides no number of cells
  const uint64_t at = id.index < cells.size() ? id.index * step % cells.size()
                                              : random.below(static_cast<uint32_t>(cells.size()));
  return column_cell(cells[at]);
}

void draw_column(const CaseId& id, CopyDirection direction, Random& random, ColumnWish& wish,
                 TensorCopyCase& c) {
  wish.direction = direction;
  wish.cell = pick_column_cell(id, random, direction);
  wish.bytes = tile_bytes_wish(random, id.index);
  wish.rarity = rarity_at(id.index);
  build_column(random, wish, c);
}

/// A case at a place of its own, of a map that its neighbours have too.
void make_column_beside(const CaseId& first, CopyDirection direction, Random& random, TensorCopyCase& c) {
  struct Made {
    ColumnWish wish;
    TensorCopyCase copy;
  };
  thread_local SharedMap<Made> map;
  const Made& made = map.of(first, direction, [&](Random& of_all, Made& m) {
    draw_column(first, direction, of_all, m.wish, m.copy);
  });
  c = made.copy;
  if (!place_column(random, made.wish, c)) c = made.copy;
}

void make_column(const CaseId& id, CopyDirection direction, TensorCopyCase& c) {
  Random random = id.random();
  const CaseId first = first_of_map(id);
  const bool walks = first.index < reachable_column_cells(id.arch, direction).size();
  if (!walks && rarity_at(first.index) > 1) {
    make_column_beside(first, direction, random, c);
  } else {
    ColumnWish wish;
    draw_column(id, direction, random, wish, c);
  }
  c.cache_hint = random.one_in(8);
  if (direction == CopyDirection::load) {
    c.prefetch_first = random.one_in(8);
    c.destination_cta = random.one_in(4);
  }
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  spread_columns(id.random(), rarity_at(id.index), c);
}

/// A small case in the tensor, of types with several elements in 16 bytes, without interleave unless asked.
void make_small_column(Random& random, spec::Arch arch, CopyDirection direction, uint32_t rank,
                       bool interleaved, TensorCopyCase& c) {
  ColumnWish wish;
  wish.direction = direction;
  wish.bytes = random.log_uniform(64, 1024);
  const auto cells = reachable_column_cells(arch, direction);
  do wish.cell = column_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while ((wish.cell.interleave != 0) != interleaved || wish.cell.type >= spec::host_type::first_packed ||
         spec::data_types[wish.cell.type].bits == 64 || wish.cell.edge == ColumnEdge::all_outside ||
         wish.cell.rank != rank);
  build_column(random, wish, c);
}

/// What a faulting case breaks.
enum class Im2colBreach : uint32_t {
  operand,        ///< shared address
  channel_start,  ///< not on 16 bytes
  rank,           ///< of the instruction
  mode,           ///< a tile instruction
  extent,         ///< above 2^31
  start_below_box,
  start_above_box,
  negative_start,  ///< of a store
  leaving_corner,  ///< of a store
};
constexpr Im2colBreach im2col_load_breaches[] = {Im2colBreach::operand,         Im2colBreach::start_below_box,
                                                 Im2colBreach::channel_start,   Im2colBreach::rank,
                                                 Im2colBreach::start_above_box, Im2colBreach::mode,
                                                 Im2colBreach::extent};
constexpr Im2colBreach im2col_store_breaches[] = {Im2colBreach::operand,
                                                  Im2colBreach::start_below_box,
                                                  Im2colBreach::channel_start,
                                                  Im2colBreach::negative_start,
                                                  Im2colBreach::rank,
                                                  Im2colBreach::leaving_corner,
                                                  Im2colBreach::start_above_box,
                                                  Im2colBreach::mode,
                                                  Im2colBreach::extent};

void breach_column(Random& random, Im2colBreach what, uint32_t turn, TensorCopyCase& c) {
  TensorMapArgs& m = c.map;
  const uint32_t axis = turn / 3 % spatial_axes(m.rank), dimension = dimension_of_axis(m, axis);
  const auto [low, high] = model::box_of(c.map, axis);
  constexpr uint32_t off[] = {16, 4, 64, 32, 1, 112, 8};
  switch (what) {
    case Im2colBreach::operand:
      c.tile_offset += off[turn % std::size(off)];
      // Without swizzle multiples of 16 are a question of their own.
      if (off[turn % std::size(off)] % 16 == 0) m.swizzle = 0;
      break;
    case Im2colBreach::channel_start:
      c.coord[0] += 1;
      break;
    case Im2colBreach::rank:
      c.instruction_rank = m.rank == 3   ? random.between(4, 5)
                           : m.rank == 5 ? random.between(3, 4)
                                         : 3 + 2 * (turn % 2);
      break;
    case Im2colBreach::mode:
      c.is_tile_instruction = true;
      break;
    case Im2colBreach::extent:
      m.global_dim[m.rank - 1] = (uint64_t{1} << 31) + 1 + (turn % 3 == 0 ? 0 : random.below(1000));
      break;
    case Im2colBreach::start_below_box:
      c.coord[dimension] = static_cast<int32_t>(low - 1 - (turn % 2 == 0 ? 0 : random.below(40)));
      break;
    case Im2colBreach::start_above_box:
      c.coord[dimension] = static_cast<int32_t>(high + 1 + (turn % 2 == 0 ? 0 : random.below(40)));
      break;
    case Im2colBreach::negative_start: {
      // Of the dimensions without a box: images, and channels or their plane.
      const bool image = turn % 2 == 0;
      const uint32_t channels = m.interleave != 0 ? m.rank - 2 : 0;
      c.coord[image ? m.rank - 1 : channels] =
          image || m.interleave != 0
              ? -1
              : -static_cast<int32_t>(coordinate_quantum(spec::data_types[m.data_type], 0));
      break;
    }
    case Im2colBreach::leaving_corner:
      (turn % 2 == 0 ? c.map.lower : c.map.upper)[axis] = turn % 2 == 0 ? -1 : 1;
      break;
  }
}

void make_im2col_fault(const CaseId& id, CopyDirection direction, std::span<const Im2colBreach> breaches,
                       TensorCopyCase& c) {
  Random random = id.random();
  // Few cases end a process each: seeds begin at different kinds.
  const uint64_t place = id.seed * 3 + id.index;
  const Im2colBreach what = breaches[place % breaches.size()];
  const auto turn = static_cast<uint32_t>(place / breaches.size());
  const bool wants_channels = what == Im2colBreach::channel_start;
  make_small_column(random, id.arch, direction, 3 + turn % 3, !wants_channels && turn % 4 == 3, c);
  breach_column(random, what, turn, c);
}

}  // namespace

ColumnCell column_cell(uint32_t index) {
  ColumnCell cell;
  cell.stepped = index % 2 != 0;
  cell.edge = static_cast<ColumnEdge>(index / 2 % 3);
  cell.swizzle = static_cast<uint8_t>(index / 6 % 7);
  cell.interleave = static_cast<uint8_t>(index / 42 % 3);
  cell.rank = static_cast<uint8_t>(3 + index / 126 % 3);
  cell.type = static_cast<uint8_t>(index / 378);
  return cell;
}

uint32_t index_of(const ColumnCell& cell) {
  return (((cell.type * 3u + cell.rank - 3u) * 3 + cell.interleave) * 7 + cell.swizzle) * 6 +
         static_cast<uint32_t>(cell.edge) * 2 + (cell.stepped ? 1 : 0);
}

std::string name_of_column_cell(uint32_t index) {
  constexpr std::string_view edges[] = {"inside", "some outside", "all outside"};
  const ColumnCell cell = column_cell(index);
  return std::string(spec::data_types[cell.type].name) + "/" + std::to_string(cell.rank) + "/" +
         std::string(spec::interleaves[cell.interleave].name) + "/" +
         std::string(spec::swizzles[cell.swizzle].name) + "/" +
         std::string(edges[static_cast<size_t>(cell.edge)]) + (cell.stepped ? "/steps" : "/dense");
}

ColumnCell classify_column(const TensorCopyCase& c) {
  const TensorMapArgs& m = c.map;
  ColumnCell cell;
  cell.type = static_cast<uint8_t>(m.data_type);
  cell.rank = static_cast<uint8_t>(m.rank);
  cell.interleave = static_cast<uint8_t>(m.interleave);
  cell.swizzle = static_cast<uint8_t>(m.swizzle);
  cell.stepped = m.element_stride[m.rank - 1] > 1;
  for (uint32_t k = 0; k < spatial_axes(m.rank); ++k)
    cell.stepped |= m.element_stride[dimension_of_axis(m, k)] > 1;
  const spec::Readings readings(spec::Arch::sm_90);
  const model::ColumnShape shape = model::column_of(c, readings);
  const uint64_t inside = model::PixelRuns(c, shape, readings).inside();
  cell.edge = inside == c.map.pixels ? ColumnEdge::inside
              : inside == 0          ? ColumnEdge::all_outside
                                     : ColumnEdge::some_outside;
  return cell;
}

std::span<const uint32_t> reachable_column_cells(spec::Arch arch, CopyDirection direction) {
  static const Im2colCellLists lists = lists_of_im2col_cells();
  return lists[static_cast<int>(arch)][direction == CopyDirection::store ? 1 : 0];
}

void make_im2col_load(const CaseId& id, TensorCopyCase& c) {
  make_column(id, CopyDirection::load, c);
}
void make_im2col_store(const CaseId& id, TensorCopyCase& c) {
  make_column(id, CopyDirection::store, c);
}

namespace {

void make_column_multicast(const CaseId& id, Random& random, uint32_t cluster_size, TensorCopyCase& c) {
  ColumnWish wish;
  wish.cluster_size = cluster_size;
  wish.cell = pick_column_cell(id, random, CopyDirection::load);
  wish.bytes = std::min<uint64_t>(tile_bytes_wish(random, id.index), 8192);
  wish.rarity = rarity_at(id.index);
  build_column(random, wish, c);
  draw_receivers(random, id.index, wish.cluster_size, c);
}

/// Clusters of 2, 4 and 8, the same for `block` indexes in a row.
uint32_t ctas_of_columns(const CaseId& id, uint64_t block) {
  return 2u << id.index / block % 3;
}

void make_column_in_cluster(const CaseId& id, uint32_t ctas, TensorCopyCase& c) {
  Random random = id.random();
  make_column_multicast(id, random, ctas, c);
  c.prefetch_first = random.one_in(8);
  c.cache_hint = random.one_in(8);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  draw_sole_receiver(random, id.index, c);
  spread_columns(id.random(), rarity_at(id.index), c);
}

}  // namespace

void make_im2col_load_multicast(const CaseId& id, TensorCopyCase& c) {
  make_column_in_cluster(id, ctas_of_columns(id, 256), c);
}
void make_im2col_load_non_portable(const CaseId& id, TensorCopyCase& c) {
  make_column_in_cluster(id, 16, c);
}

void make_im2col_load_cta_group(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_column_multicast(id, random, ctas_of_columns(id, 16), c);
  draw_cta_group(id, random, c);
  c.spelling = drawn_spelling(id.random());
}

void make_im2col_load_transaction(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const bool interleaved = random.one_in(4);
  make_small_column(random, id.arch, CopyDirection::load, random.between(3, 5), interleaved, c);
  if (id.index % 3 == 0) return;
  const model::ColumnShape shape = model::column_of(c, spec::Readings(id.arch));
  const auto counted = static_cast<int32_t>(shape.pixels * shape.units * shape.unit_global);
  const int32_t more[] = {16, 1, static_cast<int32_t>(shape.pixels * shape.pitch) - counted, counted};
  if (id.index % 3 == 1) {
    c.transaction_delta = std::max(1, more[id.index / 3 % std::size(more)]);
  } else {
    const int32_t less[] = {16, 1, counted / 2, counted - 1};
    c.transaction_delta = -std::max(1, less[id.index / 3 % std::size(less)]);
  }
}

void make_im2col_load_fault(const CaseId& id, TensorCopyCase& c) {
  make_im2col_fault(id, CopyDirection::load, im2col_load_breaches, c);
}
void make_im2col_store_fault(const CaseId& id, TensorCopyCase& c) {
  make_im2col_fault(id, CopyDirection::store, im2col_store_breaches, c);
}

void spread_columns(Random random, uint32_t rarity, TensorCopyCase& c) {
  for (int times = 0; times < 6; ++times) random = apart(random);
  if (random.one_in(8 * rarity)) add_lanes(random, c);
}

}  // namespace assay::gen
