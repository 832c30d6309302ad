// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/map_program.h"

#include <cstring>
#include <mutex>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"

namespace assay::cuda {
namespace {

using params::MapProgramRecord;
using params::MapSpace;

const char* wrong_step(const MapProgramRecord& r, const params::MapStep& s, const BatchView& batch) {
  using params::MapCommand;
  if (static_cast<uint32_t>(s.command) >= params::map_commands || s.scope > 3 || s.ordinal > 4)
    return "a step has an unknown command, a scope above 3 or an ordinal above 4";
  const bool is_sm_90 = batch.is_before_sm_100();
  if (s.command == MapCommand::swizzle_atomicity && is_sm_90) return "sm_90 has no swizzle_atomicity";
  if (s.command == MapCommand::elemtype && s.value > (is_sm_90 ? 12 : 15))
    return "a step has an unknown type";
  if (s.command == MapCommand::interleave_layout && s.value > 2) return "a step has an unknown interleave";
  if (s.command == MapCommand::swizzle_atomicity && s.value > 3) return "a step has an unknown atomicity";
  if (s.command == MapCommand::fill_mode && s.value > 1) return "a step has an unknown fill";
  if (s.command == MapCommand::swizzle_mode &&
      s.value > (batch.lacks(&spec::Architecture::has_swizzle_96B) ? 3 : 4))
    return "a step has a swizzle that the device does not have";
  if (r.space != MapSpace::global && s.command != MapCommand::use)
    return "maps outside of global memory cannot be edited";
  if (s.opcode != forms::opcode_of(s)) return "opcode of a step must be that of its replacement";
  return nullptr;
}

const char* wrong_use(const MapProgramRecord& r, const params::MapUse& use) {
  using params::MapInstruction;
  if (static_cast<uint32_t>(use.instruction) >= params::map_instructions)
    return "a use has an unknown instruction";
  const bool im2col = use.instruction >= MapInstruction::im2col_load;
  if (use.rank < (im2col ? 3 : 1) || use.rank > 5)
    return "the rank of a use must be 1 to 5, in im2col mode 3 to 5";
  const bool loads =
      use.instruction == MapInstruction::load || use.instruction == MapInstruction::im2col_load;
  if (!loads && r.slot_bytes == 0) return "a store or a reduction needs a slot";
  if (use.is_of_other > 1) return "is_of_other must be 0 or 1";
  if (use.is_of_other && (r.space != MapSpace::global || (r.flags & params::map_from_words)))
    return "is_of_other requires a map in global memory that the driver encoded";
  if (use.opcode != forms::opcode_of(use)) return "opcode of a use must be that of its instruction";
  return nullptr;
}

const char* wrong_map_program(const MapProgramRecord& r, const MapProgramRecord& first,
                              const BatchView& batch) {
  if (r.steps > params::most_map_steps || r.uses > params::most_map_uses)
    return "a program has at most 32 steps, 4 of them copies";
  if (r.space > MapSpace::constant || r.space != first.space)
    return "space must be one of three, the same in a batch";
  if (r.place % 64 != 0 || r.place > (r.space == MapSpace::global ? 128 : 64))
    return "place must be 0, 64 or, in global memory, 128";
  if (r.issuer_thread >= params::probe_threads) return "the thread that issues must be one of four warps";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (r.shared_map % params::map_bytes || r.shared_map < r.window_bytes ||
      r.shared_map > params::max_window_bytes)
    return "the map in shared memory must lie on a multiple of 128 behind the window, within 216 KiB";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.slot_bytes % 16 || r.slot_bytes > params::arena_bytes || r.slot_fill_offset % 16 ||
      r.slot_fill_offset > params::arena_bytes - r.slot_bytes)
    return "the slot's fill must be 16-byte aligned inside the arena";
  if (r.slot_bytes != 0 && (r.space != MapSpace::global || (r.flags & params::map_is_absolute)))
    return "a program with a slot has its map in global memory and relative addresses";
  const uint32_t slot_at = params::map_program_bytes(r.steps, r.uses, r.window_bytes, r.slot_bytes);
  if (r.slot_at != (r.slot_bytes != 0 ? slot_at : 0)) return "slot_at must be behind the windows";
  if (r.output_bytes != slot_at + r.slot_bytes)
    return "output_bytes must be those of the area, the snapshots, the windows and the slot";
  uint32_t uses = 0;
  for (uint32_t i = 0; i < r.steps; ++i) {
    if (const char* what = wrong_step(r, r.step[i], batch)) return what;
    uses += r.step[i].command == params::MapCommand::use;
  }
  if (uses != r.uses) return "uses must be as many as there are steps of the kind";
  for (uint32_t i = 0; i < r.uses; ++i)
    if (const char* what = wrong_use(r, r.use[i])) return what;
  return nullptr;
}

std::optional<std::string> declines_map_program(const OpenedDriver& opened, bool emulator) {
  if (auto why = declines_unknown(opened)) return why;
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

/// Encodes the record's first map by the driver under test.
Result encode(const OpenedDevice& device, const Job& job, const Slot& slot, uint32_t index) {
  const MapProgramRecord& r = job.record<MapProgramRecord>(index);
  auto* map = reinterpret_cast<TensorMap*>(job.memory.maps + uint64_t{index} * 128);
  if (r.flags & params::map_from_words) {
    std::memcpy(map, r.words, sizeof *map);
    return 0;
  }
  job.note_call(index);
  return encode_tiled(device.driver, r.map, reinterpret_cast<std::byte*>(map),
                      r.slot_bytes != 0 ? slot.output + r.output_offset : device.arena);
}

/// Records whose maps lie in the table of a launch: as many as it holds at a time, each in its own place.
void run_by_table(OpenedDevice& device, Job& job, const ProbePlan& plan, const ProbeGroup& all,
                  MapSpace space) {
  // There is one constant table, and there may be a batch in each of several threads.
  static std::mutex constant_table;
  std::unique_lock<std::mutex> lock(constant_table, std::defer_lock);
  if (space == MapSpace::constant) lock.lock();
  for (size_t at = 0; at < all.records.size();) {
    params::MapTable table{};
    ProbeGroup group = all;
    group.records.clear();
    const uint32_t part_of = all.records[at] / params::table_maps;
    for (; at < all.records.size() && all.records[at] / params::table_maps == part_of; ++at) {
      const uint32_t index = all.records[at];
      group.records.push_back(index);
      std::memcpy(table.words[index % params::table_maps], job.memory.maps + uint64_t{index} * 128, 128);
    }
    group.second_parameter = &table;
    if (space == MapSpace::constant) {
      const Slot& slot = device.slot(job.batch);
      check(device.driver,
            device.driver.copy_to_device(device.variable("map_program", "map_program_table"), &table,
                                         sizeof table, slot.stream),
            "cuMemcpyHtoDAsync");
      check(device.driver, device.driver.stream_synchronize(slot.stream), "cuStreamSynchronize");
    }
    ProbePlan part = plan;
    part.groups = {std::move(group)};
    run_probes(device, job, std::move(part));
  }
}

void run_map_program(OpenedDevice& device, Job& job) {
  ProbePlan plan{sizeof(MapProgramRecord), 128, true, {}, output_slot_of<MapProgramRecord>};
  ProbeGroup group{};
  const MapSpace space = job.record<MapProgramRecord>(job.group.front()).space;
  for (const uint32_t index : job.group) {
    const MapProgramRecord& r = job.record<MapProgramRecord>(index);
    if (const Result refused = encode(device, job, device.slot(job.batch), index)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    add_record(device, group, index, forms::launch_of(r));
  }
  job.clear_call();
  if (group.records.empty()) return;
  static params::MapTable no_maps;
  group.second_parameter = &no_maps;
  if (space != MapSpace::global) return run_by_table(device, job, plan, group, space);
  plan.groups = {std::move(group)};
  run_probes(device, job, std::move(plan));
}

const RegisterFamily map_program(family_of<MapProgramRecord, wrong_map_program>("map_program",
                                                                                declines_map_program,
                                                                                run_map_program));

}  // namespace
}  // namespace assay::cuda
