// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "kernels/forms/needed.h"
#include "kernels/params/batch.h"

namespace assay::suites {

/// How one record is run, for a program of its own (reproducer.h) and for `assay describe`.
struct Launch {
  std::string file;    ///< with the kernel's text: "kernels/warp_mma/wgmma.cu"
  std::string kernel;  ///< empty: the host makes a call and launches nothing
  uint32_t cluster_size = 1, clusters = 1, threads = params::probe_threads;
  uint32_t shared_bytes = 0;  ///< dynamic
  /// C++ text: a struct Host that does more than Plain of suites/failure/reproducer_launch.inc, or, without a
  /// kernel, a function run(). Empty: Plain will do.
  std::string host_text;
  forms::Needed needed;  ///< the instructions that the record picks by opcode
};

template <typename Record>
Record record_from(std::span<const std::byte> bytes) {
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

}  // namespace assay::suites
