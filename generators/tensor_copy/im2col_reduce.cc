// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "generators/tensor_copy/tiled_reduce_cases.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/reduce.h"

namespace assay::gen {
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
