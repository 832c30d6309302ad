// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/formats.h"

namespace assay::emulator {

/// mma.sync and mma.sp with a kind, as decoded.
struct KindForm {
  const spec::Format *a, *b, *d;
  const spec::Format* scale = nullptr;  ///< null: not block-scaled
  uint32_t k = 32;                      ///< of a sparse A, the elements that it holds of a row
  uint32_t scale_block = 0;             ///< elements of A
  bool is_sparse = false;
  uint32_t b_k() const { return is_sparse ? 2 * k : k; }
  uint32_t b_registers() const { return is_sparse ? 4 : 2; }
  bool is_packed() const { return k == 64; }
  uint32_t d_registers() const { return d->storage_bits == 16 ? 2 : 4; }
};

/// A row of a sparse A, and what it meets: of each of 8 columns of B, `b_k()` elements in `b`, the `k` that
/// its codes name.
struct KindRow {
  const KindForm& form;
  uint32_t row;
  const uint32_t *codes, *b;
};

}  // namespace assay::emulator
