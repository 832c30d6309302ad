// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "reference/layout/swizzle.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/im2col_walk.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// Where the pixels of a column lie in both memories. Channels come in units: elements, groups of packed
/// elements, or the one slice of an interleaved map.
struct ColumnShape {
  uint32_t pixels = 0;                        ///< rows in shared memory, halos among them
  uint32_t units = 0;                         ///< of a pixel
  uint32_t first_unit = 0, end_unit = 0;      ///< those that lie in the tensor; equal if none does
  uint32_t unit_global = 0, unit_shared = 0;  ///< bytes, padding included
  uint32_t inner = 0, pitch = 0;              ///< shared bytes of a pixel, and from one to the next
  uint64_t shared_bytes = 0;                  ///< extent from the operand on, gaps included
  int64_t first_channel = 0;                  ///< global byte of unit 0 relative to the pixel
  bool is_padded = false;                     ///< unit_shared has undefined bytes behind unit_global
};
/// `copy` has a legal map.
ColumnShape column_of(const TensorCopyCase& copy, const spec::Readings&);

/// Global bytes from one index of a dimension to the next; of dimension 0 those of an interleaved map.
uint64_t stride_of(const TensorMapArgs&, uint32_t dimension);
/// True when the pixel lies in the tensor; `byte` is then where it begins, relative to the map's address.
bool is_in_tensor(const TensorCopyCase&, const Pixel&, unsigned __int128& byte);
/// The same of everything but W: as if the pixel were the first of its row.
bool is_row_in_tensor(const TensorCopyCase&, const Pixel&, unsigned __int128& byte);

/// Bytes that a load signals to each receiving barrier.
uint32_t transaction_bytes(const TensorCopyCase&, const ColumnShape&, const spec::Readings&);
/// The same, where so many of the pixels lie in the tensor.
uint32_t transaction_bytes(const TensorCopyCase&, const ColumnShape&, uint64_t pixels_inside,
                           const spec::Readings&);

/// Where bytes of the column are kept.
SwizzlePattern pattern_of_column(const TensorCopyCase&, const spec::Readings&);

/// One past the last byte of a pixel that a store writes, from the first channel of the copy on.
uint32_t stored_end(const TensorCopyCase&, const ColumnShape&, const spec::Readings&, spec::RuleSet& rules);

/// Types and swizzles of a map that is legal.
inline const spec::DataType& type_of(const TensorCopyCase& copy) {
  return *spec::find_data_type(copy.map.data_type);
}
inline const spec::Swizzle& swizzle_of(const TensorCopyCase& copy) {
  return *spec::find_swizzle(copy.map.swizzle);
}

}  // namespace assay::model
