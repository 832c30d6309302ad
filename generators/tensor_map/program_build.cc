// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/program_cases.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {

using model::End;

uint64_t any_operand(Random& random, bool is_wide) {
  constexpr uint64_t edges[] = {0,   1,    2,     7,     8,     9,          15,         16,
                                17,  31,   255,   256,   257,   0x7fffffff, 0x80000000, 0xffffffff,
                                511, 4096, 65535, 65536, 0x1ff, 0x123};
  constexpr uint64_t wide[] = {
      uint64_t{1} << 32, (uint64_t{1} << 36) - 1,  uint64_t{1} << 36, (uint64_t{1} << 40) - 16,
      uint64_t{1} << 40, (uint64_t{1} << 57) - 16, ~uint64_t{0}};
  if (is_wide && random.one_in(3)) return wide[random.below(std::size(wide))];
  if (random.one_in(2)) return edges[random.below(std::size(edges))];
  const uint64_t any = random.next() >> random.below(64);
  return is_wide ? any : any & 0xffffffff;
}

MapStep any_replacement(Random& random, spec::Arch arch) {
  MapStep step;
  do step.op = static_cast<MapOp>(random.below(static_cast<uint32_t>(MapOp::plain_address)));
  while (!model::exists(step.replacement().field, arch));
  const model::MapField field = step.replacement().field;
  if (model::has_ordinal(field)) step.ordinal = static_cast<uint8_t>(random.below(model::map_ordinals));
  const uint32_t largest = model::largest_immediate(field, arch);
  const bool is_wide = field == model::MapField::global_address || field == model::MapField::global_stride;
  step.value = largest != 0 ? random.between(0, largest) : any_operand(random, is_wide);
  return step;
}

void add(MapProgramCase& c, const MapStep& step) {
  if (c.steps < MapProgramCase::most_steps) c.step[c.steps++] = step;
}
void add(MapProgramCase& c, MapOp op, Random& random, uint8_t ordinal) {
  add(c, {op, ordinal, static_cast<uint8_t>(random.below(4)), 0});
}
void add_use(MapProgramCase& c, const MapUse& use) {
  c.use[c.uses++] = use;
  add(c, {MapOp::use});
}
void add_use(MapProgramCase& c, const TensorCopyCase& copy, MapInstruction instruction) {
  add_use(c, {copy.coord, copy.instruction_rank, instruction, {}});
}
void add_shuffled(MapProgramCase& c, Random& random, std::vector<MapStep> edits) {
  for (size_t i = edits.size(); i > 1; --i)
    std::swap(edits[i - 1], edits[random.below(static_cast<uint32_t>(i))]);
  for (MapStep& edit : edits) {
    disguise(random, edit);
    add(c, edit);
  }
}

void publish_first(MapProgramCase& c, Random& random) {
  if (!c.in_shared) return;
  add(c, MapOp::copy_fence, random);
  add(c, MapOp::acquire, random);
}

void publish(MapProgramCase& c, Random& random) {
  if (c.in_shared)
    add(c, MapOp::copy_fence, random);
  else if (!random.one_in(8))
    add(c, MapOp::release, random);
  if (random.one_in(8)) add(c, MapOp::acquire, random, static_cast<uint8_t>(1 + random.below(4)));
  add(c, MapOp::acquire, random);
}

TensorCopyCase small_copy(Random& random, spec::Arch arch, CopyDirection direction, bool by_driver,
                          const std::function<bool(const TiledCell&)>& wanted) {
  const auto cells = reachable_cells(arch, direction);
  TensorCopyCase copy;
  for (;;) {
    TiledWish wish;
    wish.direction = direction;
    wish.tile_bytes = random.log_uniform(64, 2048);
    wish.cell = tiled_cell(cells[random.below(static_cast<uint32_t>(cells.size()))]);
    if (by_driver && spec::swizzles[wish.cell.swizzle].is_96B) continue;
    if (wanted && !wanted(wish.cell)) continue;
    build_tiled(random, wish, copy);
    if (copy.window_bytes <= most_map_window && copy.slot_bytes <= most_map_slot) return copy;
  }
}

