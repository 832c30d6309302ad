// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/device.h"
#include "suites/run/family.h"

namespace assay::suites {

/// How a record ends on a device that does what is expected.
inline RecordEnd predicted_end(const Expected& expected) {
  switch (expected.end) {
    case model::End::rejected:
      return {Ended::rejected, 1, ~0u, 0};
    case model::End::illegal_instruction:
      return {Ended::faulted, 715, ~0u, 0};
    case model::End::misaligned_address:
      return {Ended::faulted, 716, ~0u, 0};
    case model::End::illegal_address:
      return {Ended::faulted, 700, ~0u, 0};
    case model::End::launch_failed:
      return {Ended::faulted, 719, ~0u, 0};
    case model::End::never_completes:
      return {Ended::timed_out, 0, 7, 0};
    case model::End::early_surplus:
      return {Ended::surplus, 0, 7, 0};
    case model::End::done:
    case model::End::undefined:
      break;
  }
  return {Ended::done, 0, 7, 0};
}

}  // namespace assay::suites
