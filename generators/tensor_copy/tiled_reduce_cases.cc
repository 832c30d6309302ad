// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_cases.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/copy.h"

namespace assay::gen {
namespace {

constexpr uint32_t plain_types = 13;

std::vector<ReductionPair> pairs(bool exist) {
  std::vector<ReductionPair> list;
  for (uint32_t op = 1; op < tensor_reduction_names.size(); ++op)
    for (uint32_t type = 0; type < plain_types; ++type)
      if (const auto reduction = static_cast<TensorReduction>(op);
          model::tensor_reduction(reduction, type).has_value() == exist)
        list.push_back({reduction, type});
  return list;
}

/// A legal store of a cell of the type that satisfies `wanted`.
template <typename Wanted>
void build_tiled(Random& random, const CaseId& id, uint32_t type, uint64_t bytes, Wanted wanted,
                 TensorCopyCase& c) {
  const auto cells = cells_of_type(reachable_cells(id.arch, CopyDirection::store), type);
  TiledWish wish;
  wish.direction = CopyDirection::store;
  wish.tile_bytes = bytes;
  wish.rarity = rarity_at(id.index);
  do wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
  while (!wanted(wish.cell));
  if (random.one_in(4 * wish.rarity)) wish.twist = static_cast<Twist>(random.below(twist_count));
  build_tiled(random, wish, c);
}

bool any_tile(const TiledCell&) {
  return true;
}

}  // namespace

const std::vector<ReductionPair>& tensor_reductions() {
  static const std::vector<ReductionPair> list = pairs(true);
  return list;
}
const std::vector<ReductionPair>& missing_reductions() {
  static const std::vector<ReductionPair> list = pairs(false);
  return list;
}

void make_tiled_reduce(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const ReductionPair& pair = tensor_reductions()[id.index % tensor_reductions().size()];
  const bool meets = meets_specials(random, pair.type, rarity_at(id.index));
  const uint64_t bytes = tile_bytes_wish(random, id.index);
  // Of so few pairs of numbers the sum is flushed, and not 0, that it takes many to see its sign.
  const bool flushes =
      spec::data_types[pair.type].name.ends_with(".ftz") && random.one_in(rarity_at(id.index));
  build_tiled(random, id, pair.type, flushes || meets ? meeting_bytes(bytes) : bytes, any_tile, c);
  c.reduction = pair.reduction;
  take_integer_borders(random, pair.type, c);
  if (meets) take_floats(random, c);
  place_issue(random, rarity_at(id.index), c);
  // Lanes of a slice, or a stride of 0 apart, reduce the same elements: sums of many in every order cost more
  // than all else.
  constexpr uint32_t few_lanes = 3;
  if (c.lanes > few_lanes && rarity_at(id.index) > 1) keep_lanes(c, few_lanes);
  c.spelling = drawn_spelling(id.random());
}

void make_tiled_reduce_fault(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  if (id.index % 3 != 2) {
    const uint64_t turn = id.index / 3 * 2 + id.index % 3 + id.seed;
    const ReductionPair& pair = missing_reductions()[turn * 11 % missing_reductions().size()];
    build_tiled(random, id, pair.type, random.log_uniform(64, 1024), any_tile, c);
    c.reduction = pair.reduction;
    return;
  }
  // A fault of a store on a type that has a reduction; every turn has another kind of it.
  CaseId other = id;
  for (other.index = id.index / 3;; other.index += 5 * 63) {
    make_tiled_store_fault(other, c);
    const auto found = std::find_if(tensor_reductions().begin(), tensor_reductions().end(),
                                    [&](const ReductionPair& pair) { return pair.type == c.map.data_type; });
    if (found == tensor_reductions().end()) continue;
    c.reduction = found->reduction;
    return;
  }
}

void make_tiled_reduce_conflict(const CaseId& id, TensorCopyCase& c) {
  Random random = id.random();
  const ReductionPair& pair = tensor_reductions()[id.index % tensor_reductions().size()];
  const bool few = model::is_order_dependent(*model::tensor_reduction(pair.reduction, pair.type));
  build_tiled(
      random, id, pair.type, random.log_uniform(128, 2048),
      [](const TiledCell& cell) {
        return cell.rank == 2 && cell.interleave == 0 && cell.edge != Edge::far &&
               cell.edge != Edge::outside && cell.strides != StrideClass::zero;
      },
      c);
  c.reduction = pair.reduction;
  // Rows on each other: the slot stays as large as it was.
  TensorMapArgs& m = c.map;
  const uint64_t row = inner_bytes(spec::data_types[m.data_type], 0, m.box_dim[0]);
  m.global_stride[0] = std::min<uint64_t>(m.global_stride[0], 16 * random.below64(row / 16));
  // So many rows that all their orders can be tried.
  if (few)
    m.box_dim[1] = std::min<uint32_t>(m.box_dim[1], (model::most_orders_of - 1) * m.element_stride[1] + 1);
  // Half of them are several reductions under way at once, of so many rows together.
  Random several = apart(random);
  if (several.one_in(2)) return;
  constexpr uint32_t fewer = model::most_orders_of / 2;
  if (few) m.box_dim[1] = std::min<uint32_t>(m.box_dim[1], (fewer - 1) * m.element_stride[1] + 1);
  const uint32_t rows = (m.box_dim[1] - 1) / m.element_stride[1] + 1;
  overlap_lanes(several, few ? model::most_orders_of / rows : 8, c);
}

}  // namespace assay::gen
