#include "devices/cuda/families/tensor_memory.h"

#include <algorithm>

#include "kernels/params/arena.h"

namespace assay::cuda {

std::optional<std::string> declines_tcgen05(const OpenedDriver& opened, bool) {
  // (ptx, tcgen05 Target ISA) the targets that the kernels are assembled for.
  if (opened.capability == 100 || opened.capability == 103) return std::nullopt;
  return but_has(opened, "tcgen05 needs compute capability 10.0 or 10.3");
}

void TensorMemoryGroups::add(uint32_t record, const char* kernel, uint32_t columns, uint32_t window_bytes,
                             uint32_t cluster_size, uint32_t threads) {
  ProbeGroup& group = groups_[{kernel, columns, threads}];
  if (group.records.empty()) {
    group.function = device_.function(file_, kernel);
    group.cluster_size = cluster_size;
    group.threads = threads;
    // CTAs of an SM share its 512 columns. Shared memory in the same proportion keeps those away that would
    // only wait for columns.
    if (!device_.emulator)
      group.dynamic_shared_bytes =
          static_cast<uint32_t>(device_.max_dynamic_shared - 2048) / 512 * columns / 16 * 16;
  }
  group.records.push_back(record);
  group.dynamic_shared_bytes = std::max(group.dynamic_shared_bytes, window_bytes + params::window_alignment);
}

std::vector<ProbeGroup> TensorMemoryGroups::take() {
  std::vector<ProbeGroup> groups;
  for (auto& [key, group] : groups_) groups.push_back(std::move(group));
  groups_.clear();
  return groups;
}

}  // namespace assay::cuda
