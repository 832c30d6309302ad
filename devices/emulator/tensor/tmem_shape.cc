// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tmem_shape.h"

namespace assay::emulator {

uint32_t TmemForm::columns() const {
  const uint32_t wide = shape == TmemShape::s16x256b   ? 8
                        : shape == TmemShape::s16x128b ? 4
                        : shape == TmemShape::s16x64b  ? 2
                                                       : 1;
  return wide * count * (is_halved ? 2 : 1);
}

bool has_count(TmemShape shape, uint32_t count) {
  const uint32_t most = shape == TmemShape::s16x256b ? 32 : shape == TmemShape::s16x128b ? 64 : 128;
  return count != 0 && (count & (count - 1)) == 0 && count <= most;
}

TmemCell tmem_cell(const TmemForm& form, uint32_t thread, uint32_t number) {
  const uint32_t t = thread, r = number;
  TmemCell cell;
  uint32_t split = 0;
  switch (form.shape) {
    case TmemShape::s32x32b:
      cell = {t, r};
      break;
    case TmemShape::s16x64b:
      cell = {t / 4 + (t & 1 ? 8u : 0u), 2 * r + (t >> 1 & 1)};
      break;
    case TmemShape::s16x128b:
      cell = {t / 4 + (r & 1 ? 8u : 0u), r / 2 * 4 + t % 4};
      break;
    case TmemShape::s16x256b:
      cell = {t / 4 + (r & 2 ? 8u : 0u), r / 4 * 8 + t % 4 * 2 + (r & 1)};
      break;
    case TmemShape::s16x32bx2:
      cell = {t % 16, r};
      split = t < 16 ? 0 : form.split;
      break;
  }
  // The immediate counts columns as they are, not pairs of them.
  if (form.is_halved) cell.column *= 2;
  cell.column += split;
  return cell;
}

}  // namespace assay::emulator
