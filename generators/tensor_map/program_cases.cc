// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/program_cases.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"

namespace assay::gen {

using model::End;

void make_map_bits(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  c = {};
  c.is_absolute = true;
  c.start = static_cast<MapStart>(1 + random.below(3));
  c.seed = static_cast<uint32_t>(random.next());
  c.in_shared = random.one_in(2);
  c.place = random.one_in(2) ? 64 : 0;
  // The first indexes have each field, dimension and memory once, alone.
  const auto count = static_cast<uint32_t>(random.one_in(4) ? 1 : random.log_uniform(1, 24));
  for (uint32_t i = 0; i < count; ++i) add(c, any_replacement(random, id.arch));
  if (random.one_in(8)) add(c, {MapOp::plain_address, 0, 0, any_operand(random, true)});
  if (c.in_shared && !random.one_in(8)) add(c, MapOp::copy_fence, random);
  place_program(random, id.arch, c);
}

void make_map_rewrite(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  do {
    const TensorCopyCase wanted = small_copy(random, id.arch, CopyDirection::load, false);
    begin_rewrite(c, random, id.arch, wanted);
    // Dimensions that the rank leaves out may hold anything (TMA-AMB-29).
    for (uint32_t i = wanted.map.rank; i < 5 && c.steps < 26; ++i)
      if (random.one_in(2))
        add(c, {MapOp::global_dim, static_cast<uint8_t>(i), 0, random.next() & 0xffffffff});
    publish(c, random);
    add_use(c, wanted);
  } while (!last_use_is_good(c, id.arch));
  place_program(random, id.arch, c);
}

void make_map_program(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  c = {};
  TensorCopyCase copy = small_copy(random, id.arch, CopyDirection::load, true);
  begin_with(c, copy);
  c.in_shared = random.one_in(2);
  c.place = random.one_in(4) ? 64 : 0;
  if (random.one_in(2)) {
    publish_first(c, random);
    add_use(c, copy);
  }
  const uint32_t rounds = random.between(1, MapProgramCase::most_uses - c.uses);
  for (uint32_t round = 0; round < rounds && c.steps < 24; ++round) {
    const MapProgramCase before = c;
    const TensorCopyCase copy_before = copy;
    for (int tries = 0; tries < 20; ++tries) {
      const TensorMapArgs from = copy.map;
      for (uint32_t n = random.between(1, 3); n > 0; --n) change_one(random, id.arch, copy);
      std::vector<MapStep> edits = edits_between(from, copy.map, id.arch);
      for (size_t i = edits.size(); i > 1; --i)
        std::swap(edits[i - 1], edits[random.below(static_cast<uint32_t>(i))]);
      for (MapStep& edit : edits) {
        // A value that does not stay: the last one counts.
        if (random.one_in(6)) {
          MapStep passing = any_replacement(random, id.arch);
          passing.op = edit.op, passing.ordinal = edit.ordinal;
          const uint32_t largest = model::largest_immediate(passing.replacement().field, id.arch);
          passing.value =
              largest != 0 ? random.between(0, largest == 15 ? 10 : largest) : random.below(1 << 20);
          add(c, passing);
        }
        disguise(random, edit);
        if (edit.is(MapOp::global_address) && random.one_in(4)) edit.op = MapOp::plain_address;
        add(c, edit);
      }
      publish(c, random);
      const bool fits = c.steps < MapProgramCase::most_steps;
      if (fits) {
        add_use(c, copy);
        copy.window_bytes = smallest_window(copy, geometry(copy.map, copy.coord));
        c.window_bytes = std::max(c.window_bytes, (copy.window_bytes + 15) / 16 * 16);
      }
      if (fits && what_is_wrong(c).empty() && last_use_is_good(c, id.arch)) break;
      c = before;
      copy = copy_before;
    }
  }
  if (c.uses == 0) {
    publish_first(c, random);
    add_use(c, copy);
  }
  scrawl_behind_fields(c, random, id.arch);
  place_program(random, id.arch, c);
}

void make_map_acquire(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  const auto way = static_cast<uint32_t>((id.seed + id.index) % publication_count);
  // Half of the programs fetch another map between what changes and what acquires this one.
  Random of_other = apart(random);
  const uint32_t other_before = of_other.one_in(2) ? of_other.between(1, 2) : 0;
  do {
    const TensorCopyCase first = small_copy(random, id.arch, CopyDirection::load, true);
    c = {};
    begin_with(c, first);
    c.in_shared = way >= 8;
    c.place = random.one_in(4) ? 64 : 0;
    publish_first(c, random);
    add_use(c, first);
    // Another tensor of the same shape.
    const uint64_t unit = address_granule(first.map);
    const MapOp op = way == 6 || way == 7 ? MapOp::plain_address : MapOp::global_address;
    add(c, {op, 0, 0, random.below64(rig::arena_bytes / unit) * unit});
    if (way == 1 || way == 3) add(c, MapOp::release, random);
    const MapUse other{first.coord, first.instruction_rank, MapInstruction::load, {}, true};
    if (other_before == 1) add_use(c, other);
    if (way >= 8) add(c, MapOp::copy_fence, random);
    if (way == 2 || way == 3 || way == 7 || way == 9) add(c, MapOp::acquire, random);
    if (way == 4 || way == 5) add(c, MapOp::acquire, random, way == 4 ? 1 : 2);
    add_use(c, first);
    if (!last_use_is_good(c, id.arch)) continue;
    if (other_before == 2) add_use(c, other);
    add(c, MapOp::acquire, random);
    add_use(c, first);
  } while (c.uses < (other_before == 0 ? 3 : 4) || !last_use_is_good(c, id.arch));
  place_program(random, id.arch, c);
  Random of_lanes = apart(of_other);
  for (uint32_t i = 0; i < c.steps; ++i)
    if (c.step[i].is(MapOp::acquire) && c.step[i].ordinal == 0 && of_lanes.one_in(4))
      c.step[i].value = of_lanes.between(1, 4);
}

uint32_t publication_of(const MapProgramCase& c) {
  bool has_acquire = false, has_release = false, has_copy = false, is_plain = false;
  uint32_t beside = 0, uses = 0, others = 0;
  for (uint32_t i = 0; i < c.steps && uses < 2; ++i) {
    const MapStep& s = c.step[i];
    if (s.is(MapOp::use)) ++(c.use[uses + others].is_of_other ? others : uses);
    if (uses == 0) continue;
    is_plain |= s.is(MapOp::plain_address);
    has_release |= s.is(MapOp::release);
    has_copy |= s.is(MapOp::copy_fence);
    has_acquire |= s.is(MapOp::acquire) && s.ordinal == 0;
    if (s.is(MapOp::acquire)) beside |= s.ordinal;
  }
  if (has_copy) return has_acquire ? 9 : 8;
  if (is_plain) return has_acquire ? 7 : 6;
  if (beside != 0) return beside == 1 ? 4 : 5;
  return (has_release ? 1 : 0) + (has_acquire ? 2 : 0);
}

void make_map_memory(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  do {
    const TensorCopyCase copy = small_copy(random, id.arch, CopyDirection::load, true);
    c = {};
    begin_with(c, copy);
    constexpr uint64_t block = 8;
    c.memory = static_cast<MapMemory>(id.index / block % 3);
    c.place = c.memory == MapMemory::global ? 64 : 0;
    add_use(c, copy);
  } while (!last_use_is_good(c, id.arch));
}

void make_map_fault(const CaseId& id, MapProgramCase& c) {
  Random random = id.random();
  constexpr MapOp kinds[] = {MapOp::elemtype,          MapOp::rank,           MapOp::global_dim,
                             MapOp::interleave_layout, MapOp::global_address, MapOp::box_dim,
                             MapOp::fill_mode,         MapOp::global_stride,  MapOp::swizzle_mode};
  const MapOp kind = kinds[(id.seed + id.index) % std::size(kinds)];
  for (;;) {
    const TensorCopyCase copy =
        small_copy(random, id.arch, CopyDirection::load, true, [&](const TiledCell& cell) {
          // Strides and addresses off 32 bytes need 32B interleave; a wrong type needs the flag.
          if (kind == MapOp::global_stride) return cell.interleave == spec::host_interleave::by_32B;
          if (kind == MapOp::elemtype)
            return cell.type == spec::host_type::tf32 || cell.type == spec::host_type::tf32_ftz;
          return true;
        });
    c = {};
    begin_with(c, copy);
    c.in_shared = random.one_in(2);
    MapStep edit = any_replacement(random, id.arch);
    for (int tries = 0; tries < 200 && edit.op != kind; ++tries) edit = any_replacement(random, id.arch);
    if (edit.op != kind) continue;
    if (kind == MapOp::global_stride)
      edit.ordinal %= copy.map.rank - 1u, edit.value = copy.map.global_stride[edit.ordinal] + 16;
    if (kind == MapOp::global_dim)
      edit.ordinal %= copy.map.rank, edit.value = 0x80000001u + random.below(1 << 20);
    if (kind == MapOp::box_dim) edit.ordinal = 0;
    if (kind == MapOp::global_address) edit.value = copy.map.global_address + (random.one_in(2) ? 8 : 1);
    add(c, edit);
    publish(c, random);
    add_use(c, copy);
    const End end = end_of_last_use(c, id.arch);
    if (end == End::illegal_instruction || end == End::misaligned_address) return;
  }
}

}  // namespace assay::gen
