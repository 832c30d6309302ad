// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

bool is_column_reachable(uint32_t index, spec::Arch arch, CopyDirection direction) {
  const ColumnCell cell = column_cell(index);
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

/// Any cell.
ColumnCell pick_column_cell(const CaseId& id, Random& random, CopyDirection direction) {
  return column_cell(pick_cell(id, random, reachable_column_cells(id.arch, direction), 1597));
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
void make_column_beside(const CaseId& first, uint64_t run, CopyDirection direction, Random& random,
                        TensorCopyCase& c) {
  struct Made {
    ColumnWish wish;
    TensorCopyCase copy;
  };
  thread_local SharedMap<Made> map;
  const Made& made = map.of(first, run, direction, [&](Random& of_all, Made& m) {
    draw_column(first, direction, of_all, m.wish, m.copy);
  });
  c = made.copy;
  if (!place_column(random, made.wish, c)) c = made.copy;
}

void make_column(const CaseId& id, CopyDirection direction, TensorCopyCase& c) {
  const uint64_t run = run_stream(id.seed, id.property);
  const Random start(case_stream(run, id.index));
  Random random = start;
  const CaseId first = first_of_map(id);
  const bool walks = first.index < reachable_column_cells(id.arch, direction).size();
  if (!walks && rarity_at(first.index) > 1) {
    make_column_beside(first, run, direction, random, c);
  } else {
    ColumnWish wish;
    draw_column(id, direction, random, wish, c);
  }
  draw_hint(random, c);
  if (direction == CopyDirection::load) {
    draw_prefetch(random, c);
    draw_destination(random, c);
  }
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(start);
  spread_columns(start, rarity_at(id.index), c);
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

void make_im2col_fault(const CaseId& id, CopyDirection direction, std::span<const CopyBreach> breaches,
                       TensorCopyCase& c) {
  Random random = id.random();
  // Few cases end a process each: seeds begin at different kinds.
  const uint64_t place = id.seed * 3 + id.index;
  const CopyBreach what = breaches[place % breaches.size()];
  const auto turn = static_cast<uint32_t>(place / breaches.size());
  const bool wants_channels = what == CopyBreach::channel_start;
  make_small_column(random, id.arch, direction, 3 + turn % 3, !wants_channels && turn % 4 == 3, c);
  breach(random, what, turn, c);
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
  return reachable_in<is_column_reachable, column_cell_count>(arch, direction);
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
  draw_prefetch(random, c);
  draw_hint(random, c);
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
  const model::ColumnShape shape = model::column_of(c, spec::Readings(id.arch));
  const auto counted = static_cast<int32_t>(shape.pixels * shape.units * shape.unit_global);
  const auto with_gaps = static_cast<int32_t>(shape.pixels * shape.pitch);
  arm_otherwise(id.index, {16, 1, with_gaps - counted, counted}, {16, 1, counted / 2, counted - 1}, c);
}

void make_im2col_load_fault(const CaseId& id, TensorCopyCase& c) {
  using enum CopyBreach;
  constexpr CopyBreach breaches[] = {operand,         start_below_box,  channel_start, instruction_rank,
                                     start_above_box, tile_instruction, extent};
  make_im2col_fault(id, CopyDirection::load, breaches, c);
}
void make_im2col_store_fault(const CaseId& id, TensorCopyCase& c) {
  using enum CopyBreach;
  constexpr CopyBreach breaches[] = {operand,         start_below_box,  channel_start,
                                     negative_start,  instruction_rank, leaving_corner,
                                     start_above_box, tile_instruction, extent};
  make_im2col_fault(id, CopyDirection::store, breaches, c);
}

void spread_columns(Random random, uint32_t rarity, TensorCopyCase& c) {
  for (int times = 0; times < 6; ++times) random = apart(random);
  if (random.one_in(8 * rarity)) add_lanes(random, c);
}

}  // namespace assay::gen
