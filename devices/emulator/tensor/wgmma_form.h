// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/spec/formats.h"

namespace assay::emulator {

/// A wgmma.mma_async, as its text says.
struct WgmmaForm {
  const spec::Format* a = nullptr;
  const spec::Format* b = nullptr;
  const spec::Format* d = nullptr;
  uint32_t n = 0, k = 0;  ///< k: of a sparse A, the elements that it holds of a row
  bool is_sparse = false;
  uint32_t selector = 0;  ///< lanes that have the metadata
  bool a_in_registers = false;
  bool saturates = false;
  bool negate_a = false, negate_b = false;        ///< imm-scale of -1
  bool transpose_a = false, transpose_b = false;  ///< in shared memory MN-major
  bool ignores_scale_d = false;                   ///< only by a fault
  bool wide_32B_goes_on = false;  ///< only by a fault: bytes of a row past 32 follow the first

  uint32_t b_k() const { return is_sparse ? 2 * k : k; }
  /// Where operands stand in the list: of a sparse A the metadata and the selector come before scale-d.
  static constexpr size_t metadata_at = 3;
  size_t scale_d_at() const { return metadata_at + (is_sparse ? 2 : 0); }
};

}  // namespace assay::emulator
