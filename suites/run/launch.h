// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "kernels/forms/families.h"
#include "kernels/forms/launch.h"
#include "kernels/forms/records.h"
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

/// Where the text of a module of kernels stands: "kernels/warp_mma/wgmma.cu" of "wgmma". Throws
/// std::runtime_error where the program has none.
std::string source_of_module(const std::string& module);

/// As the device side launches it.
inline Launch launch_by(const forms::KernelLaunch& plan, forms::Needed needed = {}) {
  return {.file = source_of_module(plan.module),
          .kernel = plan.kernel,
          .cluster_size = plan.cluster_size,
          .threads = plan.threads,
          .shared_bytes = plan.shared_bytes,
          .needed = std::move(needed)};
}
template <typename Record>
Launch launch_of_record(const Record& r) {
  return launch_by(forms::launch_of(r), forms::needed_forms(r));
}

/// The host's copy of the arena that the devices hold: made on first use, never changed.
std::span<const std::byte> arena();

}  // namespace assay::suites
