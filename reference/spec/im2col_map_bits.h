// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "reference/spec/tensor_map_bits.h"

namespace assay::spec {

/// Where the fields of an im2col map lie that a tiled one has not, or has for something else. Positions were
/// read off the driver (h200, section "128-byte map"). The width of a corner goes with the rank:
///
///   0x34  31:24  channels - 1
///   0x38  rank 3  upper W 31:16 | lower W 15:0
///         rank 4  upper H 31:24, W 23:16 | lower H 15:8, W 7:0
///         rank 5  upper D 30:26, H 25:21, W 20:16 | lower D 14:10, H 9:5, W 4:0
///   0x3c  9:0    pixels - 1
namespace tensor_map {

inline constexpr Field channels =
    with(biased(number("channels", -1, {bit_at(0x34, 24), 8})), HardwareUse::reads, "channels of a pixel",
         {"h200", "128-byte map, 0x34; M-10"});
inline constexpr Field pixels = with(biased(number("pixels", -1, {bit_at(0x3c, 0), 10})), HardwareUse::reads,
                                     "pixels of a column", {"h200", "128-byte map, 0x3C; M-09"});

/// Bits of a corner of a map of that rank.
constexpr int corner_bits(int rank) {
  return rank == 3 ? 16 : rank == 4 ? 8 : 5;
}
constexpr Field corner_at(int rank, int axis, bool upper) {
  const int width = corner_bits(rank);
  const Field field = number(upper ? "upper_corner" : "lower_corner", axis,
                             {bit_at(0x38, (upper ? 16 : 0) + axis * width), static_cast<uint16_t>(width)});
  return with(field, HardwareUse::reads, "two's complement; 0: W, 1: H, 2: D",
              {"h200", "128-byte map, 0x38; M-08"});
}
/// From the bits of a field, with their sign.
constexpr int32_t signed_corner(uint64_t raw, int rank) {
  const auto sign = uint64_t{1} << (corner_bits(rank) - 1);
  return static_cast<int32_t>(static_cast<int64_t>(raw ^ sign) - static_cast<int64_t>(sign));
}

/// Every bit of an im2col map of a rank, in order of position.
template <int Rank>
inline constexpr auto im2col_fields = [] {
  // The tiled box is words 0x38 and 0x3c but for its inner extent; 16 - 5 * 3 bits of a word half stay free.
  constexpr size_t corners = 2 * (Rank - 2), free_bits = Rank == 5 ? 2 : 0;
  std::array<Field, tiled_fields.size() - 3 + corners + free_bits> fields{};
  size_t at = 0;
  for (const Field& field : tiled_fields) {
    const int first = field.parts[0].lsb;
    const bool is_inner = field.name == "box_dim" && field.index == 0;
    if (field.name == "box_dim" && !is_inner) continue;
    if (is_inner) {
      fields[at++] = channels;
    } else if (first == bit_at(0x3c, 0)) {
      for (const bool upper : {false, true}) {
        for (int axis = 0; axis < Rank - 2; ++axis) fields[at++] = corner_at(Rank, axis, upper);
        if (Rank == 5) fields[at++] = ignored(0x38, upper ? 31 : 15, 1, {"h200", "128-byte map, 0x38"});
      }
      fields[at++] = pixels;
      fields[at++] = ignored(0x3c, 10, 22, {"h200", "128-byte map, 0x3C"});
    } else {
      fields[at++] = field;
    }
  }
  return fields;
}();
static_assert(tiles(im2col_fields<3>, 1024) && tiles(im2col_fields<4>, 1024) &&
              tiles(im2col_fields<5>, 1024));

/// By a rank of 3 to 5.
constexpr std::span<const Field> im2col_fields_of(int rank) {
  if (rank == 3) return im2col_fields<3>;
  if (rank == 4) return im2col_fields<4>;
  return im2col_fields<5>;
}

}  // namespace tensor_map

/// Ones where no field of an im2col map of any rank lies.
inline constexpr TensorMapBytes bits_without_im2col_field = [] {
  TensorMapBytes mask{};
  for (const Field& field : tensor_map::im2col_fields<4>)
    if (field.kind == FieldKind::reserved) put_raw(mask, field, ~uint64_t{0});
  return mask;
}();

}  // namespace assay::spec
