// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::model {

/// What a bend may change about tcgen05.ld.red.
struct RegisterReductionBend {
  /// The registers of a thread that are reduced.
  uint32_t (*first)(uint32_t count) = nullptr;
  uint32_t (*last)(uint32_t count) = nullptr;
  void (*operation)(bool& is_max, bool& is_of_magnitudes, bool& keeps_nan) = nullptr;
  uint32_t (*result)(uint32_t right) = nullptr;
};

}  // namespace assay::model
