// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// Swizzles of an image, as CUtensorMapSwizzle numbers them; the last one has atoms of 32 bytes.
enum ImageSwizzle : uint8_t { swizzle_none, swizzle_32B, swizzle_64B, swizzle_128B, swizzle_128B_atom32B };

/// How the words of a window of operands come to shared memory: by plain stores, or by TMA from an image in
/// global memory. The image is laid out such that loads with its swizzle leave in the window what plain
/// stores would: byte i of the image is the byte of the window that the swizzle moves from i. Its rows of
/// row_bytes are a two-dimensional tensor of bytes, CTA after CTA; each load moves box_rows of them.
struct OperandImage {
  uint16_t row_bytes;  ///< 0: plain stores; 32, 64 or 128
  uint8_t swizzle;     ///< ImageSwizzle
  uint8_t reserved;    ///< 0
  uint32_t box_rows;   ///< 1 to 256; window_bytes is a multiple of row_bytes * box_rows, and of 1024
};

}  // namespace assay::params
