// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

bool is_wide_reachable(uint32_t index, spec::Arch arch, CopyDirection) {
  const WideCell cell = wide_cell(index);
  const spec::DataType& type = spec::data_types[cell.type];
  if (!spec::has_tcgen05(arch) || !type.exists(arch)) return false;
  return !type.is_padded() || cell.swizzle >= spec::host_swizzle::by_128B;  // rows of 128 elements, padded
}

/// Any cell.
WideCell pick_wide_cell(const CaseId& id, Random& random) {
  return wide_cell(pick_cell(id, random, reachable_wide_cells(id.arch), 1009));
}

/// The same cluster for `run` indexes.
void make_wide_multicast(const CaseId& id, Random& random, uint64_t run, TensorCopyCase& c) {
  WideWish wish;
  wish.cluster_size = 2u << id.index / run % 3;
  wish.cell = pick_wide_cell(id, random);
  wish.bytes = std::min<uint64_t>(tile_bytes_wish(random, id.index), 8192);
  wish.rarity = rarity_at(id.index);
  build_wide(random, wish, c);
  draw_receivers(random, id.index, wish.cluster_size, c);
  draw_prefetch(random, c);
}

/// A small load in the tensor, of types with several elements in 16 bytes.
void make_small_wide(Random& random, spec::Arch arch, uint32_t rank, bool is_128, TensorCopyCase& c) {
  WideWish wish;
  wish.bytes = random.log_uniform(64, 2048);
  const auto cells = reachable_wide_cells(arch);
  do wish.cell = wide_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (wish.cell.type >= spec::host_type::first_packed || spec::data_types[wish.cell.type].bits == 64 ||
         wish.cell.is_128 != is_128 || wish.cell.edge == ColumnEdge::all_outside || wish.cell.rank != rank);
  build_wide(random, wish, c);
}

}  // namespace

uint32_t index_of(const WideCell& cell) {
  return ((((cell.type * 3u + cell.rank - 3u) * 3 + cell.swizzle - 2u) * 2 + (cell.is_128 ? 1 : 0)) * 3 +
          static_cast<uint32_t>(cell.edge)) *
             2 +
         (cell.stepped ? 1 : 0);
}

WideCell wide_cell(uint32_t index) {
  WideCell cell;
  cell.stepped = index % 2 != 0;
  cell.edge = static_cast<ColumnEdge>(index / 2 % 3);
  cell.is_128 = index / 6 % 2 != 0;
  cell.swizzle = static_cast<uint8_t>(2 + index / 12 % 3);
  cell.rank = static_cast<uint8_t>(3 + index / 36 % 3);
  cell.type = static_cast<uint8_t>(index / 108);
  return cell;
}

std::string name_of_wide_cell(uint32_t index) {
  constexpr std::string_view edges[] = {"inside", "some outside", "all outside"};
  const WideCell cell = wide_cell(index);
  return std::string(spec::data_types[cell.type].name) + "/" + std::to_string(cell.rank) + "/" +
         std::string(spec::swizzles[cell.swizzle].name) + (cell.is_128 ? "/w::128/" : "/w/") +
         std::string(edges[static_cast<size_t>(cell.edge)]) + (cell.stepped ? "/steps" : "/dense");
}

WideCell classify_wide(const TensorCopyCase& c) {
  const TensorMapArgs& m = c.map;
  WideCell cell;
  cell.type = static_cast<uint8_t>(m.data_type);
  cell.rank = static_cast<uint8_t>(m.rank);
  cell.swizzle = static_cast<uint8_t>(m.swizzle);
  cell.is_128 = c.mode == CopyMode::w_128;
  cell.stepped = m.element_stride[1] > 1;
  const spec::Readings readings(spec::Arch::sm_100);
  const model::ColumnShape shape = model::column_of(c, readings);
  const uint64_t inside = model::PixelRuns(c, shape, readings).inside();
  cell.edge = inside == shape.pixels ? ColumnEdge::inside
              : inside == 0          ? ColumnEdge::all_outside
                                     : ColumnEdge::some_outside;
  return cell;
}

std::span<const uint32_t> reachable_wide_cells(spec::Arch arch) {
  return reachable_in<is_wide_reachable, wide_cell_count>(arch, CopyDirection::load);
}

uint32_t halo_cell(const TensorCopyCase& c) {
  const bool is_128 = c.mode == CopyMode::w_128;
  const uint32_t most = is_128 ? 31 : 511;
  const uint32_t halo = c.w_halo == 0 ? 0 : c.w_halo <= 2 ? 1 : c.w_halo < most ? 2 : 3;
  const uint32_t offset = c.w_offset == 0 ? 0 : c.w_offset < 31 ? 1 : 2;
  const bool is_left = c.coord[1] < c.map.lower[0];
  return (((is_128 ? 1u : 0u) * 4 + halo) * 3 + offset) * 2 + (is_left ? 1 : 0);
}

std::string name_of_halo_cell(uint32_t index) {
  constexpr std::string_view halos[] = {"none", "1 or 2", "more", "most"}, offsets[] = {"none", "some", "31"};
  return std::string(index / 24 ? "w::128/" : "w/") + std::string(halos[index / 6 % 4]) + "/" +
         std::string(offsets[index / 2 % 3]) + (index % 2 ? "/left of the box" : "/in the box");
}

void make_wide_load(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  WideWish wish;
  wish.cell = pick_wide_cell(id, random);
  wish.bytes = tile_bytes_wish(random, id.index);
  wish.rarity = rarity_at(id.index);
  build_wide(random, wish, c);
  draw_hint(random, c);
  draw_prefetch(random, c);
  draw_destination(random, c);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  spread_columns(id.random(), rarity_at(id.index), c);
}

void make_wide_load_multicast(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_wide_multicast(id, random, 256, c);
  draw_hint(random, c);
  c.issuer_thread = issuing_thread(random);
  c.spelling = drawn_spelling(id.random());
  draw_sole_receiver(random, id.index, c);
}

void make_wide_load_cta_group(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_wide_multicast(id, random, 16, c);
  draw_cta_group(id, random, c);
  c.spelling = drawn_spelling(id.random());
}

void make_wide_load_transaction(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  make_small_wide(random, id.arch, random.between(3, 5), id.index % 2 != 0, c);
  const spec::Readings readings(id.arch);
  const model::ColumnShape shape = model::column_of(c, readings);
  const auto counted = static_cast<int32_t>(model::transaction_bytes(c, readings));
  // What a count without the halos, of the map's pixels, or with the gaps would give.
  const auto halo =
      static_cast<int32_t>((c.mode == CopyMode::w_128 ? 4 : 1) * c.w_halo * shape.units * shape.unit_global);
  const auto with_gaps = static_cast<int32_t>(shape.pixels * shape.pitch);
  arm_otherwise(id.index, {16, 1, with_gaps - counted, counted}, {halo, 1, counted / 2, counted - 1}, c);
}

void make_wide_load_fault(const CaseId& id, TensorCopyCase& c) {
  using enum CopyBreach;
  constexpr CopyBreach breaches[] = {operand,           start_right_of_box, plain_map,
                                     other_mode,        channel_start,      instruction_rank,
                                     plain_instruction, tile_instruction,   extent};
  Random random = id.random();
  // Few cases end a process each: seeds begin at different kinds.
  const uint64_t place = id.seed * 3 + id.index;
  const CopyBreach what = breaches[place % std::size(breaches)];
  const auto turn = static_cast<uint32_t>(place / std::size(breaches));
  make_small_wide(random, id.arch, 3 + turn % 3, turn % 2 != 0, c);
  breach(random, what, turn, c);
}

}  // namespace assay::gen
