// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace assay {

/// Logical arguments of cuTensorMapEncodeTiled. Values are host enumerators (spec/tensor_map.h) and may be
/// illegal.
struct TensorMapArgs {
  uint64_t global_address = 0;  ///< bytes. In a TensorCopyCase: relative to the tensor memory of the case
  std::array<uint64_t, 5> global_dim{};      ///< elements
  std::array<uint64_t, 4> global_stride{};   ///< bytes, [i] is the stride of dimension i+1
  std::array<uint32_t, 5> box_dim{};         ///< elements
  std::array<uint32_t, 5> element_stride{};  ///< elements
  uint32_t data_type = 0, rank = 0, interleave = 0, swizzle = 0, l2_promotion = 0, oob_fill = 0;
  auto operator<=>(const TensorMapArgs&) const = default;
};

/// Value of TensorMapArgs::swizzle for the 96B swizzle, which has no host enumerator in CUDA 13.0 (V-44); the
/// map is encoded with swizzle NONE and tensormap.replace.tile.swizzle_mode 4 follows on the device.
inline constexpr uint32_t swizzle_96B = 0x96;

/// Logical arguments of cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide, to which the box means
/// nothing; values may be illegal. Of a map of cuTensorMapEncodeTiled only the base has a meaning.
struct Im2colMapArgs : TensorMapArgs {
  std::array<int32_t, 3> lower{};  ///< corners of the pixel box: W, H, D; the wide encoder takes that of W
  std::array<int32_t, 3> upper{};
  uint32_t channels = 0;   ///< of a pixel
  uint32_t pixels = 0;     ///< of a column
  bool wide = false;       ///< by cuTensorMapEncodeIm2colWide
  uint32_t wide_mode = 0;  ///< of that encoder: 0 W, 1 W128
  auto operator<=>(const Im2colMapArgs&) const = default;
};

/// Spatial dimensions of a map of a rank of 3 to 5, and the tensor's dimension that spatial axis k (W, H, D)
/// is: dimension 0 holds channels, but W of an interleaved map.
constexpr uint32_t spatial_axes(uint32_t rank) {
  return rank >= 3 && rank <= 5 ? rank - 2 : 0;
}
constexpr uint32_t dimension_of_axis(const TensorMapArgs& map, uint32_t axis) {
  return axis + (map.interleave == 0 ? 1 : 0);
}

/// One call of the encoder, and of what changes its map.
struct EncodeTiledCase {
  TensorMapArgs map;  ///< global_address absolute
  uint32_t null_mask =
      0;  ///< which pointer arguments are null: bit 0 map, 1 dim, 2 stride, 3 box, 4 element stride
  uint32_t map_offset = 0;   ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;     ///< content of the output map before the call
  bool replaces = false;     ///< cuTensorMapReplaceAddress follows on what the encoder accepted
  uint64_t replacement = 0;  ///< the address that it is given
  auto operator<=>(const EncodeTiledCase&) const = default;
};

/// One call of an im2col encoder.
struct EncodeIm2colCase {
  Im2colMapArgs map;       ///< global_address absolute
  uint32_t null_mask = 0;  ///< which pointers are null: bit 0 map, 1 dim, 2 stride, 3 lower corner, 4 element
                           ///< stride, 5 upper corner; the wide encoder has no pointers to corners
  uint32_t map_offset = 0;  ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;    ///< content of the output map before the call
  auto operator<=>(const EncodeIm2colCase&) const = default;
};

}  // namespace assay
