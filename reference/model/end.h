// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::model {

/// How an operation must end.
enum class End : uint8_t {
  done,
  rejected,             ///< encoder refuses: CUDA_ERROR_INVALID_VALUE
  illegal_instruction,  ///< 715
  misaligned_address,   ///< 716
  illegal_address,      ///< 700
  never_completes,      ///< armed with more bytes than are signalled
  early_surplus,  ///< armed with fewer bytes: the phase completes early and a surplus remains, or it never
                  ///< completes because no partial count meets the armed one (nothing says in what portions a
                  ///< copy signals)
  undefined,      ///< anything may happen; only what surrounds it is judged
  launch_failed,  ///< 719
};

}  // namespace assay::model
