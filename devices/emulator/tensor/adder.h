// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "devices/emulator/gpu.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// Whose adder: they keep different numbers of bits and treat C differently.
enum class Adder { mma_sync, wgmma, tcgen05, mma_kind };

/// D = A * B + C of one matrix instruction, operands already collected from where they lay.
struct TileProduct {
  Adder adder;
  Target target;
  const spec::Format* a_format;
  const spec::Format* b_format;
  const spec::Format* d_format;  ///< of C too: f32, f16, s32
  uint32_t m, n, k;              ///< k: products of one instruction
  bool negate_a = false, negate_b = false;
  bool reads_c = true;          ///< false: D = A * B, what d holds before is not looked at
  int scale_input_d = 0;        ///< C * 2^-n first
  bool saturates = false;       ///< s32
  bool is_sparse = false;       ///< mma.sp with a kind: what a row has kept, by what it meets
  std::span<const uint32_t> a;  ///< m rows of k codes
  std::span<const uint32_t> b;  ///< n columns of k codes, or of b_k where `met` is given
  /// Empty, or of a sparse A which code of a column of B each of its m rows of k meets.
  std::span<const uint16_t> met = {};
  uint32_t b_k = 0;
  // Block scaling.
  const spec::Format* scale_format = nullptr;
  uint32_t scale_block = 0;                     ///< products that share a pair of scales
  bool adds_groups = false;                     ///< kinds mxf4 and mxf4nvf4
  std::span<const uint8_t> a_scales, b_scales;  ///< k / scale_block of each row of A, of each column of B
  std::span<uint32_t> d;                        ///< m rows of n codes: C before, D after
};

/// Bit-exact. Honours the arithmetic faults and readings that `settings` names.
void multiply_tile(const TileProduct& product, const Settings& settings);

}  // namespace assay::emulator
