// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace assay::cli {

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal is gone) asks the run to end
/// with a report; a second one kills.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  const std::atomic<bool>& requested() const;
};

}  // namespace assay::cli
