// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "kernels/forms/launch.h"
#include "kernels/forms/records.h"
#include "suites/run/launch.h"

namespace assay::suites {

/// As the device side launches it.
inline Launch launch_by(const forms::KernelLaunch& plan, forms::Needed needed = {}) {
  return {.file = std::string("kernels/") + plan.module + ".cu",
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
