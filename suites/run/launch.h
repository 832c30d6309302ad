#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "kernels/forms/needed.h"
#include "kernels/params/arena.h"
#include "kernels/params/batch.h"

namespace assay::suites {

/// How one record is run: the kernel and the grid, for a program of its own (reproducer.h).
struct Launch {
  std::string file;    ///< with the kernel's text: "kernels/wgmma.cu"
  std::string kernel;  ///< empty: the host makes a call and launches nothing
  uint32_t cluster_size = 1, clusters = 1, threads = params::probe_threads;
  uint32_t shared_bytes = params::window_alignment;  ///< dynamic, with room to align a window
  std::string flavour;  ///< a macro that chooses among the host parts of reproducer_host.inc, or empty
  bool has_map = false, map_in_output = false, has_other_map = false;
  forms::Needed needed;  ///< the instructions that the record picks by opcode
};

template <typename Record>
Record record_from(std::span<const std::byte> bytes) {
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

}  // namespace assay::suites
