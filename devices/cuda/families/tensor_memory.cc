// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/tensor_memory.h"

namespace assay::cuda {

std::optional<std::string> declines_tcgen05(const OpenedDriver& opened, bool) {
  // (ptx, tcgen05 Target ISA) the targets that the kernels are assembled for.
  if (opened.capability == 100 || opened.capability == 103) return std::nullopt;
  return but_has(opened, "tcgen05 needs compute capability 10.0 or 10.3");
}

void TensorMemoryGroups::add(uint32_t record, uint32_t columns, const forms::KernelLaunch& launch) {
  ProbeGroup& group = groups_[{launch.kernel, columns, launch.threads}];
  // CTAs of an SM share its 512 columns. Shared memory in the same proportion keeps those away that would
  // only wait for columns.
  if (group.records.empty() && !device_.emulator)
    group.dynamic_shared_bytes =
        static_cast<uint32_t>(device_.max_dynamic_shared - 2048) / 512 * columns / 16 * 16;
  add_record(device_, group, record, launch);
}

std::vector<ProbeGroup> TensorMemoryGroups::take() {
  std::vector<ProbeGroup> groups;
  for (auto& [key, group] : groups_) groups.push_back(std::move(group));
  groups_.clear();
  return groups;
}

}  // namespace assay::cuda
