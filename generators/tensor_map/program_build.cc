// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/program_build.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_map/program_edit.h"
#include "reference/model/arena.h"
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

}  // namespace assay::gen
