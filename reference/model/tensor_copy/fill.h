// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/questions.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// Eight bytes of what NaN fill writes for a floating-point type, by the reading of TMA-AMB-05; elements of
/// at most 8 bytes are aligned in them.
inline uint64_t nan_fill(const spec::DataType& type, const spec::Readings& readings) {
  if (readings.is({"TMA-AMB-05", "halves_of_7ff7"})) return 0x7ff77ff77ff77ff7;
  const bool has_ones = readings.is({"TMA-AMB-05", "mantissa_ones"});
  if (type.bits == 64) return has_ones ? 0x7fffffffffffffff : 0x7ff8000000000000;
  if (type.bits == 32) return has_ones ? 0x7fffffff7fffffff : 0x7fc000007fc00000;
  if (has_ones) return 0x7fff7fff7fff7fff;
  return type.name == "f16" ? 0x7e007e007e007e00 : 0x7fc07fc07fc07fc0;
}

}  // namespace assay::model
