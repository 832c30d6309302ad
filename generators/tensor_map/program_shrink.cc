// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/shrink_tree.h"
#include "generators/tensor_map/program_cases.h"
#include "reference/model/tensor_map/program_model.h"

namespace assay::gen {
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

std::vector<MapProgramCase> simpler(const MapProgramCase& c) {
  std::vector<MapProgramCase> made;
  const auto offer = [&](auto change) {
    MapProgramCase s = c;
    change(s);
    // One of the architectures has every map.
    if (s != c && what_is_wrong(s).empty() && is_known(s, spec::arch_with_every_map)) made.push_back(s);
  };
  for (uint32_t part = std::max(1u, c.steps / 2);; part /= 2) {
    for (uint32_t first = 0; first + part <= c.steps; first += part)
      if (part < c.steps) offer([&](MapProgramCase& s) { remove_steps(s, first, part); });
    if (part == 1) break;
  }
  if (c.start == MapStart::random)
    for (const MapStart start : {MapStart::zeros, MapStart::ones})
      offer([&](MapProgramCase& s) { s.start = start, s.seed = 0; });
  offer([](MapProgramCase& s) { s.place = 0; });
  offer([](MapProgramCase& s) { s.shared_map = 0; });
  offer([](MapProgramCase& s) { s.issuer_thread = 0; });
  offer([](MapProgramCase& s) {
    s.in_shared = false, s.shared_map = 0;
    for (uint32_t i = s.steps; i-- > 0;)
      if (s.step[i].is(MapOp::copy_fence)) remove_steps(s, i, 1);
  });
  for (uint32_t i = 0; i < c.steps; ++i) {
    if (!c.step[i].is_edit() && c.step[i].scope != 2 && !c.step[i].is(MapOp::use))
      offer([&](MapProgramCase& s) { s.step[i].scope = 2; });
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, c.step[i].value / 2})
      if ((c.step[i].is_edit() || c.step[i].is(MapOp::acquire)) && value < c.step[i].value)
        offer([&](MapProgramCase& s) { s.step[i].value = value; });
  }
  for (uint32_t i = 0; i < c.map.rank && i < 5; ++i) {
    if (i != 0 && c.map.box_dim[i] > 1) offer([&](MapProgramCase& s) { s.map.box_dim[i] /= 2; });
    if (c.map.element_stride[i] > 1) offer([&](MapProgramCase& s) { s.map.element_stride[i] = 1; });
  }
  for (const auto member : {&TensorMapArgs::swizzle, &TensorMapArgs::oob_fill, &TensorMapArgs::l2_promotion})
    if (c.map.*member != 0) offer([&](MapProgramCase& s) { s.map.*member = 0; });
  for (uint32_t i = 0; i < c.uses; ++i) {
    if (c.use[i].offset != std::array<uint16_t, 3>{}) offer([&](MapProgramCase& s) { s.use[i].offset = {}; });
    if (c.use[i].is_of_other) offer([&](MapProgramCase& s) { s.use[i].is_of_other = false; });
    if (c.use[i].instruction == MapInstruction::add)
      offer([&](MapProgramCase& s) { s.use[i].instruction = MapInstruction::store; });
  }
  if (c.map.pixels > 1) offer([](MapProgramCase& s) { s.map.pixels /= 2; });
  if (c.slot_fill_offset != 0) offer([](MapProgramCase& s) { s.slot_fill_offset = 0; });
  if (c.fill_offset != 0) offer([](MapProgramCase& s) { s.fill_offset = 0; });
  return made;
}

}  // namespace

rc::Shrinkable<MapProgramCase> shrink_tree(const MapProgramCase& c,
                                           std::function<bool(const MapProgramCase&)> keep) {
  return kept_tree<MapProgramCase>(c, simpler, std::move(keep));
}

}  // namespace assay::gen
