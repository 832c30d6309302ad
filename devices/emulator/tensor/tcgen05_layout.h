// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/tensor/tcgen05_desc.h"

namespace assay::emulator {

/// Where the accumulator of an instruction lies in tensor memory (ptx, tcgen05, Data Path Layout
/// Organization; layouts A to G). Rows are dealt out to the CTAs and there to lanes; the columns of D are cut
/// into as many pieces as there are groups of lanes, and piece g lies `group_lanes` * g further down.
struct AccumulatorLayout {
  char name = 'D';
  uint32_t cta_rows = 128;    ///< rows of a CTA
  bool is_scattered = false;  ///< 16 rows in every 32 lanes, so that the base may be lane 0 or 16
  uint32_t groups = 1;
  uint32_t group_lanes = 0;
  uint32_t group_columns = 0;  ///< columns of D in a group, and of tensor memory in all

  /// Lane of a row of a CTA in group 0, counted from the lane of the address.
  uint32_t lane(uint32_t row) const { return is_scattered ? row / 16 * 32 + row % 16 : row; }
};

/// The layout of a legal form and shape.
AccumulatorLayout accumulator_layout(const MmaForm& form, uint32_t m, uint32_t n);

}  // namespace assay::emulator
