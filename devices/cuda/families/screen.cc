// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/screen.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/families.h"
#include "kernels/params/arena.h"
#include "reference/spec/tensor_map.h"

namespace assay::cuda {
namespace {

using params::ScreenRecord;
using params::ScreenTilesRecord;

/// The emulator takes a tenth of a second for a chain. Of tiles each stage of a warp has more than one.
constexpr uint32_t most_rounds_emulated = 1, most_loads_emulated = 4, ctas_emulated = 2;

const char* wrong_screen(const ScreenRecord& r, const ScreenRecord& first, const BatchView& batch) {
  if (r.kind >= params::screen_kinds) return "the screen's kernels have the kinds 0 to 19";
  const uint8_t targets = forms::forms("screen.chain").targets(r.kind);
  const auto arch = spec::parse_arch(batch.architecture);
  if (arch && (targets & forms::target_of(*arch)) == 0) return "the device has no such product";
  if (r.kind != first.kind) return "the records of a batch must be of one kind";
  if (r.rounds < 1) return "rounds must be at least 1";
  if (r.blocks < 1 || r.blocks > 256) return "blocks must be 1 to 256";
  if (r.plant_word >= params::screen_window_bytes / 4) return "plant_word must be one of shared memory";
  if (r.plant == params::ScreenPlant::middle && (r.plant_step < 1 || r.plant_step >= r.blocks))
    return "a fault in the middle must lie between two steps";
  if (r.plant_register >= params::screen_d_registers || r.plant_thread >= params::probe_threads)
    return "a planted fault must lie in one of 128 registers of one of 128 threads";
  if (r.output_bytes != sizeof(params::ScreenOutput)) return "output_bytes must be those of a ScreenOutput";
  return nullptr;
}

/// One CTA a multiprocessor; each runs all records, in their order, of which the emulator does few rounds.
template <typename Record>
void run_screen(OpenedDevice& device, Job& job, ProbePlan plan, uint32_t most_rounds) {
  plan.groups.emplace_back();
  for (const uint32_t index : job.group) {
    auto& record = reinterpret_cast<Record*>(job.memory.records)[index];
    if (device.emulator) record.rounds = std::min(record.rounds, most_rounds);
    add_record(device, plan.groups[0], index, forms::launch_of(record));
  }
  plan.groups[0].clusters = device.emulator
                                ? ctas_emulated
                                : std::min(static_cast<uint32_t>(device.sm_count), params::screen_most_ctas);
  run_probes(device, job, std::move(plan));
}

void run_chains(OpenedDevice& device, Job& job) {
  run_screen<ScreenRecord>(device, job,
                           {.record_bytes = sizeof(ScreenRecord), .output_of = output_slot_of<ScreenRecord>},
                           most_rounds_emulated);
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
  if (r.plant_lane >= 32) return "a planted fault must lie in one of 32 lanes";
  for (uint32_t m = 0; m < r.maps; ++m) {
    const params::ScreenTileMap& map = r.map[m];
    if (map.map.rank < 1 || map.map.rank > 5) return "maps must be of ranks 1 to 5";
    if (map.map.global_address + bytes_of(map.map) > params::arena_bytes)
      return "a tensor must lie in the arena";
    if (map.bytes < 16 || map.bytes > params::screen_tile_bytes) return "a tile must fit its stage";
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

void run_tiles(OpenedDevice& device, Job& job) {
  constexpr uint32_t map_bytes = params::screen_tile_maps * sizeof(TensorMap);
  for (const uint32_t index : job.group) {
    const auto& r = job.record<ScreenTilesRecord>(index);
    for (uint32_t m = 0; m < r.maps; ++m) {
      const params::EncodeTiledArgs& map = r.map[m].map;
      const uint32_t number = index * params::screen_tile_maps + m;
      const DeviceAddress base =
          r.is_far != 0 && !device.emulator
              ? FarMemory::of_process().begin(device, map.global_address, bytes_of(map), number * 37)
              : device.arena;
      check(device.driver,
            encode_tiled(device.driver, map, job.memory.maps + uint64_t{number} * sizeof(TensorMap), base),
            "cuTensorMapEncodeTiled");
    }
  }
  run_screen<ScreenTilesRecord>(device, job,
                                {.record_bytes = sizeof(ScreenTilesRecord),
                                 .map_bytes = map_bytes,
                                 .output_of = output_slot_of<ScreenTilesRecord>},
                                most_loads_emulated);
}

const RegisterFamily screen(family_of<ScreenRecord, wrong_screen>("screen", declines_before_9_0, run_chains));
const RegisterFamily tiles(family_of<ScreenTilesRecord, wrong_tiles>("screen_tiles", declines_before_9_0,
                                                                     run_tiles));

}  // namespace
}  // namespace assay::cuda
