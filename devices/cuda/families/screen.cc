// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/screen.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/families.h"
#include "kernels/params/arena.h"
#include "reference/spec/tensor_map.h"

namespace assay::cuda {
namespace {

using params::ScreenBothRecord;
using params::ScreenRecord;
using params::ScreenTilesRecord;

/// The emulator takes a tenth of a second for a chain. Of tiles each stage of a warp has more than one.
constexpr uint32_t most_rounds_emulated = 1, most_loads_emulated = 4, ctas_emulated = 2,
                   store_slots_emulated = 1;

const char* wrong_turns(const params::ScreenTurns& turns) {
  if (turns.cta_step < 1 || turns.cta_step > 2 || turns.cta_first >= turns.cta_step)
    return "of CTAs every one or every second takes part";
  return turns.part > params::ScreenPart::loads ? "part must be one of three" : nullptr;
}

const char* wrong_screen(const ScreenRecord& r, const ScreenRecord& first, const BatchView& batch) {
  if (r.kind >= params::screen_kinds) return "the screen's kernels have the kinds 0 to 19";
  const uint8_t targets = forms::forms("screen.chain").targets(r.kind);
  const auto arch = spec::parse_arch(batch.architecture);
  if (arch && (targets & forms::target_of(*arch)) == 0) return "the device has no such product";
  if (r.kind != first.kind) return "the records of a batch must be of one kind";
  if (r.rounds < 1) return "rounds must be at least 1";
  if (r.blocks > 256) return "blocks must be 0 to 256";
  if (const char* const wrong = wrong_turns(r.turns)) return wrong;
  if (r.plant_word >= params::screen_window_bytes / 4) return "plant_word must be one of shared memory";
  if (r.plant == params::ScreenPlant::middle && (r.plant_step < 1 || r.plant_step >= r.blocks))
    return "a fault in the middle must lie between two steps";
  if (r.plant_register >= params::screen_d_registers || r.plant_thread >= params::probe_threads)
    return "a planted fault must lie in one of 128 registers of one of 128 threads";
  if (r.output_bytes != sizeof(params::ScreenOutput)) return "output_bytes must be those of a ScreenOutput";
  return nullptr;
}

/// What only the device knows of a record. Whether one multiprocessor alone takes part.
template <typename Record>
bool settle(const OpenedDevice& device, Record& record, uint32_t most_rounds) {
  // Of an emulated device no pulse takes time.
  if (device.emulator) record.rounds = std::min(record.rounds, most_rounds), record.turns.off_us = 0;
  // Timers of the boards of a host agree: every second one has its pulses in the pauses of the others.
  record.turns.phase_us = record.turns.in_phase == 0 && device.device % 2 == 1 ? record.turns.on_us : 0;
  return record.turns.only_sm != params::screen_every_sm;
}
bool settle(const OpenedDevice& device, ScreenRecord& record) {
  return settle(device, record, most_rounds_emulated);
}
bool settle(const OpenedDevice& device, ScreenTilesRecord& record) {
  if (device.emulator) record.store_slots = std::min(record.store_slots, store_slots_emulated);
  return settle(device, record, most_loads_emulated);
}
bool settle(const OpenedDevice& device, ScreenBothRecord& record) {
  const bool chains_alone = settle(device, record.chains), tiles_alone = settle(device, record.tiles);
  return chains_alone || tiles_alone;
}

/// One CTA a multiprocessor; each runs all records, in their order, of which the emulator does few rounds.
template <typename Record>
void run_screen(OpenedDevice& device, Job& job, uint32_t map_bytes = 0) {
  ProbePlan plan{.record_bytes = sizeof(Record), .map_bytes = map_bytes, .output_of = output_slot_of<Record>};
  plan.groups.emplace_back();
  const auto all = std::min(static_cast<uint32_t>(device.sm_count), params::screen_most_ctas);
  plan.groups[0].clusters = device.emulator ? ctas_emulated : all;
  for (const uint32_t index : job.group) {
    auto& record = reinterpret_cast<Record*>(job.memory.records)[index];
    if (settle(device, record)) plan.groups[0].clusters = all;
    add_record(device, plan.groups[0], index, forms::launch_of(record));
  }
  run_probes(device, job, std::move(plan));
}

/// Of the tensor.
uint64_t bytes_of(const params::EncodeTiledArgs& map) {
  if (map.rank > 1) return map.global_stride[map.rank - 2] * map.global_dim[map.rank - 1];
  const spec::DataType* type = spec::find_data_type(map.data_type);
  return map.global_dim[0] * (type == nullptr ? 8 : type->bits / 8);
}

const char* wrong_tiles(const ScreenTilesRecord& r, const ScreenTilesRecord&, const BatchView&) {
  if (r.rounds < 1) return "rounds must be at least 1";
  if (r.maps < 1 || r.maps > params::screen_tile_maps) return "maps must be 1 to 16";
  if (r.tiles < 1 || r.tiles > params::screen_most_tiles) return "tiles must be 1 to 16384";
  if (const char* const wrong = wrong_turns(r.turns)) return wrong;
  if (r.plant_lane >= 32) return "a planted fault must lie in one of 32 lanes";
  if (r.store_slots > params::screen_most_store_slots) return "store_slots must be at most 16";
  for (uint32_t m = 0; m < r.maps; ++m) {
    const params::ScreenTileMap& map = r.map[m];
    if (map.map.rank < 1 || map.map.rank > 5) return "maps must be of ranks 1 to 5";
    if (map.map.global_address + bytes_of(map.map) > params::arena_bytes)
      return "a tensor must lie in the arena";
    if (map.bytes < 16 || map.bytes > params::screen_tile_bytes) return "a tile must fit its stage";
    if (r.store_slots != 0 && map.bytes != params::screen_tile_bytes)
      return "a stored tile must fill its stage";
    if ((map.pieces[0] & 1) == 0) return "the first piece of a tile must be defined";
  }
  if (r.output_bytes != sizeof(params::ScreenTilesOutput))
    return "output_bytes must be those of a ScreenTilesOutput";
  return nullptr;
}

/// Copies of the arena, each rotated by other pages, so that a load from a wrong one shows. Written once by a
/// process, and read alone.
class FarMemory {
 public:
  static FarMemory& of_process() {
    static FarMemory memory;
    return memory;
  }

