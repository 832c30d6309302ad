// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/program_case.h"

#include <algorithm>

#include "reference/model/case_fields.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/rules.h"

namespace assay {

using nlohmann::json;

std::string step_words(const MapProgramCase& c, uint32_t index) {
  constexpr const char* scopes[] = {"cta", "cluster", "gpu", "sys"};
  const MapStep& s = c.step[index];
  std::string text(map_op_names[static_cast<size_t>(s.op)]);
  if (s.is_edit()) {
    if (s.is_replacement() && model::has_ordinal(s.replacement().field))
      text += " " + std::to_string(s.ordinal);
    return text + " := " + std::to_string(s.value);
  }
  if (s.is(MapOp::use)) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < index; ++i) before += c.step[i].is(MapOp::use);
    const MapUse& use = c.use[std::min(before, MapProgramCase::most_uses - 1)];
    return text + " " + std::to_string(before) + (use.is_of_other ? " of another map" : "") +
           (use.instruction == MapInstruction::load
                ? ""
                : " (" + std::string(map_instruction_names[static_cast<size_t>(use.instruction)]) + ")");
  }
  text += "." + std::string(scopes[s.scope & 3]);
  if (s.is(MapOp::acquire))
    text += " of the map" + (s.ordinal == 0 ? "" : " + " + std::to_string(64 * s.ordinal)) +
            (s.value == 0 ? "" : ", by all lanes, " + std::to_string(64 * s.value) + " bytes apart");
  return text;
}

namespace {

std::string wrong_step(const MapProgramCase& c, uint32_t i) {
  const MapStep& s = c.step[i];
  const std::string step = "step " + std::to_string(i) + " of the case, " + step_words(c, i) + ", ";
  if (s.scope > 3) return "step " + std::to_string(i) + " of the case has a scope above 3.";
  if (s.is(MapOp::copy_fence) && !c.in_shared) return step + "copies a map that is not in shared memory.";
  if (s.is(MapOp::use) && c.is_absolute) return step + "uses a map whose address is arbitrary.";
  if (c.memory != MapMemory::global && !s.is(MapOp::use))
    return step + "edits or publishes a map that is not in global memory.";
  if (s.ordinal >= model::map_ordinals) return step + "has an ordinal above 4.";
  if (s.is(MapOp::acquire) && s.value > MapStep::most_acquire_step)
    return step + "has lanes that lie more than " + std::to_string(64 * MapStep::most_acquire_step) +
           " bytes apart.";
  if (s.is(MapOp::acquire) && s.value != 0 && s.ordinal != 0)
    return step + "is by all lanes, of which the one that acts acquires the map itself.";
  if (!s.is_replacement()) return {};
  const auto field = s.replacement().field;
  if (s.ordinal != 0 && !model::has_ordinal(field)) return step + "has an ordinal.";
  const uint32_t largest = model::largest_immediate(field, spec::arch_with_every_map);
  if (largest != 0 && s.value > largest)
    return step + "does not assemble: the operand is 0 to " + std::to_string(largest) + ".";
  if (field != model::MapField::global_address && field != model::MapField::global_stride &&
      s.value >> 32 != 0)
    return step + "has an operand of more than 32 bits.";
  return {};
}

/// Of the slot, and of what the case begins with beside the map of the driver.
std::string wrong_memory(const MapProgramCase& c) {
  if (c.slot_fill_offset > rig::arena_bytes - c.slot_bytes)
    return "field 'slot_fill_offset' of the case is " + std::to_string(c.slot_fill_offset) +
           "; what the slot holds before lies in the arena.";
  if (c.slot_bytes != 0 && (c.is_absolute || c.memory != MapMemory::global))
    return "a program with a slot has its map in global memory and an address that is relative to the slot.";
  if (c.start != MapStart::im2col) return {};
  if (c.memory != MapMemory::global) return "a map that is not the driver's lies in global memory.";
  const spec::RuleSet broken =
      model::broken_column_map_rules(c.map, spec::Readings(spec::arch_with_every_map));
  for (size_t i = 0; i < broken.size(); ++i)
    if (broken[i])
      return "the im2col map that the program begins with violates " + std::string(spec::rule_table[i].id) +
             ": " + std::string(spec::rule_table[i].words);
  return {};
}

std::string wrong_use(const MapProgramCase& c, const MapUse& use) {
  if (use.rank < 1 || use.rank > 5)
    return "field 'use.rank' of the case is " + std::to_string(use.rank) +
           "; an instruction has rank 1 to 5.";
  if (use.is_im2col() && use.rank < 3)
    return "field 'use.rank' of the case is " + std::to_string(use.rank) +
           "; an instruction of im2col mode has rank 3 to 5.";
  if (!use.is_load() && c.slot_bytes == 0)
    return "a store or a reduction of the case has no slot to write to.";
  if (use.is_of_other && (c.start != MapStart::driver || c.memory != MapMemory::global))
    return "a copy through another map is one of a program whose map the driver encodes, in global memory.";
  return {};
}

}  // namespace

