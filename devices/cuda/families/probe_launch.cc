// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/probe_launch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "devices/cuda/wire.h"
#include "kernels/params/arena.h"

namespace assay::cuda {
namespace {

using params::ProbeEnd;

/// Shared memory that every CTA has beside its window: the probes' static part and what the system reserves.
constexpr uint32_t fixed_shared_bytes = 2048;
/// Of Slot::queues: those of the kernels, and as many bytes for what is found changed in the arena.
constexpr uint64_t queues_bytes = 128;
constexpr uint32_t shared_bytes_of_sm = 228 * 1024;  // PTX ISA / CUDA guide, compute capability 9.0 and 10.x

/// CTAs that fill the device, or few on the emulator, where CTAs cost and do not run side by side.
uint32_t clusters_for(const OpenedDevice& device, const ProbeGroup& group) {
  if (group.clusters) return group.clusters;
  const uint32_t records = static_cast<uint32_t>(group.records.size());
  if (device.emulator) return std::min(records, 2u);
  const uint32_t per_sm =
      std::clamp(shared_bytes_of_sm / (group.dynamic_shared_bytes + fixed_shared_bytes), 1u, 8u);
  const uint32_t ctas = std::min(static_cast<uint32_t>(device.sm_count) * per_sm, params::batch_notes - 1);
  return std::clamp(ctas / group.cluster_size, 1u, records);
}

class Run {
 public:
  Run(OpenedDevice& device, Job& job, ProbePlan plan)
      : device_(device), d_(device.driver), job_(job), plan_(std::move(plan)), slot_(device.slot(job.batch)) {
    low_ = ~0u;
    for (const ProbeGroup& group : plan_.groups)
      for (const uint32_t record : group.records) {
        low_ = std::min(low_, record);
        high_ = std::max(high_, record + 1);
      }
  }

  void run() {
    if (high_ == 0) return;
    set_base();
    upload();
    bool first = true;
    while (any_left()) {
      // What an earlier round brought back must not be fetched again.
      const bool is_all = first && job_.whole;
      for (const auto& [begin, end] : pieces(is_all)) poison(begin, end - begin);
      job_.memory.control->issued = 1;
      launch_all(first);
      download(is_all);
      if (plan_.reads_arena && !device_.emulator) compare_arena();
      check(d_, d_.stream_synchronize(slot_.stream), "cuStreamSynchronize");
      job_.memory.control->issued = 0;
      read_times(first);
      collect();
      first = false;
    }
    if (plan_.reads_arena) judge_arena();
  }

 private:
  /// What events are timed from. Waiting for one takes as long as a small batch, so it serves many: for a few
  /// seconds the clocks of host and device do not part.
  void set_base() {
    constexpr double base_seconds = 5;
    if (monotonic_seconds() - slot_.base_at < base_seconds) return;
    check(d_, d_.event_record(slot_.base, slot_.stream), "cuEventRecord");
    check(d_, d_.event_synchronize(slot_.base), "cuEventSynchronize");
    slot_.base_at = monotonic_seconds();
  }

  void upload() {
    const size_t record = plan_.record_bytes;
    to_device(slot_.records + low_ * record, job_.memory.records + low_ * record, (high_ - low_) * record);
    if (const uint64_t bytes = plan_.map_bytes; bytes != 0)
      to_device(slot_.maps + low_ * bytes, job_.memory.maps + low_ * bytes, (high_ - low_) * bytes);
    check(d_,
          d_.fill_bytes(slot_.ends + low_ * sizeof(ProbeEnd), 0xff, (high_ - low_) * sizeof(ProbeEnd),
                        slot_.stream),
          "cuMemsetD8Async");
  }

  bool any_left() const {
    return std::any_of(plan_.groups.begin(), plan_.groups.end(),
                       [](const ProbeGroup& group) { return !group.records.empty(); });
  }

  void launch_all(bool first) {
    uint32_t* lists = job_.memory.launch_lists;
    uint32_t entries = 0;
    for (const ProbeGroup& group : plan_.groups) {
      std::copy(group.records.begin(), group.records.end(), lists + entries);
      entries += static_cast<uint32_t>(group.records.size());
    }
    to_device(slot_.lists, lists, entries * sizeof(uint32_t));
    check(d_, d_.fill_bytes(slot_.queues, 0, 2 * queues_bytes, slot_.stream), "cuMemsetD8Async");
    if (first) check(d_, d_.event_record(slot_.start, slot_.stream), "cuEventRecord");
    entries = 0;
    uint32_t queue = 0;
    for (const ProbeGroup& group : plan_.groups) {
      if (!group.records.empty()) launch(group, entries, queue);
      entries += static_cast<uint32_t>(group.records.size());
      ++queue;
    }
    check(d_, d_.event_record(slot_.end, slot_.stream), "cuEventRecord");
  }

