// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "generators/mma/cases.h"
#include "reference/layout/tmem_access.h"
#include "reference/model/tmem/access.h"

namespace assay::gen {
namespace {

OperandPattern any_bits(Random& random) {
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  return pattern;
}

/// One case of four: anywhere among all columns that there are.
void place_anywhere(Random random, TmemAccessCase& c) {
  if (!random.one_in(4)) return;
  TmemAccessCase placed = c;
  const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
      c.shape, static_cast<int>(c.count), c.packs ? 2 : 1, static_cast<int>(c.split)));
  placed.alloc_columns = 512;
  placed.column = random.below(512 - columns + 1);
  if (model::fits_rig(placed)) c = placed;
}

/// Shapes times counts times packing, walked once by the first indexes.
void make_access(const CaseId& id, bool is_store, TmemAccessCase& c) {
  Random random = id.random();
  do {
    const uint64_t form = id.index < 80 ? id.index : random.below(80);
    c = {};
    c.is_store = is_store;
    c.shape = static_cast<uint32_t>(form % 5);
    c.packs = form / 5 % 2 == 1;
    c.count = 1u << (form / 10);
    const auto most = static_cast<uint32_t>(layout::tmem_shapes[c.shape].most_count);
    if (c.count > most) c.count = 1u << random.below(static_cast<uint32_t>(std::bit_width(most)));
    const uint32_t spread = c.packs ? 2 : 1;
    if (c.shape == 4) {
      // Halves side by side, further apart, and for loads on top of each other.
      c.split = random.one_in(2) ? c.count * spread : 1u << random.below(9);
      if (!is_store && random.one_in(8)) c.split = 0;
    }
    const auto columns = static_cast<uint32_t>(layout::tmem_access_columns(
        c.shape, static_cast<int>(c.count), static_cast<int>(spread), static_cast<int>(c.split)));
    if (columns > 512) continue;
    c.alloc_columns = std::max(32u, std::bit_ceil(columns));
    if (c.alloc_columns < 512 && random.one_in(2)) c.alloc_columns *= 2;
    c.column = random.below(c.alloc_columns - columns + 1);
    c.lane = layout::tmem_shapes[c.shape].lanes == 16 && random.one_in(2) ? 16 : 0;
    c.d_fill = any_bits(random);
    c.register_fill = any_bits(random);
  } while (!model::fits_rig(c));
  if (apart(random).one_in(3)) c.warps = 8;
  place_anywhere(apart(apart(random)), c);
}

}  // namespace

void make_tmem_load(const CaseId& id, TmemAccessCase& c) {
  make_access(id, false, c);
}
void make_tmem_store(const CaseId& id, TmemAccessCase& c) {
  make_access(id, true, c);
}

void make_tmem_same_address(const CaseId& id, TmemAccessCase& c) {
  make_access(id, id.index % 2 == 1, c);
  c.same_address = id.index % 16 != 2;
  Random random(case_stream(id.seed ^ 1, id.property, id.index));
  if (c.same_address) c.named_warp = random.below(4);
}

}  // namespace assay::gen