void begin_with(MapProgramCase& c, const TensorCopyCase& copy) {
  if (is_column(copy)) c.start = MapStart::im2col;
  c.map = copy.map;
  c.tile_offset = copy.tile_offset;
  c.window_bytes = copy.window_bytes;
  c.fill_offset = copy.fill_offset;
  c.slot_bytes = copy.slot_bytes;
  c.slot_fill_offset = copy.slot_fill_offset;
}

void begin_rewrite(MapProgramCase& c, Random& random, spec::Arch arch, const TensorCopyCase& wanted) {
  const TensorCopyCase first = small_copy(random, arch, CopyDirection::load, true);
  c = {};
  begin_with(c, wanted);
  c.map = first.map;
  c.in_shared = random.one_in(2);
  c.place = random.one_in(4) ? 64 : 0;
  add_shuffled(c, random, edits_of_whole_map(wanted.map, arch));
}

void scrawl_behind_fields(MapProgramCase& c, Random& random, spec::Arch arch) {
  if (!spec::row_of(arch).is_measured || !random.one_in(8)) return;
  const spec::TensorMapBytes map = model::start_of(c, spec::Readings(arch));
  c.start = MapStart::words;
  for (size_t i = 0; i < map.size(); ++i) c.words[i / 4] |= static_cast<uint32_t>(map[i]) << (8 * (i % 4));
  constexpr uint32_t first = 16, words = 16;
  const uint32_t one = random.below(words);
  switch (random.below(3)) {
    case 0:
      for (uint32_t i = 0; i < words; ++i) c.words[first + i] = static_cast<uint32_t>(random.next());
      break;
    case 1:
      c.words[first + one] = ~c.words[first + one];
      break;
    default:
      c.words[first + one] ^= 1u << random.below(32);
  }
}

void place_program(Random random, spec::Arch arch, MapProgramCase& c) {
  c.issuer_thread = issuing_thread(random);
  Random of_place = apart(random);
  if (c.place == 0 && c.memory == MapMemory::global && of_place.one_in(3)) c.place = 128;
  if (!c.in_shared || !random.one_in(4)) return;
  constexpr uint32_t unit = 128, border = 32 << 10;
  const uint32_t room = rig::room_of_windows(arch);
  const uint32_t first = c.window_bytes / unit + 1, end = room / unit;
  uint32_t at = random.between(first, end - 1);
  if (random.one_in(2)) {
    const uint32_t address = border * random.between(1, room / border) - unit * random.below(2);
    at = std::max(first, (address - rig::usual_window_address) / unit);
  }
  c.shared_map = unit * at;
}

bool last_use_is_good(const MapProgramCase& c, spec::Arch arch) {
  const spec::Readings readings(arch);
  spec::RuleSet rules;
  model::MapMachine machine(c, readings);
  while (machine.at() + 1 < c.steps) machine.step(rules);
  const MapUse& use = c.use[c.uses - 1];
  for (const spec::TensorMapBytes& found : machine.may_be_found()) {
    const spec::TensorMapBytes map = model::seen_by_copies(found, use, readings);
    const TensorCopyCase copy = model::copy_of(c, use, map);
    if (model::end_of_use(c, use, map, readings, rules) != End::done ||
        model::broken_map_rules(copy.map, readings, copy.direction).any())
      return false;
    if (!fits_rig(copy)) return false;
  }
  return true;
}

bool is_good(const MapProgramCase& c, spec::Arch arch) {
  std::vector<std::byte> output(model::output_bytes_of(c)), defined(output.size());
  const model::MapProgramPrediction made =
      model::predict_map_program(c, spec::Readings(arch), model::arena(), output, defined);
  const auto slot = defined.begin() + model::slot_at(c);
  return made.end == End::done && !made.has_choice &&
         std::find(slot, slot + c.slot_bytes, std::byte{0}) == slot + c.slot_bytes;
}

End end_of_last_use(const MapProgramCase& c, spec::Arch arch) {
  const spec::Readings readings(arch);
  spec::RuleSet rules;
  model::MapMachine machine(c, readings);
  while (machine.at() + 1 < c.steps) machine.step(rules);
  const MapUse& use = c.use[c.uses - 1];
  return model::end_of_use(c, use, model::seen_by_copies(machine.global(), use, readings), readings, rules);
}

