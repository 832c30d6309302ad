// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "devices/cuda/families/family.h"
#include "devices/cuda/opened_device.h"
#include "kernels/forms/launch.h"
#include "kernels/params/encode_im2col.h"
#include "kernels/params/encode_tiled.h"

namespace assay::cuda {

/// One kernel and the records it is to run.
struct ProbeGroup {
  Function function;
  std::vector<uint32_t> records;
  uint32_t cluster_size = 1;
  uint32_t cluster_rows = 1, cluster_layers = 1;  ///< of a cluster, which divide its size
  uint32_t dynamic_shared_bytes = 0;
  uint32_t threads = params::probe_threads;  ///< of a CTA
  uint32_t clusters = 0;                     ///< to launch; 0: as many as fit and have records
  uint32_t rows = 1, layers = 1;             ///< of the grid: each has that many clusters
  void* second_parameter = nullptr;          ///< of the kernel, behind BatchArgs, where it has one
};

/// Takes a record into a group, whose records share kernel, cluster and threads.
void add_record(OpenedDevice&, ProbeGroup&, uint32_t index, const forms::KernelLaunch&);

struct ProbePlan {
  size_t record_bytes;
  uint32_t map_bytes = 0;    ///< of memory.maps that a record has, which are uploaded too
  bool reads_arena = false;  ///< the arena is checked afterwards
  std::vector<ProbeGroup> groups;
  /// First byte of a record's output, and how many bytes.
  std::pair<uint64_t, uint64_t> (*output_of)(const Job&, uint32_t index);
  /// A launch that ends has taken all its records. Of one that it left unfinished the device has lost a part,
  /// which its output shows: it counts as done.
  bool takes_all = false;
};

template <typename Record>
std::pair<uint64_t, uint64_t> output_slot_of(const Job& job, uint32_t index) {
  const Record& r = job.record<Record>(index);
  return {r.output_offset, r.output_bytes};
}

/// Uploads, launches each group, brings ends and output back. Records that no CTA reached, because CTAs gave
/// up after a time-out, are launched again.
void run_probes(OpenedDevice&, Job&, ProbePlan);

/// Family::run where all records of a group are launched together, or those of as many threads.
template <typename Record, bool reads_arena = false,
          forms::KernelLaunch (*launch_of)(const Record&) = forms::launch_of>
void run_alike(OpenedDevice& device, Job& job) {
  ProbePlan plan{sizeof(Record), 0, reads_arena, {}, output_slot_of<Record>};
  for (const uint32_t index : job.group) {
    const forms::KernelLaunch launch = launch_of(job.record<Record>(index));
    auto group = std::find_if(plan.groups.begin(), plan.groups.end(),
                              [&](const ProbeGroup& made) { return made.threads == launch.threads; });
    if (group == plan.groups.end()) group = plan.groups.insert(group, ProbeGroup{});
    add_record(device, *group, index, launch);
  }
  run_probes(device, job, std::move(plan));
}

}  // namespace assay::cuda

/// What the probes that allocate tensor memory share.
namespace assay::cuda {

/// Why the device cannot run tcgen05 at all, or nothing.
inline constexpr auto declines_tcgen05 = declines_where_absent<&spec::Architecture::has_tcgen05>;

/// 32, 64, 128, 256 or 512.
constexpr bool is_allocation(uint32_t columns) {
  return columns >= 32 && columns <= 512 && (columns & (columns - 1)) == 0;
}

/// Records by kernel, by how many columns they allocate and by threads: all of a launch allocate the same, so
/// that a CTA allocates once.
class TensorMemoryGroups {
 public:
  explicit TensorMemoryGroups(OpenedDevice& device) : device_(device) {}
  void add(uint32_t record, uint32_t columns, const forms::KernelLaunch&);
  std::vector<ProbeGroup> take();

 private:
  OpenedDevice& device_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, ProbeGroup> groups_;
};

/// Family::run of records with alloc_columns, in these groups.
template <typename Record>
void run_with_allocations(OpenedDevice& device, Job& job) {
  TensorMemoryGroups groups(device);
  for (const uint32_t index : job.group) {
    const Record& r = job.record<Record>(index);
    groups.add(index, r.alloc_columns, forms::launch_of(r));
  }
  run_probes(device, job, {sizeof(Record), 0, false, groups.take(), output_slot_of<Record>});
}

/// Calls the encoder that the arguments are for. `base` is added to the address; pointers whose bit of
/// `null_mask` is set are null. A wide call needs a driver that has the wide encoder.
Result encode_im2col(const Driver&, const params::EncodeIm2colArgs&, std::byte* map, DeviceAddress base = 0,
                     uint32_t null_mask = 0);
/// The same of the encoder of tiled maps.
Result encode_tiled(const Driver&, const params::EncodeTiledArgs&, std::byte* map, DeviceAddress base = 0,
                    uint32_t null_mask = 0);

}  // namespace assay::cuda
