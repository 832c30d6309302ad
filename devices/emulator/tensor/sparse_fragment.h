// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/formats.h"

/// Metadata of a sparse A in the registers of a warp: mma.sp, and each warp of wgmma.sp.
namespace assay::emulator {

/// One code of 4 bits that is wanted: number `group` of a row of the warp's A.
struct FragmentCode {
  const spec::Format* a = nullptr;
  uint32_t groups = 0;    ///< codes of a row
  uint32_t selector = 0;  ///< of the instruction
  uint32_t row = 0;       ///< 0 to 15
  uint32_t group = 0;
  bool is_wgmma = false;
};
/// A register of a lane is eight codes.
struct FragmentNibble {
  uint32_t lane, nibble;
};
/// Where it lies (H200, section 6; SP-03 and SP-04).
FragmentNibble fragment_nibble(const FragmentCode&);

/// Kept elements of A that a code stands for.
uint32_t kept_of_code(const spec::Format& a);

/// What the kept elements of a row meet of every column of B: columns of k codes. `codes` has one of metadata
/// a group, b columns of 2 * k. Any code names places: of elements, of pairs of 4 bits, or in tf32 of halves
/// of elements (H200, section 6; SP-02).
void meet_row(const spec::Format& a, uint32_t k, const uint32_t* codes, const uint32_t* b, uint32_t columns,
              uint32_t* met);

}  // namespace assay::emulator
