#pragma once

#include <atomic>

namespace assay::cli {

/// While it lives, the first Ctrl-C (SIGINT) or SIGTERM asks the run to end with a report; a second one
/// kills.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  const std::atomic<bool>& requested() const;
};

}  // namespace assay::cli
