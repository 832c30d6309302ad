// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "kernels/forms/launch.h"
#include "kernels/forms/records.h"
#include "suites/run/launch.h"

namespace assay::suites {

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

}  // namespace assay::suites
