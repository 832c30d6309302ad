// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/simpler_cases.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_map/program_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/program_model.h"

/// Programs whose copies store.
namespace assay::gen {

namespace {

MapInstruction store_or_add(Random& random, const TensorCopyCase& copy) {
  const bool adds = model::tensor_reduction(TensorReduction::add, copy.map.data_type).has_value();
  return adds && random.one_in(2) ? MapInstruction::add : MapInstruction::store;
}

/// One argument becomes another one; an address stays in the slot. Stores take a fill of NaN whatever the
/// type.
void change_store(Random& random, spec::Arch arch, uint32_t slot_bytes, TensorCopyCase& copy) {
  const uint64_t address = copy.map.global_address;
  change_one(random, arch, copy);
  if (copy.map.global_address == address) return;
  const uint64_t unit = address_granule(copy.map);
  copy.map.global_address = guard_bytes + random.below64(slot_bytes / unit / 2) * unit;
}

/// A store of six bits by a map that sm_103a alone takes, and no encoder makes: one or more of half the box,
/// the extent, the start, the alignments, and 64B swizzle (ptx, restriction on tensor copy instructions).
TensorCopyCase halved_store(Random& random, spec::Arch arch) {
  for (;;) {
    TensorCopyCase copy = small_copy(random, arch, CopyDirection::store, false, [](const TiledCell& cell) {
      return cell.type == spec::host_type::b6x16_p32 && cell.edge != Edge::far;
    });
    TensorMapArgs& map = copy.map;
    if (!random.one_in(4)) map.box_dim[0] = 64;
    if (map.box_dim[0] == 64 && random.one_in(3)) map.swizzle = spec::host_swizzle::by_64B;
    if (random.one_in(2)) map.global_dim[0] -= 64;
    if (random.one_in(2)) copy.coord[0] += 64;
    if (random.one_in(2)) map.global_address += 16;
    if (map.rank > 1 && random.one_in(2)) map.global_stride[random.below(map.rank - 1)] += 16;
    const uint64_t slot = smallest_slot(copy, geometry(map, copy.coord));
    if (slot > most_map_slot) continue;
    copy.slot_bytes = std::max(copy.slot_bytes, static_cast<uint32_t>((slot + 15) / 16 * 16));
    copy.slot_fill_offset = std::min<uint64_t>(copy.slot_fill_offset, rig::arena_bytes - copy.slot_bytes);
    return copy;
  }
}

}  // namespace

void make_map_rewrite_store(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  do {
    const bool is_halved = spec::row_of(id.arch).halves_b6_stores && random.one_in(6);
    const TensorCopyCase wanted =
        is_halved ? halved_store(random, id.arch) : small_copy(random, id.arch, CopyDirection::store, false);
    begin_rewrite(c, random, id.arch, wanted);
    publish(c, random);
    add_use(c, wanted, store_or_add(random, wanted));
  } while (!last_use_is_good(c, id.arch) || !is_good(c, id.arch));
  place_program(random, id.arch, c);
}

void make_map_program_store(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  for (;;) {
    c = {};
    TensorCopyCase copy = small_copy(random, id.arch, CopyDirection::store, true);
    // Room for other addresses, extents and strides.
    copy.slot_bytes = std::min(most_map_slot, copy.slot_bytes + (8u << 10));
    copy.slot_fill_offset = copy.slot_fill_offset / 2 / 16 * 16;
    begin_with(c, copy);
    c.in_shared = random.one_in(2);
    c.place = random.one_in(4) ? 64 : 0;
    publish_first(c, random);
    add_use(c, copy, store_or_add(random, copy));
    if (!is_good(c, id.arch)) continue;
    const uint32_t rounds = random.between(1, MapProgramCase::most_uses - 1);
    for (uint32_t round = 0; round < rounds && c.steps < 24; ++round) {
      const MapProgramCase before = c;
      const TensorCopyCase copy_before = copy;
      for (int tries = 0; tries < 20; ++tries) {
        for (uint32_t n = random.between(1, 3); n > 0; --n) change_store(random, id.arch, c.slot_bytes, copy);
        add_shuffled(c, random, edits_between(copy_before.map, copy.map, id.arch));
        publish(c, random);
        const bool fits = c.steps < MapProgramCase::most_steps;
        if (fits) {
          add_use(c, copy, random.one_in(3) ? MapInstruction::load : store_or_add(random, copy));
          copy.window_bytes = smallest_window(copy, geometry(copy.map, copy.coord));
          c.window_bytes = std::max(c.window_bytes, (copy.window_bytes + 15) / 16 * 16);
        }
        if (fits && c.window_bytes <= most_map_window && what_is_wrong(c).empty() && is_good(c, id.arch))
          break;
        c = before;
        copy = copy_before;
      }
    }
    if (c.uses > 1) break;
  }
  scrawl_behind_fields(c, random, id.arch);
  place_program(random, id.arch, c);
}

namespace {

/// Uses keep to what is known: their ends are those of the rules, by every map that they may find.
bool is_known(const MapProgramCase& c, spec::Arch arch) {
  const spec::Readings readings(arch);
  model::MapMachine machine(c, readings);
  spec::RuleSet rules;
  uint32_t use = 0;
  for (; !machine.is_over(); machine.step(rules)) {
    if (!c.step[machine.at()].is(MapOp::use)) continue;
    for (const spec::TensorMapBytes& map : machine.may_be_found())
      if (model::end_of_use(c, c.use[use], model::seen_by_copies(map, c.use[use], readings), readings,
                            rules) == model::End::undefined)
        return false;
    ++use;
  }
  return model::stays_in_slot(c);
}

void remove_steps(MapProgramCase& c, uint32_t first, uint32_t count) {
  uint32_t use = 0;
  for (uint32_t i = 0; i < first; ++i) use += c.step[i].is(MapOp::use);
  for (uint32_t i = first; i < first + count; ++i) {
    if (!c.step[i].is(MapOp::use)) continue;
    std::copy(c.use.begin() + use + 1, c.use.begin() + c.uses, c.use.begin() + use);
    c.use[--c.uses] = {};
  }
  std::copy(c.step.begin() + first + count, c.step.begin() + c.steps, c.step.begin() + first);
  std::fill(c.step.begin() + (c.steps - count), c.step.begin() + c.steps, MapStep{});
  c.steps -= count;
}

}  // namespace

std::vector<MapProgramCase> simpler(const MapProgramCase& c) {
  // One of the architectures has every map.
  SimplerCases<MapProgramCase> steps(c, [](const MapProgramCase& s) {
    return what_is_wrong(s).empty() && is_known(s, spec::arch_with_every_map);
  });
  for (uint32_t part = std::max(1u, c.steps / 2);; part /= 2) {
    for (uint32_t first = 0; first + part <= c.steps; first += part)
      if (part < c.steps) steps.offer([&](MapProgramCase& s) { remove_steps(s, first, part); });
    if (part == 1) break;
  }
  if (c.start == MapStart::random)
    for (const MapStart start : {MapStart::zeros, MapStart::ones})
      steps.offer([&](MapProgramCase& s) { s.start = start, s.seed = 0; });
  steps.offer([](MapProgramCase& s) { s.place = 0; });
  steps.offer([](MapProgramCase& s) { s.shared_map = 0; });
  steps.offer([](MapProgramCase& s) { s.issuer_thread = 0; });
  steps.offer([](MapProgramCase& s) {
    s.in_shared = false, s.shared_map = 0;
    for (uint32_t i = s.steps; i-- > 0;)
      if (s.step[i].is(MapOp::copy_fence)) remove_steps(s, i, 1);
  });
  for (uint32_t i = 0; i < c.steps; ++i) {
    if (!c.step[i].is_edit() && c.step[i].scope != 2 && !c.step[i].is(MapOp::use))
      steps.offer([&](MapProgramCase& s) { s.step[i].scope = 2; });
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, c.step[i].value / 2})
      if ((c.step[i].is_edit() || c.step[i].is(MapOp::acquire)) && value < c.step[i].value)
        steps.offer([&](MapProgramCase& s) { s.step[i].value = value; });
  }
  for (uint32_t i = 0; i < c.map.rank && i < 5; ++i) {
    if (i != 0 && c.map.box_dim[i] > 1) steps.offer([&](MapProgramCase& s) { s.map.box_dim[i] /= 2; });
    if (c.map.element_stride[i] > 1) steps.offer([&](MapProgramCase& s) { s.map.element_stride[i] = 1; });
  }
  for (const auto member : {&TensorMapArgs::swizzle, &TensorMapArgs::oob_fill, &TensorMapArgs::l2_promotion})
    if (c.map.*member != 0) steps.offer([&](MapProgramCase& s) { s.map.*member = 0; });
  for (uint32_t i = 0; i < c.uses; ++i) {
    if (c.use[i].offset != std::array<uint16_t, 3>{})
      steps.offer([&](MapProgramCase& s) { s.use[i].offset = {}; });
    if (c.use[i].is_of_other) steps.offer([&](MapProgramCase& s) { s.use[i].is_of_other = false; });
    if (c.use[i].instruction == MapInstruction::add)
      steps.offer([&](MapProgramCase& s) { s.use[i].instruction = MapInstruction::store; });
  }
  if (c.map.pixels > 1) steps.offer([](MapProgramCase& s) { s.map.pixels /= 2; });
  if (c.slot_fill_offset != 0) steps.offer([](MapProgramCase& s) { s.slot_fill_offset = 0; });
  if (c.fill_offset != 0) steps.offer([](MapProgramCase& s) { s.fill_offset = 0; });
  return std::move(steps.made);
}

}  // namespace assay::gen
