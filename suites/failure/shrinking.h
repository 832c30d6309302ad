// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/run/case.h"
#include "suites/run/case_file.h"

namespace assay::suites {

struct ShrinkLimits {
  int most_attempts = 4000;     ///< cases run
  uint32_t cases_at_once = 64;  ///< children of a node that share a batch
  std::chrono::steady_clock::time_point deadline;
  std::function<bool()> stop;
};

struct Shrunk {
  Outcome least;     ///< the last case that still failed in the same way
  std::string path;  ///< children taken, "3.0.12"; empty: nothing simpler fails
  int attempts = 0;
};

/// Walks the case's shrink tree on the device while the failure keeps its kind: the same property and ends
/// (bytes may differ elsewhere).
Shrunk shrink(CaseRunner& runner, const Property& property, const Outcome& failure, spec::Arch arch,
              const ShrinkLimits& limits);

/// {3, 0, 4, 4, 4} as "3.0.4x3", and back. Throws std::runtime_error for anything else.
std::string path_text(const std::vector<uint32_t>& path);
std::vector<uint32_t> parse_path(std::string_view text);

/// The case at a path of the shrink tree, without a device. Throws std::runtime_error when the path leads
/// nowhere.
Case at_path(const Property& property, const Case& root, spec::Arch arch, std::string_view path);

}  // namespace assay::suites