std::vector<MapStep> edits_of_whole_map(const TensorMapArgs& map, spec::Arch arch) {
  std::vector<MapStep> edits;
  const auto add = [&](MapOp op, uint32_t ordinal, uint64_t value) {
    edits.push_back({op, static_cast<uint8_t>(ordinal), 0, value});
  };
  const spec::Swizzle& swizzle = *spec::find_swizzle(map.swizzle);
  add(MapOp::global_address, 0, map.global_address);
  add(MapOp::rank, 0, map.rank - 1);
  for (uint32_t i = 0; i < map.rank; ++i) {
    add(MapOp::box_dim, i, map.box_dim[i]);
    add(MapOp::global_dim, i, map.global_dim[i] & 0xffffffff);
    add(MapOp::element_stride, i, map.element_stride[i]);
    if (i + 1 < map.rank) add(MapOp::global_stride, i, map.global_stride[i]);
  }
  add(MapOp::elemtype, 0, spec::data_types[map.data_type].elemtype);
  add(MapOp::interleave_layout, 0, map.interleave);
  add(MapOp::swizzle_mode, 0, swizzle.is_96B ? 4 : swizzle.width_code);
  if (spec::has_tcgen05(arch)) add(MapOp::swizzle_atomicity, 0, swizzle.atomicity_code);
  add(MapOp::fill_mode, 0, map.oob_fill);
  return edits;
}

std::vector<MapStep> edits_between(const TensorMapArgs& from, const TensorMapArgs& to, spec::Arch arch) {
  const std::vector<MapStep> before = edits_of_whole_map(from, arch);
  std::vector<MapStep> edits = edits_of_whole_map(to, arch);
  std::erase_if(edits, [&](const MapStep& edit) {
    return std::find(before.begin(), before.end(), edit) != before.end();
  });
  return edits;
}

void disguise(Random& random, MapStep& edit) {
  if (!random.one_in(4)) return;
  switch (edit.op) {
    case MapOp::rank:
      edit.value += 8 * random.below(1 << 20);
      break;
    case MapOp::box_dim:
      edit.value = edit.value == 256 ? 0 : edit.value + 256 * random.below(1 << 20);
      break;
    case MapOp::element_stride:
      edit.value = edit.value == 8 ? 0 : edit.value + 8 * random.below(1 << 20);
      break;
    case MapOp::global_stride:
      edit.value += random.below(16) + (random.below64(1 << 20) << 40);
      break;
    default:
      break;
  }
}

void change_one(Random& random, spec::Arch arch, TensorCopyCase& copy) {
  TensorMapArgs& map = copy.map;
  const uint32_t i = random.below(map.rank);
  switch (random.below(9)) {
    case 0:
    case 1: {
      const uint64_t unit = address_granule(map);
      map.global_address = random.below64(rig::arena_bytes / unit) * unit;
      break;
    }
    case 2:
      map.global_dim[i] = random.log_uniform(1, std::max<uint64_t>(2, 2 * map.global_dim[i]));
      break;
    case 3:
      if (i != 0) map.box_dim[i] = random.between(1, std::min(256u, 2 * map.box_dim[i]));
      break;
    case 4:
      map.element_stride[i] = random.between(1, 8);
      break;
    case 5: {
      // Types of the same width, by which nothing else has to change.
      const spec::DataType& old = spec::data_types[map.data_type];
      const spec::DataType& type = spec::data_types[random.below(13)];
      if (type.bits == old.bits && type.exists(arch)) map.data_type = type.host;
      break;
    }
    case 6:
      map.oob_fill ^= 1;
      break;
    case 7:
      map.swizzle = random.below(4);
      break;
    default:
      // Around the end, where a coordinate is one of the largest.
      copy.coord[i] = static_cast<int32_t>(static_cast<uint32_t>(copy.coord[i]) + random.between(0, 64) - 32);
      if (i == 0) copy.coord[0] = copy.coord[0] / 128 * 128;
      break;
  }
  if (map.rank > 1 && random.one_in(6)) {
    uint64_t& stride = map.global_stride[random.below(map.rank - 1)];
    stride = random.below(64) * 32;
  }
}

}  // namespace assay::gen
