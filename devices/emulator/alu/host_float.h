// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace assay::emulator {

/// While it lives, the host thread rounds to nearest, traps nothing and flushes no subnormals, whatever the
/// program that loaded the emulator has set (fast-math start-up code sets flush-to-zero). Whoever calls lane
/// operations holds one.
class HostFloat {
 public:
  HostFloat() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~HostFloat() { std::fesetenv(&saved_); }
  HostFloat(const HostFloat&) = delete;
  HostFloat& operator=(const HostFloat&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace assay::emulator
