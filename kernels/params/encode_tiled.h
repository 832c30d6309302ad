// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// The arguments of cuTensorMapEncodeTiled as plain data, host enumerator values as in cuda.h 13.0.
/// Arrays are passed to the driver from index 0; entries at index >= rank are passed too, as they stand.
struct EncodeTiledArgs {
  uint64_t global_address;     ///< bytes; what it is relative to is said by the record that holds it
  uint64_t global_dim[5];      ///< elements (slices of 16 or 32 bytes in dimension 0 of an interleaved map)
  uint64_t global_stride[5];   ///< bytes; entry i is the stride of dimension i+1; entry 4 is never read
  uint32_t box_dim[5];         ///< elements
  uint32_t element_stride[5];  ///< elements
  uint32_t data_type;
  uint32_t rank;
  uint32_t interleave;
  uint32_t swizzle;
  uint32_t l2_promotion;
  uint32_t oob_fill;
};
static_assert(sizeof(EncodeTiledArgs) == 152);

/// Which pointer arguments of a call are null, and how far the output map is from a 64-byte boundary.
enum EncodeNull : uint32_t {
  null_tensor_map = 1,
  null_global_dim = 2,
  null_global_stride = 4,
  null_box_dim = 8,
  null_element_stride = 16,
};

/// One call of the driver's encoder. The output map holds `before` in every byte when the call is made; the
/// 128 bytes after the call are written to output + 128 * index of the record.
struct EncodeTiledRecord {
  EncodeTiledArgs args;  ///< global_address is passed as it stands
  uint32_t null_mask;    ///< EncodeNull bits
  uint32_t map_offset;   ///< 0..63: output pointer = 64-byte boundary + this
  uint8_t before;        ///< byte that fills the output map before the call
  uint8_t
      replaces;  ///< 0, 1: cuTensorMapReplaceAddress follows where the encoder accepts; the code is its own
  uint8_t reserved[6];
  uint64_t replacement;  ///< the address that it is given
};
static_assert(sizeof(EncodeTiledRecord) == 176);

}  // namespace assay::params
