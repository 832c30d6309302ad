// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// The arguments of cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide as plain data, host enumerator
/// values as in cuda.h 13.0. Arrays are passed to the driver from index 0; entries that the rank does not use
/// are passed too, as they stand.
struct EncodeIm2colArgs {
  uint64_t global_address;     ///< bytes; what it is relative to is said by the record that holds it
  uint64_t global_dim[5];      ///< elements (slices of 16 or 32 bytes in dimension 0 of an interleaved map)
  uint64_t global_stride[5];   ///< bytes; entry i is the stride of dimension i+1; entry 4 is never read
  uint32_t element_stride[5];  ///< elements
  int32_t lower[3], upper[3];  ///< corners of the pixel box: W, H, D; the wide encoder takes those of W
  uint32_t channels, pixels;
  uint32_t data_type;
  uint32_t rank;
  uint32_t interleave;
  uint32_t swizzle;
  uint32_t l2_promotion;
  uint32_t oob_fill;
  uint32_t wide;  ///< 1: the call is cuTensorMapEncodeIm2colWide
  uint32_t mode;  ///< of the wide call
  uint32_t reserved;
};
static_assert(sizeof(EncodeIm2colArgs) == 176);

/// Which pointer arguments of a call are null.
enum EncodeIm2colNull : uint32_t {
  im2col_null_tensor_map = 1,
  im2col_null_global_dim = 2,
  im2col_null_global_stride = 4,
  im2col_null_lower_corner = 8,
  im2col_null_element_stride = 16,
  im2col_null_upper_corner = 32,
};

/// One call of an encoder. The output map holds `before` in every byte when the call is made; the 128 bytes
/// after the call are written to output + 128 * index of the record.
struct EncodeIm2colRecord {
  EncodeIm2colArgs args;  ///< global_address is passed as it stands
  uint32_t null_mask;     ///< EncodeIm2colNull bits
  uint32_t map_offset;    ///< 0..63: output pointer = 64-byte boundary + this
  uint8_t before;         ///< byte that fills the output map before the call
  uint8_t reserved[7];
};
static_assert(sizeof(EncodeIm2colRecord) == 192);

}  // namespace assay::params
