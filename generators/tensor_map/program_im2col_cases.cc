// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_map/program_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

/// Programs on im2col maps. tensormap.replace has no fields for them but those that all maps have, and
/// box_dim writes what lies in its place: the channels of a pixel, and the bytes of the corners.
namespace assay::gen {

namespace bits = spec::tensor_map;

namespace {

TensorCopyCase small_column(Random& random, spec::Arch arch, CopyDirection direction) {
  const auto cells = reachable_column_cells(arch, direction);
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  for (;;) {
    ColumnWish wish;
    wish.direction = direction;
    wish.bytes = random.log_uniform(64, 2048);
    wish.cell = column_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
    build_column(random, wish, copy);
    if (copy.window_bytes <= most_map_window && copy.slot_bytes <= most_map_slot) return copy;
  }
}

void add_column_use(MapProgramCase& c, const TensorCopyCase& copy, bool stores) {
  if (stores)
    add_use(c, MapUse{copy.coord, copy.instruction_rank, MapInstruction::im2col_store, {}});
  else
    add_use(c, MapUse{copy.coord, copy.instruction_rank, MapInstruction::im2col_load, copy.offset});
}

/// The replacement by which byte `i` (1 to 4) of the corners' word becomes what it is in the map.
MapStep corner_edit(uint32_t i, const spec::TensorMapBytes& map) {
  return {MapOp::box_dim, static_cast<uint8_t>(i), 0, std::to_integer<uint64_t>(map[0x37 + i]) + 1};
}

/// Those that write all that a map of as many pixels has.
std::vector<MapStep> edits_of_column(const Im2colMapArgs& map, spec::Arch arch) {
  TensorMapArgs shared = map;
  shared.box_dim.fill(1);
  std::vector<MapStep> edits = edits_of_whole_map(shared, arch);
  std::erase_if(edits, [](const MapStep& edit) { return edit.is(MapOp::box_dim); });
  edits.push_back({MapOp::box_dim, 0, 0, map.channels});
  const spec::TensorMapBytes encoded = model::encode_im2col_map(map, spec::Readings(arch));
  for (uint32_t i = 1; i < 5; ++i) edits.push_back(corner_edit(i, encoded));
  return edits;
}

/// A start in the pixel box that the map has now, where it has one.
void start_anew(Random& random, const Im2colMapArgs& map, bool stores, MapUse& use) {
  const auto in = [&](int64_t low, int64_t high) {
    return static_cast<int32_t>(low + static_cast<int64_t>(random.below64(
                                          static_cast<uint64_t>(std::max<int64_t>(0, high - low)) + 1)));
  };
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) {
    const model::BoxEnds box = model::box_of(map, k);
    const int64_t high = std::min<int64_t>(box.upper, int64_t{box.lower} + 40);
    int32_t& start = use.coord[dimension_of_axis(map, k)];
    if (start < box.lower || start > box.upper || random.one_in(4)) start = in(box.lower, high);
  }
  if (random.one_in(4)) {
    const auto images = static_cast<int64_t>(std::min<uint64_t>(map.global_dim[map.rank - 1], 40));
    use.coord[map.rank - 1] = in(stores ? 0 : -1, images);
  }
  if (!stores && random.one_in(4)) use.offset[random.below(3)] = static_cast<uint16_t>(random.below(4));
}

/// One field becomes another: what comes out need not be legal.
MapStep changed_field(Random& random, spec::Arch arch, const MapProgramCase& c,
                      const spec::TensorMapBytes& now) {
  const TensorMapArgs m = model::arguments_of(now).map;
  const auto i = static_cast<uint8_t>(random.below(m.rank));
  const spec::DataType& old = spec::data_types[m.data_type % spec::data_types.size()];
  const uint64_t memory = c.slot_bytes != 0 ? c.slot_bytes / 2 : rig::arena_bytes;
  const uint64_t unit = address_granule(m);
  switch (random.below(10)) {
    case 0:
      return {MapOp::global_address, 0, 0, 128 + random.below64(memory / unit) * unit};
    case 1:
      return {MapOp::global_dim, i, 0, random.log_uniform(1, std::max<uint64_t>(2, 2 * m.global_dim[i]))};
    case 2:
      return {MapOp::element_stride, i, 0, random.between(1, 8)};
    case 3: {
      const spec::DataType& type = spec::data_types[random.below(13)];
      if (type.bits == old.bits && type.exists(arch)) return {MapOp::elemtype, 0, 0, type.elemtype};
      [[fallthrough]];
    }
    case 4:
      return {MapOp::fill_mode, 0, 0, m.oob_fill ^ 1u};
    case 5:
      return {MapOp::swizzle_mode, 0, 0, random.below(4)};
    case 6: {
      const auto k = static_cast<uint8_t>(random.below(m.rank - 1));
      return {MapOp::global_stride, k, 0, m.global_stride[k] + unit * random.below(4)};
    }
    case 7:
      return {MapOp::box_dim, 0, 0, random.between(1, 16) * std::max<uint64_t>(1, 128 / old.bits)};
    default: {  // a corner a little further out or in
      spec::TensorMapBytes moved = now;
      const auto at = static_cast<uint8_t>(random.between(1, 4));
      moved[0x37 + at] =
          static_cast<std::byte>(std::to_integer<uint32_t>(now[0x37 + at]) + random.below(5) + 254);
      return corner_edit(at, moved);
    }
  }
}

spec::TensorMapBytes map_after(const MapProgramCase& c, spec::Arch arch) {
  const spec::Readings readings(arch);
  spec::RuleSet rules;
  model::MapMachine machine(c, readings);
  while (!machine.is_over()) machine.step(rules);
  return machine.edited();
}

/// As much of shared memory as the columns of the program want.
void widen_window(MapProgramCase& c, spec::Arch arch) {
  const model::MapArguments now = model::arguments_of(map_after(c, arch));
  if (!now.is_im2col || model::broken_column_map_rules(now.map, spec::Readings(arch)).any()) return;
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  copy.map = now.map;
  copy.instruction_rank = now.map.rank;
  const uint64_t end =
      c.tile_offset + model::footprint(copy, spec::Readings(arch)).shared_bytes + guard_bytes;
  c.window_bytes = std::max(c.window_bytes, static_cast<uint32_t>((end + 127) / 128 * 128));
}

}  // namespace