  /// Where the arena would begin whose bytes [at, at + bytes) lie in one of the copies, by any number.
  DeviceAddress begin(OpenedDevice& device, uint64_t at, uint64_t bytes, uint32_t number) {
    const std::lock_guard lock(mutex_);
    if (begin_ == 0) write(device);
    for (uint32_t i = 0; i < copies; ++i) {
      const uint32_t copy = (number + i) % copies;
      const uint64_t in_copy = (at + params::arena_bytes - rotation(copy)) % params::arena_bytes;
      if (in_copy + bytes <= params::arena_bytes) return begin_ + copy * params::arena_bytes + in_copy - at;
    }
    throw std::runtime_error("a tensor of a screen is longer than the arena");
  }

 private:
  static constexpr uint32_t copies = 128;  ///< 4 GiB
  static uint64_t rotation(uint32_t copy) { return copy * 229ull * 4096 % params::arena_bytes; }

  void write(OpenedDevice& device) {
    const Driver& d = device.driver;
    DeviceAddress begin = 0;
    check(d, d.memory_allocate(&begin, copies * params::arena_bytes), "cuMemAlloc of 4 GiB to screen");
    Stream stream = nullptr;
    for (uint32_t copy = 0; copy < copies; ++copy) {
      const DeviceAddress to = begin + copy * params::arena_bytes;
      const uint64_t first = params::arena_bytes - rotation(copy);
      check(d, d.copy_to_device(to, device.region.arena() + rotation(copy), first, stream),
            "cuMemcpyHtoDAsync");
      if (first != params::arena_bytes)
        check(d, d.copy_to_device(to + first, device.region.arena(), rotation(copy), stream),
              "cuMemcpyHtoDAsync");
    }
    check(d, d.stream_synchronize(stream), "cuStreamSynchronize");
    begin_ = begin;
  }

