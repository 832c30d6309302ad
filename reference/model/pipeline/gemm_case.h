// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/mma/case.h"

namespace assay {

inline constexpr uint32_t gemm_ways_to_ask = 4;

/// One product of matrices by the production pipeline: D = A * B^T in f32, A m rows of k, B n rows of k. Rows
/// lie as close as 16-byte pitches let them, and gaps further apart; what lies between rows of A and B is
/// operand words too.
struct GemmCase {
  /// Of A and B: 0 f16, 1 bf16, 2 f8f6f4; with scales 3 mxf8f6f4, 4 its e5m2 by e4m3, 5 mxf4, and of mxf4nvf4
  /// 6 ue8m0 for 32, 7 ue8m0 for 16, 8 ue4m3 for 16; with a sparse A 9 f16, 10 bf16.
  uint32_t type = 0;
  /// Of types 2 and 3, else 0: the format as the instruction descriptor names it, 0 e4m3, 1 e5m2, 3 e2m3, 4
  /// e3m2, 5 e2m1. Those of fewer than 8 bits lie packed in memory, in rows of a multiple of 128 elements and
  /// 32 bytes.
  uint32_t a_type = 0, b_type = 0;
  uint32_t cta_group = 1;                    ///< 1 or 2
  uint32_t tile_n = 32;                      ///< columns of an instruction: 32, 64, 128; 256 on pairs
  uint32_t m = 1, n = 1, k = 1;              ///< elements
  uint32_t a_gap = 0, b_gap = 0, d_gap = 0;  ///< between rows, in units of what pitches are multiples of
  bool grouped = false;         ///< maps are rewritten in the kernel, which takes one product after the other
  bool launch_control = false;  ///< clusters that run take tiles of those that they cancel, else by turns
  /// With launch control, who asks for a cluster to take the tiles of: 0 the first lane of a warp, 1 lane 13,
  /// 2 lanes 0 and 1 at once, each for a cluster of its own, 3 so lanes 5 and 31.
  uint32_t asking = 0;
  bool reduces = false;  ///< D = C + A * B^T, by TMA's reduction into C
  OperandPattern a_fill, b_fill;
  OperandPattern c_fill;                      ///< where C counts: of all that lies where D will
  OperandPattern a_scale_fill, b_scale_fill;  ///< of a sparse A the first is of its metadata
  auto operator<=>(const GemmCase&) const = default;
};

}  // namespace assay
