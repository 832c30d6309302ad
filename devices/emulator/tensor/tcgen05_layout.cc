// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_layout.h"

namespace assay::emulator {

AccumulatorLayout accumulator_layout(const MmaForm& form, uint32_t m, uint32_t n) {
  if (form.cta_group == 2 && m == 256) return {'A', 128, false, 1, 0, n};
  if (form.cta_group == 2 && form.is_sparse) return {'C', 64, true, 1, 0, n};
  if (form.cta_group == 2) return {'B', 64, false, 2, 64, n / 2};
  if (m == 128) return {'D', 128, false, 1, 0, n};
  if (m == 32) return {'G', 32, false, 4, 32, n / 4};
  if (form.is_ws) return {'E', 64, false, 2, 64, n / 2};
  return {'F', 64, true, 1, 0, n};
}

}  // namespace assay::emulator
