// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "suites/run/case.h"

namespace assay::suites {

/// A case that has less of what another one has, so that a wrong result is traced to the least that gives
/// one.
struct LadderStep {
  std::string_view name;  ///< of what it has more than the one before it
  Case what;
};

/// What a Family is, too, whose cases run on all multiprocessors at once.
class ManyAtOnce {
 public:
  virtual ~ManyAtOnce() = default;
  /// The ladder to a case, the least first, all on one multiprocessor, but for the last step, the case
  /// itself.
  virtual std::vector<LadderStep> ladder(const Case&, uint32_t multiprocessor) const = 0;
  /// How long the first multiprocessor took for a case, and in clocks of its own. The first space of the
  /// property counts both.
  static constexpr uint32_t nanoseconds_cell = 2, clocks_cell = 3;
  struct Took {
    uint64_t nanoseconds = 0, clocks = 0;
  };
  virtual Took took(std::span<const std::byte> output) const = 0;
};

}  // namespace assay::suites