  void launch(const ProbeGroup& group, uint32_t first_entry, uint32_t queue) {
    params::BatchArgs args{};
    const auto at = [](DeviceAddress address) { return reinterpret_cast<void*>(address); };
    args.records = at(slot_.records);
    args.maps = plan_.map_bytes != 0 ? at(slot_.maps) : nullptr;
    args.arena = at(device_.arena);
    args.output = at(slot_.output);
    args.ends = static_cast<ProbeEnd*>(at(slot_.ends));
    args.indexes = static_cast<const uint32_t*>(at(slot_.lists + first_entry * sizeof(uint32_t)));
    args.queue = static_cast<uint32_t*>(at(slot_.queues + queue * sizeof(uint32_t)));
    args.notes = static_cast<uint32_t*>(at(slot_.notes));
    args.count = static_cast<uint32_t>(group.records.size());
    LaunchAttribute cluster{};
    cluster.id = launch_cluster_dimension;
    const uint32_t columns = group.cluster_size / group.cluster_rows / group.cluster_layers;
    cluster.value.cluster_dim[0] = columns;
    cluster.value.cluster_dim[1] = group.cluster_rows;
    cluster.value.cluster_dim[2] = group.cluster_layers;
    LaunchConfig config{};
    config.grid[0] = clusters_for(device_, group) * columns;
    config.block[0] = group.threads;
    config.grid[1] = group.rows * group.cluster_rows;
    config.grid[2] = group.layers * group.cluster_layers;
    config.block[1] = config.block[2] = 1;
    config.dynamic_shared_bytes = device_.dynamic_shared(group.function, group.dynamic_shared_bytes);
    config.stream = slot_.stream;
    config.attributes = &cluster;
    config.attribute_count = group.cluster_size > 1 ? 1 : 0;
    if (group.cluster_size > params::portable_cluster)
      check(d_, d_.function_set_attribute(group.function, function_non_portable_cluster, 1),
            "cuFuncSetAttribute");
    void* arguments[] = {&args, group.second_parameter};
    check(d_, d_.launch(&config, group.function, arguments, nullptr), "cuLaunchKernelEx");
    ++job_.launches;
  }

  /// What a launch does not write must not look like what an earlier one wrote: other bytes each time.
  void poison(uint64_t begin, uint64_t bytes) {
    static std::atomic<uint8_t> last{0x5a};
    check(d_, d_.fill_bytes(slot_.output + begin, last += 0x35, bytes, slot_.stream), "cuMemsetD8Async");
  }

  /// From the first byte of output to behind the last, of all records.
  std::pair<uint64_t, uint64_t> all_output() const {
    uint64_t first = ~uint64_t{0}, last = 0;
    for (const ProbeGroup& group : plan_.groups)
      for (const uint32_t record : group.records) {
        const auto [begin, bytes] = plan_.output_of(job_, record);
        if (bytes == 0) continue;
        first = std::min(first, begin);
        last = std::max(last, begin + bytes);
      }
    return {std::min(first, last), last};
  }

  /// Output of the records that are left, in pieces that touch no other record's bytes.
  std::vector<std::pair<uint64_t, uint64_t>> pieces(bool is_all) const {
    std::vector<std::pair<uint64_t, uint64_t>> pieces, joined;
    if (is_all) {
      if (const auto all = all_output(); all.second != 0) joined.push_back(all);
      return joined;
    }
    for (const ProbeGroup& group : plan_.groups)
      for (const uint32_t record : group.records) {
        const auto [begin, bytes] = plan_.output_of(job_, record);
        if (bytes) pieces.emplace_back(begin, begin + bytes);
      }
    std::sort(pieces.begin(), pieces.end());
    // Between slots lie at most 255 bytes of alignment, or the slots of records that are not of this group.
    constexpr uint64_t gap = 255;
    for (size_t i = 0; i < pieces.size();) {
      const uint64_t begin = pieces[i].first;
      uint64_t end = pieces[i].second;
      for (++i; i < pieces.size() && pieces[i].first <= end + gap; ++i) end = std::max(end, pieces[i].second);
      joined.emplace_back(begin, end);
    }
    return joined;
  }

  /// Ends of everything, output of the records that ran.
  void download(bool is_all) {
    to_host(job_.memory.device_ends + low_, slot_.ends + low_ * sizeof(ProbeEnd),
            (high_ - low_) * sizeof(ProbeEnd));
    for (const auto& [begin, end] : pieces(is_all))
      to_host(job_.memory.output + begin, slot_.output + begin, end - begin);
  }

