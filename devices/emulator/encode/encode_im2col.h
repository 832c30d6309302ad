// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/encode/map_encoder.h"

namespace assay::emulator {

/// Arguments of cuTensorMapEncodeIm2col, and of cuTensorMapEncodeIm2colWide.
struct EncodeIm2colArguments : EncodeArguments {
  const int32_t* lower = nullptr;  ///< corners, rank - 2 of them: W, H, D; of the wide encoder one
  const int32_t* upper = nullptr;
  uint32_t channels = 0, pixels = 0;
  bool wide = false;
  uint32_t mode = 0;  ///< of the wide encoder: 0 W, 1 W128
};

/// What the driver does with a call, as encode_tiled has it. On sm_90a the wide encoder is the plain one with
/// corners of 0 for H and D (H200: X-12); what a later driver writes for a wide map nobody has read off it:
/// here it is the corners of W in 16 bits each, whatever the rank, and the bits
/// of reference/spec/wide_map_bits.h.
EncodeRejection encode_im2col(const EncodeIm2colArguments&, const Settings&);

}  // namespace assay::emulator
