#pragma once

#include "reference/model/tcgen05_mma_case.h"

namespace assay {

/// One product of matrices by the production pipeline: D = A * B^T in f32, A m rows of k, B n rows of k. Rows
/// lie as close as 16-byte pitches let them, and gaps further apart; what lies between rows of A and B is
/// operand words too.
struct GemmCase {
  /// Of A and B: 0 f16, 1 bf16, 2 e4m3; with scales 3 e4m3, 4 e5m2 by e4m3, 5 mxf4, and of mxf4nvf4 6 ue8m0
  /// for 32, 7 ue8m0 for 16, 8 ue4m3 for 16; with a sparse A 9 f16, 10 bf16.
  uint32_t type = 0;
  uint32_t cta_group = 1;                    ///< 1 or 2
  uint32_t tile_n = 32;                      ///< columns of an instruction: 32, 64, 128; 256 on pairs
  uint32_t m = 1, n = 1, k = 1;              ///< elements
  uint32_t a_gap = 0, b_gap = 0, d_gap = 0;  ///< 16-byte units between rows
  bool grouped = false;         ///< maps are rewritten in the kernel, which takes one product after the other
  bool launch_control = false;  ///< clusters that run take tiles of those that they cancel, else by turns
  OperandPattern a_fill, b_fill;
  OperandPattern a_scale_fill, b_scale_fill;  ///< of a sparse A the first is of its metadata
  auto operator<=>(const GemmCase&) const = default;
};

}  // namespace assay