void make_map_rewrite_im2col(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  for (;;) {
    const bool stores = random.one_in(3);
    const TensorCopyCase wanted =
        small_column(random, id.arch, stores ? CopyDirection::store : CopyDirection::load);
    const TensorCopyCase first = small_column(random, id.arch, CopyDirection::load);
    c = {};
    begin_with(c, wanted);
    c.map = first.map;
    c.map.pixels = wanted.map.pixels;
    c.in_shared = random.one_in(2);
    c.place = random.one_in(4) ? 64 : 0;
    add_shuffled(c, random, edits_of_column(wanted.map, id.arch));
    publish(c, random);
    if (c.steps == MapProgramCase::most_steps) continue;
    add_column_use(c, wanted, stores);
    if (what_is_wrong(c).empty() && is_good(c, id.arch)) break;
  }
  place_program(random, id.arch, c);
}

void make_map_program_im2col(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  for (;;) {
    const bool has_slot = random.one_in(2);
    c = {};
    TensorCopyCase copy =
        small_column(random, id.arch, has_slot ? CopyDirection::store : CopyDirection::load);
    if (has_slot) {
      copy.slot_bytes = std::min(most_map_slot, copy.slot_bytes + (8u << 10));
      copy.slot_fill_offset = copy.slot_fill_offset / 2 / 16 * 16;
    }
    begin_with(c, copy);
    c.in_shared = random.one_in(2);
    c.place = random.one_in(4) ? 64 : 0;
    publish_first(c, random);
    add_column_use(c, copy, has_slot);
    if (!what_is_wrong(c).empty() || !is_good(c, id.arch)) continue;
    const uint32_t rounds = random.between(1, MapProgramCase::most_uses - 1);
    for (uint32_t round = 0; round < rounds && c.steps < 24; ++round) {
      const MapProgramCase before = c;
      for (int tries = 0; tries < 20; ++tries) {
        for (uint32_t n = random.between(1, 3); n > 0; --n) {
          MapStep edit = changed_field(random, id.arch, c, map_after(c, id.arch));
          disguise(random, edit);
          add(c, edit);
        }
        widen_window(c, id.arch);
        MapUse use = c.use[c.uses - 1];
        const bool stores = has_slot && !random.one_in(3);
        use.instruction = stores ? MapInstruction::im2col_store : MapInstruction::im2col_load;
        if (stores) use.offset = {};
        start_anew(random, model::arguments_of(map_after(c, id.arch)).map, stores, use);
        publish(c, random);
        const bool fits = c.steps < MapProgramCase::most_steps;
        if (fits) add_use(c, use);
        if (fits && c.window_bytes <= most_map_window && what_is_wrong(c).empty() && is_good(c, id.arch))
          break;
        c = before;
      }
    }
    if (c.uses > 1) break;
  }
  scrawl_behind_fields(c, random, id.arch);
  place_program(random, id.arch, c);
}

void make_map_use_fault(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  const auto what = static_cast<MapInstruction>(1 + (id.seed + id.index) % 4);
  for (;;) {
    c = {};
    if (what == MapInstruction::store || what == MapInstruction::add) {
      const TensorCopyCase copy = small_copy(random, id.arch, CopyDirection::store, true);
      begin_with(c, copy);
      c.in_shared = random.one_in(2);
      add(c, any_replacement(random, id.arch));
      publish(c, random);
      add_use(c, copy, what);
    } else {
      const bool stores = what == MapInstruction::im2col_store;
      const TensorCopyCase copy =
          small_column(random, id.arch, stores ? CopyDirection::store : CopyDirection::load);
      begin_with(c, copy);
      c.in_shared = random.one_in(2);
      add(c, random.one_in(2) ? any_replacement(random, id.arch)
                              : changed_field(random, id.arch, c, map_after(c, id.arch)));
      publish(c, random);
      add_column_use(c, copy, stores);
    }
    // A case whose map was illegal before has another fault in it.
    MapProgramCase without = c;
    without.step[0] = {MapOp::release, 0, 2, 0};
    if (end_of_last_use(without, id.arch) != model::End::done) continue;
    const model::End end = end_of_last_use(c, id.arch);
    const bool is_fault = end == model::End::illegal_instruction || end == model::End::misaligned_address;
    if (is_fault && what_is_wrong(c).empty()) return;
  }
}

}  // namespace assay::gen
