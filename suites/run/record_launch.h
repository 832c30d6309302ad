// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/forms/launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/source.h"
#include "suites/run/launch.h"

namespace assay::suites {

/// The file of a module of kernels, in whichever folder of the embedded sources it is.
inline std::string file_of_module(std::string_view module) {
  const std::string name = "/" + std::string(module) + ".cu";
  for (size_t i = 0; i < assay_kernel_source_count; ++i)
    if (const std::string_view path = assay_kernel_sources[i].path; path.ends_with(name))
      return std::string(path);
  throw std::runtime_error("the program has no text of the kernels of " + std::string(module));
}

/// As the device side launches it.
inline Launch launch_by(const forms::KernelLaunch& plan, forms::Needed needed = {}) {
  return {.file = file_of_module(plan.module),
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
