#pragma once

#include <cstdint>

#include "reference/spec/formats.h"

namespace assay::emulator {

/// A wgmma.mma_async, as its text says.
struct WgmmaForm {
  const spec::Format* a = nullptr;
  const spec::Format* b = nullptr;
  const spec::Format* d = nullptr;
  uint32_t n = 0, k = 0;
  bool a_in_registers = false;
  bool saturates = false;
  bool negate_a = false, negate_b = false;        ///< imm-scale of -1
  bool transpose_a = false, transpose_b = false;  ///< in shared memory MN-major
  bool ignores_scale_d = false;                   ///< only by a fault
};

}  // namespace assay::emulator
