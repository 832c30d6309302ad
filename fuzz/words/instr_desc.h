// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/spec/instr_desc.h"

namespace assay::fuzz {

/// The kind that the byte behind the word of an input names; the first where there is none.
inline spec::MmaKind kind_of(const uint8_t* data, size_t size) {
  return static_cast<spec::MmaKind>(size > 4 ? data[4] % spec::mma_kind_count : 0);
}

}  // namespace assay::fuzz
