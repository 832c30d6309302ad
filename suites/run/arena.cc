// SPDX-License-Identifier: Apache-2.0
#include "suites/run/arena.h"

#include "devices/cuda/region.h"
#include "kernels/params/arena.h"

namespace assay::suites {

std::span<const std::byte> arena() {
  return {cuda::ArenaMemory::of_process().begin(), params::arena_bytes};
}

}  // namespace assay::suites