std::string what_is_wrong(const MapProgramCase& c) {
  const auto field = [](const char* name, uint64_t value, const std::string& why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (c.steps == 0 || c.steps > MapProgramCase::most_steps)
    return field("step", c.steps,
                 "a program has 1 to " + std::to_string(MapProgramCase::most_steps) + " steps");
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.memory != MapMemory::global && c.place > 64)
    return field("place", c.place, "it is 0 or 64 outside of global memory");
  if (c.is_absolute && c.start == MapStart::driver) return "a map of the driver has an address of the arena.";
  const uint32_t uses = static_cast<uint32_t>(std::count_if(
      c.step.begin(), c.step.begin() + c.steps, [](const MapStep& s) { return s.is(MapOp::use); }));
  if (uses != c.uses || uses > MapProgramCase::most_uses)
    return field("use", c.uses,
                 "a program has one for each of its steps \"use\", at most " +
                     std::to_string(MapProgramCase::most_uses));
  if (c.shared_map != 0 && (!c.in_shared || c.shared_map < c.window_bytes))
    return field("shared_map", c.shared_map, "a map in shared memory lies behind the window");
  if (c.fill_offset > rig::arena_bytes - c.window_bytes)
    return field("fill_offset", c.fill_offset, "what the window holds before lies in the arena");
  if (std::string wrong = wrong_memory(c); !wrong.empty()) return wrong;
  for (uint32_t i = 0; i < c.steps; ++i)
    if (std::string wrong = wrong_step(c, i); !wrong.empty()) return wrong;
  for (uint32_t i = 0; i < uses; ++i)
    if (std::string wrong = wrong_use(c, c.use[i]); !wrong.empty()) return wrong;
  return {};
}

/// Of a tiled load what there was before there were others.
static json use_json(const MapUse& use) {
  static const json usual = model::fields::whole(MapUse{});
  json made = model::fields::whole(use);
  for (const char* name : {"instruction", "is_of_other", "offset"})
    if (made[name] == usual[name]) made.erase(name);
  return made;
}

}  // namespace assay

namespace assay::model {

template <>
json to_json(const MapProgramCase& c) {
  json made = fields::written(c);
  made["step"] = json::array();
  for (uint32_t i = 0; i < c.steps; ++i) made["step"].push_back(fields::whole(c.step[i]));
  if (c.uses != 0) made["use"] = json::array();
  for (uint32_t i = 0; i < c.uses; ++i) made["use"].push_back(use_json(c.use[i]));
  return made;
}

template <>
MapProgramCase case_from_json(const json& from) {
  if (!from.is_object()) throw std::runtime_error("the case is not a JSON object.");
  json rest = from;
  const auto take = [&](const char* name, size_t most) {
    json list = rest.value(name, json::array());
    rest.erase(name);
    if (!list.is_array() || list.size() > most)
      throw std::runtime_error("field '" + std::string(name) + "' of the case is not a list of up to " +
                               std::to_string(most) + ".");
    return list;
  };
  const json steps = take("step", MapProgramCase::most_steps), uses = take("use", MapProgramCase::most_uses);
  MapProgramCase c = fields::read_case<MapProgramCase>(rest);
  c.steps = static_cast<uint32_t>(steps.size());
  c.uses = static_cast<uint32_t>(uses.size());
  for (uint32_t i = 0; i < c.steps; ++i)
    fields::read_object("step[" + std::to_string(i) + "].", steps[i], c.step[i]);
  for (uint32_t i = 0; i < c.uses; ++i)
    fields::read_object("use[" + std::to_string(i) + "].", uses[i], c.use[i]);
  if (const std::string wrong = what_is_wrong(c); !wrong.empty()) throw std::runtime_error(wrong);
  if (!stays_in_slot(c))
    throw std::runtime_error(
        "a copy of the case leaves its slot or its window, or nothing is known of what it does.");
  return c;
}

template <>
json case_schema<MapProgramCase>() {
  json made = fields::schema_of(MapProgramCase());
  made["properties"]["step"] = fields::list_schema<MapStep>(1, MapProgramCase::most_steps);
  made["properties"]["use"] = fields::list_schema<MapUse>(0, MapProgramCase::most_uses);
  return made;
}

}  // namespace assay::model