  std::mutex mutex_;
  DeviceAddress begin_ = 0;
};

constexpr uint32_t map_bytes_of_record = params::screen_all_maps * sizeof(TensorMap);

/// Of memory of the process that its tiles are stored to.
params::EncodeTiledArgs stored_map(uint32_t slots) {
  params::EncodeTiledArgs map{};
  map.data_type = spec::find_data_type("u32")->host, map.rank = 2;
  map.box_dim[0] = params::screen_stored_columns, map.box_dim[1] = params::screen_stored_rows;
  map.global_dim[0] = map.box_dim[0], map.global_stride[0] = 4 * map.global_dim[0];
  map.global_dim[1] =
      uint64_t{slots} * params::screen_most_ctas * params::screen_tile_warps * params::screen_stored_rows;
  std::fill(std::begin(map.element_stride), std::end(map.element_stride), 1);
  return map;
}

DeviceAddress stored_memory(OpenedDevice& device, uint32_t slots) {
  static std::mutex mutex;
  static std::array<DeviceAddress, params::screen_most_store_slots + 1> of_slots{};
  const std::lock_guard lock(mutex);
  DeviceAddress& begin = of_slots[slots];
  if (begin == 0)
    check(device.driver, device.driver.memory_allocate(&begin, bytes_of(stored_map(slots))),
          "cuMemAlloc of tiles that are stored");
  return begin;
}

void encode_maps(OpenedDevice& device, Job& job, uint32_t index, ScreenTilesRecord& r) {
  std::byte* const maps = job.memory.maps + uint64_t{index} * map_bytes_of_record;
  const auto encode = [&](const params::EncodeTiledArgs& map, uint32_t number, DeviceAddress base) {
    check(device.driver, encode_tiled(device.driver, map, maps + number * sizeof(TensorMap), base),
          "cuTensorMapEncodeTiled");
  };
  settle(device, r);
  if (r.store_slots != 0)
    encode(stored_map(r.store_slots), params::screen_all_maps - 1, stored_memory(device, r.store_slots));
  for (uint32_t i = 0; i < r.maps * params::screen_map_sets; ++i) {
    const params::EncodeTiledArgs& map = r.map[i % r.maps].map;
    const uint32_t number = i / r.maps * params::screen_tile_maps + i % r.maps,
                   any = index * params::screen_map_sets * params::screen_tile_maps + number;
    const DeviceAddress base =
        r.is_far != 0 && !device.emulator
            ? FarMemory::of_process().begin(device, map.global_address, bytes_of(map), any * 37)
            : device.arena;
    if (i < r.maps) r.map[i].address = base + map.global_address;
    encode(map, number, base);
  }
}

template <typename Record>
void run_with_maps(OpenedDevice& device, Job& job) {
  for (const uint32_t index : job.group) {
    auto& r = reinterpret_cast<Record*>(job.memory.records)[index];
    if constexpr (std::is_same_v<Record, ScreenBothRecord>)
      encode_maps(device, job, index, r.tiles);
    else
      encode_maps(device, job, index, r);
  }
  run_screen<Record>(device, job, map_bytes_of_record);
}

const char* wrong_both(const ScreenBothRecord& r, const ScreenBothRecord& first, const BatchView& batch) {
  if (const char* const wrong = wrong_screen(r.chains, first.chains, batch)) return wrong;
  if (const char* const wrong = wrong_tiles(r.tiles, first.tiles, batch)) return wrong;
  if (r.output_bytes != sizeof(params::ScreenBothOutput) || r.chains.output_offset != r.output_offset ||
      r.tiles.output_offset != r.output_offset + params::screen_tiles_output_at)
    return "outputs must lie where a ScreenBothOutput has them";
  return nullptr;
}

const RegisterFamily screen(family_of<ScreenRecord, wrong_screen>("screen", declines_before_9_0,
                                                                  [](OpenedDevice& device, Job& job) {
                                                                    run_screen<ScreenRecord>(device, job);
                                                                  }));
const RegisterFamily tiles(family_of<ScreenTilesRecord, wrong_tiles>("screen_tiles", declines_before_9_0,
                                                                     run_with_maps<ScreenTilesRecord>));
const RegisterFamily both(family_of<ScreenBothRecord, wrong_both>("screen_both", declines_before_9_0,
                                                                  run_with_maps<ScreenBothRecord>));

}  // namespace
}  // namespace assay::cuda
