// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/field.h"

namespace assay::emulator {

/// The number that a field of a descriptor of up to 64 bits holds.
inline uint32_t field(uint64_t word, const spec::Field& field) {
  return static_cast<uint32_t>(word >> field.parts[0].lsb & spec::low_bits(field.parts[0].width));
}

}  // namespace assay::emulator
