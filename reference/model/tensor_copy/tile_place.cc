// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/tile_place.h"

namespace assay::model {

TilePlace place_in_tile(const TiledShape& shape, const spec::DataType& type, uint32_t operand, uint64_t row,
                        uint32_t element) {
  // Stores of groups with padding take a byte for each element.
  const bool is_byte_each = shape.packing == Packing::byte_each;
  const uint32_t group = element / type.group, inside = element % type.group;
  const uint32_t bit = is_byte_each ? 8 * element : 8 * group * type.group_shared_bytes + inside * type.bits;
  TilePlace place;
  place.linear = shape.linear(operand, row, bit / 8);
  place.byte = place.linear ^ shape.swizzle.line_xor(static_cast<uint32_t>(place.linear));
  place.bit = static_cast<int>(bit % 8);
  return place;
}

}  // namespace assay::model
