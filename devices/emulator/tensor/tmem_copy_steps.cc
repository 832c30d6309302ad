// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tmem_copy.h"

/// What a copy does with one row and one element: faults stand on these without the rest of the emulator.
namespace assay::emulator {
uint32_t CopyForm::rows() const {
  switch (shape) {
    case CopyShape::s128x256b:
    case CopyShape::s128x128b:
      return 128;
    case CopyShape::s4x256b:
      return 4;
    case CopyShape::s64x128b_02_13:
    case CopyShape::s64x128b_01_23:
      return 64;
    case CopyShape::s32x128b:
      break;
  }
  return 32;
}

uint32_t CopyForm::words() const {
  return shape == CopyShape::s128x256b || shape == CopyShape::s4x256b ? 8 : 4;
}

int copied_row(const CopyForm& form, uint32_t lane, bool half_for_a_warp) {
  const uint32_t in_warp = lane % partition_lanes, warp = lane / partition_lanes;
  // Warps 0 and 2 have the first half and 1 and 3 the second, or 0 and 1 the first and 2 and 3 the second.
  const bool is_02_13 = form.shape == CopyShape::s64x128b_02_13;
  switch (form.shape) {
    case CopyShape::s4x256b:
      return in_warp == 0 ? static_cast<int>(warp) : -1;
    case CopyShape::s64x128b_02_13:
    case CopyShape::s64x128b_01_23:
      return static_cast<int>(in_warp +
                              ((is_02_13 != half_for_a_warp ? warp & 1 : warp >> 1)) * partition_lanes);
    case CopyShape::s32x128b:
      return static_cast<int>(in_warp);
    case CopyShape::s128x256b:
    case CopyShape::s128x128b:
      break;
  }
  return static_cast<int>(lane);
}

uint32_t decompressed(CopyFormat format, uint32_t code, bool is_in_middle) {
  return format == CopyFormat::b4x16_p64 && is_in_middle ? code << 2 : code;
}

uint32_t shifted_lane(uint32_t lane) {
  return lane == partition_lanes - 1 ? lane : lane + 1;
}

}  // namespace assay::emulator
