// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"

namespace assay::suites {
struct Property;
}

namespace assay::cli {

/// Prints the property of that name; false if there is none.
bool describe_property(std::string_view name, std::ostream& out);

/// A kernel that cases of a property launch, as the device side and stand-alone programs launch it.
struct LaunchedKernel {
  std::string file, kernel;
  uint32_t least_threads, most_threads;            ///< of a CTA
  uint32_t smallest_cluster, largest_cluster;      ///< CTAs
  uint32_t least_shared_bytes, most_shared_bytes;  ///< dynamic
};
struct LaunchedKernels {
  spec::Arch arch = spec::Arch::sm_90;  ///< the first that has the property
  uint64_t cases = 0;                   ///< so many of its first ones were asked
  std::vector<LaunchedKernel> kernels;  ///< none where cases are calls of the host
};
LaunchedKernels kernels_of(const suites::Property&);

/// Names of the properties that exercise a rule.
std::vector<std::string_view> properties_of_rule(std::string_view rule);

/// A rule, an open question or a property by its name, or nothing (docs/machine_readable.md).
std::optional<nlohmann::json> description(std::string_view name);

}  // namespace assay::cli