  void read_times(bool first) {
    float start = 0, end = 0;
    check(d_, d_.event_elapsed(&start, slot_.base, slot_.start), "cuEventElapsedTime");
    check(d_, d_.event_elapsed(&end, slot_.base, slot_.end), "cuEventElapsedTime");
    if (first) job_.start = slot_.base_at + 1e-3 * static_cast<double>(start);
    job_.end = slot_.base_at + 1e-3 * static_cast<double>(end);
  }

  void collect() {
    size_t before = 0, after = 0;
    for (ProbeGroup& group : plan_.groups) {
      before += group.records.size();
      std::vector<uint32_t> left;
      for (const uint32_t record : group.records) {
        const ProbeEnd& end = job_.memory.device_ends[record];
        if (end.ended == params::probe_not_reached && !plan_.takes_all) {
          left.push_back(record);
          continue;
        }
        ProbeEnd& told = job_.memory.ends[record] = end;
        if (end.ended == params::probe_not_reached)
          told.ended = params::probe_done, told.code = 0, told.note = 0;
      }
      group.records = std::move(left);
      after += group.records.size();
    }
    if (after == before)
      throw std::runtime_error("a probe ended without taking any of its " + std::to_string(before) +
                               " records");
  }

  /// Proves that no load wrote where it reads: on silicon word by word after each batch, on the emulator now
  /// and then.
  void compare_arena() {
    LaunchConfig config{};
    config.grid[0] = static_cast<uint32_t>(device_.sm_count) * 8;
    config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
    config.block[0] = params::probe_threads;
    config.stream = slot_.stream;
    DeviceAddress differences = slot_.queues + queues_bytes;
    void* arguments[] = {&device_.arena, &differences};
    is_arena_compared_ = !device_.turned_out_emulated || is_turn();
    if (!is_arena_compared_) return;
    check(d_, d_.launch(&config, device_.function("fixtures", "arena"), arguments, nullptr),
          "cuLaunchKernelEx");
    to_host(job_.memory.control->arena_differences, differences, 8);
  }

  static bool is_turn() {
    static std::atomic<uint32_t> batches{0};
    return batches++ % 32 == 31;
  }

  void judge_arena() {
    uint32_t* found = job_.memory.control->arena_differences;
    if (device_.emulator) {
      if (!is_turn()) return;
      std::vector<std::byte> now(1 << 20);  // by parts that stay in the cache
      static_assert(params::arena_bytes % (1 << 20) == 0);
      found[0] = 0, found[1] = ~0u;
      for (uint64_t at = 0; at < params::arena_bytes && found[0] == 0; at += now.size()) {
        to_host(now.data(), device_.arena + at, now.size());
        check(d_, d_.stream_synchronize(slot_.stream), "cuStreamSynchronize");
        found[0] = std::memcmp(now.data(), device_.region.arena() + at, now.size()) != 0;
      }
    } else if (!is_arena_compared_) {
      return;
    }
    if (found[0] == 0) return;
    job_.notes.push_back("the arena that loads read from was written by the device" +
                         (found[1] == ~0u ? ""
                                          : ": " + std::to_string(found[0]) + " words, one at index " +
                                                std::to_string(found[1])));
    device_.write_arena();
  }

  void to_device(DeviceAddress to, const void* from, size_t bytes) {
    check(d_, d_.copy_to_device(to, from, bytes, slot_.stream), "cuMemcpyHtoDAsync");
  }
  void to_host(void* to, DeviceAddress from, size_t bytes) {
    check(d_, d_.copy_to_host(to, from, bytes, slot_.stream), "cuMemcpyDtoHAsync");
  }

  OpenedDevice& device_;
  const Driver& d_;
  Job& job_;
  ProbePlan plan_;
  Slot& slot_;
  uint32_t low_ = ~0u, high_ = 0;
  bool is_arena_compared_ = false;
};

}  // namespace

void add_record(OpenedDevice& device, ProbeGroup& group, uint32_t index, const forms::KernelLaunch& launch) {
  if (group.records.empty()) {
    group.function = device.function(launch.module, launch.kernel);
    group.cluster_size = launch.cluster_size;
    group.threads = launch.threads;
  }
  group.records.push_back(index);
  group.dynamic_shared_bytes = std::max(group.dynamic_shared_bytes, launch.shared_bytes);
}

void run_probes(OpenedDevice& device, Job& job, ProbePlan plan) {
  Run(device, job, std::move(plan)).run();
}

}  // namespace assay::cuda
