// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "devices/cuda/region.h"
#include "kernels/params/arena.h"
#include "kernels/params/source.h"
#include "suites/run/launch.h"

namespace assay::suites {

std::string source_of_module(const std::string& module) {
  const std::string name = "/" + module + ".cu";
  for (size_t i = 0; i < assay_kernel_source_count; ++i)
    if (const std::string path = assay_kernel_sources[i].path; path.ends_with(name)) return path;
  throw std::runtime_error("the program has no text of a kernel " + module + ".cu");
}

std::span<const std::byte> arena() {
  return {cuda::ArenaMemory::of_process().begin(), params::arena_bytes};
}

}  // namespace assay::suites
