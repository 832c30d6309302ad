// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "devices/cuda/families/probe_launch.h"

/// What the probes that allocate tensor memory share.
namespace assay::cuda {

/// Why the device cannot run tcgen05 at all, or nothing.
std::optional<std::string> declines_tcgen05(const OpenedDriver&, bool emulator);

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

}  // namespace assay::cuda
