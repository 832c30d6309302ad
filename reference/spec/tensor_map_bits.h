// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/spec/field.h"

namespace assay::spec {

/// The 128-byte object that cuTensorMapEncodeTiled writes and the hardware reads.
using TensorMapBytes = std::array<std::byte, 128>;
inline constexpr uint32_t tensor_map_alignment =
    64;  ///< h200: AMB-22; a map elsewhere faults (MIS) when used

/// Where each field of a tiled map lies. Positions were read off the driver (h200, section "128-byte map")
/// and off the code that ptxas makes for tensormap.replace; bits 19..22 of word 2 exist from sm_100 on (96B:
/// sm_103a).
///
///   0x00  address 31:0      0x10  stride[1] 35:4    0x20  dim[0]-1    0x30  dim[4]-1
///   0x04  address 56:32     0x14  stride[2] 35:4    0x24  dim[1]-1    0x34  box[0]-1 | element strides-1
///   0x08  modes             0x18  stride[3] 35:4    0x28  dim[2]-1    0x38  box[4..1]-1
///   0x0c  stride[0] 35:4    0x1c  strides 39:36     0x2c  dim[3]-1    0x3c  (im2col: pixels-1)
namespace tensor_map {

constexpr uint16_t bit_at(int byte, int bit) {
  return static_cast<uint16_t>(8 * byte + bit);
}
constexpr Field with(Field field, HardwareUse use, std::string_view note, Cite cite) {
  field.hardware = use, field.note = note, field.cite = cite;
  return field;
}
constexpr Field ignored(int byte, int bit, int width, Cite cite) {
  return with(reserved({bit_at(byte, bit), static_cast<uint16_t>(width)}), HardwareUse::ignores,
              "written 0; flipping it changes nothing", cite);
}
constexpr Field never_read(int byte, int bit, int width) {
  return with(reserved({bit_at(byte, bit), static_cast<uint16_t>(width)}), HardwareUse::never_reads,
              "written 0", {"h200", "128-byte map, 0x40-0x7F"});
}
constexpr Field stride_at(int k) {
  Field field = with(number("global_stride", k, {bit_at(0x0c + 4 * k, 0), 32}, {bit_at(0x1c, 4 * k), 4}),
                     HardwareUse::reads, "unused ones (index >= rank-1) are written 0 and ignored",
                     {"h200", "128-byte map, 0x0C and 0x1C"});
  field.unit = 16;
  return field;
}
constexpr Field biased(Field field) {
  field.bias = 1;
  return field;
}
constexpr Field dim_at(int i) {
  Field field = biased(number("global_dim", i, {bit_at(0x20 + 4 * i, 0), 32}));
  return with(field, HardwareUse::reads,
              "raw above 0x7fffffff faults; unused ones (index >= rank) are written 0 and ignored",
              {"h200", "128-byte map, 0x20; L-03"});
}
constexpr Field element_stride_at(int i) {
  return with(biased(number("element_stride", i, {bit_at(0x34, 3 * i), 3})), HardwareUse::reads,
              "unused ones are written 0; index 0 acts in interleaved maps only",
              {"h200", "128-byte map, 0x34; L-06"});
}
constexpr Field box_at(int i) {
  return with(biased(number("box_dim", i, {i == 0 ? bit_at(0x34, 24) : bit_at(0x38, 8 * i - 8), 8})),
              HardwareUse::reads, "unused ones are written 0 and ignored",
              {"h200", "128-byte map, 0x34 and 0x38"});
}
constexpr Field address_field() {
  Field field = with(number("global_address", -1, {0, 64}), HardwareUse::reads,
                     "not a multiple of 16 (32B interleave: 32) faults with misaligned address",
                     {"h200", "128-byte map, 0x00; V-49"});
  field.max_raw = (uint64_t{1} << 57) - 1;
  return field;
}
constexpr Field rank_field() {
  Field field = with(biased(number("rank", -1, {bit_at(0x08, 4), 3})), HardwareUse::reads,
                     "must equal the instruction's rank", {"h200", "128-byte map, 0x08"});
  field.max_raw = 4;
  return field;
}

inline constexpr Field global_address = address_field();
inline constexpr Field mode =
    with(coded("mode", {bit_at(0x08, 0), 1}, 1), HardwareUse::reads,
         "0 tiled, 1 im2col; an instruction of the other mode faults", {"h200", "128-byte map, 0x08"});
inline constexpr Field rank = rank_field();
inline constexpr Field type =
    with(coded("type", {bit_at(0x08, 7), 4}, 13), HardwareUse::reads, "DataType::code; sm_90 faults above 10",
         {"ptxas", "tensormap.replace elemtype"});
inline constexpr Field interleave = with(coded("interleave", {bit_at(0x08, 11), 2}, 2), HardwareUse::reads,
                                         "3 faults", {"h200", "128-byte map, 0x08; I-05"});
inline constexpr Field swizzle_width =
    with(coded("swizzle_width", {bit_at(0x08, 13), 2}, 3), HardwareUse::reads, "Swizzle::width_code",
         {"h200", "128-byte map, 0x08"});
inline constexpr Field fill =
    with(coded("fill", {bit_at(0x08, 15), 1}, 1), HardwareUse::reads, "NaN fill on an integer type faults",
         {"h200", "128-byte map, 0x08; F-04"});
inline constexpr Field tf32 =
    with(coded("tf32", {bit_at(0x08, 16), 1}, 1), HardwareUse::reads, "faults unless the type code is 7 or 8",
         {"h200", "128-byte map, 0x08; AMB-27"});
inline constexpr Field l2_promotion =
    with(coded("l2_promotion", {bit_at(0x08, 17), 2}, 3), HardwareUse::reads, "no functional effect",
         {"h200", "128-byte map, 0x08; L-12"});
inline constexpr Field swizzle_atomicity =
    with(coded("swizzle_atomicity", {bit_at(0x08, 19), 3}, 3), HardwareUse::reads,
         "Swizzle::atomicity_code; sm_90 ignores it", {"ptxas", "tensormap.replace swizzle_atomicity"});
inline constexpr Field swizzle_96B =
    with(coded("swizzle_96B", {bit_at(0x08, 22), 1}, 1), HardwareUse::reads, "sm_103a only; sm_90 ignores it",
         {"ptxas", "tensormap.replace swizzle_mode 4"});
inline constexpr std::array<Field, 4> global_stride{stride_at(0), stride_at(1), stride_at(2), stride_at(3)};
inline constexpr std::array<Field, 5> global_dim{dim_at(0), dim_at(1), dim_at(2), dim_at(3), dim_at(4)};
inline constexpr std::array<Field, 5> element_stride{element_stride_at(0), element_stride_at(1),
                                                     element_stride_at(2), element_stride_at(3),
                                                     element_stride_at(4)};
inline constexpr std::array<Field, 5> box_dim{box_at(0), box_at(1), box_at(2), box_at(3), box_at(4)};
inline constexpr Field box_bytes =
    with(number("box_bytes", -1, {bit_at(0x40, 0), 32}), HardwareUse::never_reads,
         "element bytes * product of floor(box/element stride), index 0 included; book-keeping of the driver",
         {"h200", "128-byte map, 0x40"});
inline constexpr Field swizzle_period =
    with(number("swizzle_period", -1, {bit_at(0x48, 0), 32}), HardwareUse::never_reads,
         "16, 256, 512, 1024 for swizzle none, 32B, 64B, 128B; book-keeping of the driver",
         {"h200", "128-byte map, 0x48"});

/// Every bit of a tiled map, in order of position.
inline constexpr std::array tiled_fields{
    global_address,
    mode,
    ignored(0x08, 1, 3, {"h200", "128-byte map, 0x08"}),
    rank,
    type,
    interleave,
    swizzle_width,
    fill,
    tf32,
    l2_promotion,
    swizzle_atomicity,
    swizzle_96B,
    ignored(0x08, 23, 9, {"h200", "128-byte map, 0x08"}),
    global_stride[0],
    global_stride[1],
    global_stride[2],
    global_stride[3],
    ignored(0x1c, 16, 16, {"h200", "128-byte map, 0x1C"}),
    global_dim[0],
    global_dim[1],
    global_dim[2],
    global_dim[3],
    global_dim[4],
    element_stride[0],
    element_stride[1],
    element_stride[2],
    element_stride[3],
    element_stride[4],
    ignored(0x34, 15, 9, {"h200", "128-byte map, 0x34"}),
    box_dim[0],
    box_dim[1],
    box_dim[2],
    box_dim[3],
    box_dim[4],
    ignored(0x3c, 0, 32, {"h200", "128-byte map, 0x3C"}),
    box_bytes,
    never_read(0x44, 0, 32),
    swizzle_period,
    never_read(0x4c, 0, 32),
    never_read(0x50, 0, 64),
    never_read(0x58, 0, 64),
    never_read(0x60, 0, 64),
    never_read(0x68, 0, 64),
    never_read(0x70, 0, 64),
    never_read(0x78, 0, 64),
};
static_assert(tiles(tiled_fields, 1024));

}  // namespace tensor_map

/// Ones where no field lies: 0 in every map that the driver writes.
inline constexpr TensorMapBytes bits_without_field = [] {
  TensorMapBytes mask{};
  for (const Field& field : tensor_map::tiled_fields)
    if (field.kind == FieldKind::reserved) put_raw(mask, field, ~uint64_t{0});
  return mask;
}();

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

namespace tensor_map {

/// How a map of the wide im2col encoder says that it is one, and of which mode. No document has it and nobody
/// has read it off a driver: these are two bits that mean nothing on an H200, on which the emulated driver
/// and the emulated hardware of later architectures agree. Its corners are those of W alone, in 16 bits
/// whatever the rank, as the encoder's documented range has them (V-37).
inline constexpr Field wide =
    with(coded("wide", {bit_at(0x08, 1), 1}, 1), HardwareUse::reads, "of the wide im2col encoder",
         {"driver", "cuTensorMapEncodeIm2colWide, mode"});
inline constexpr Field wide_128 =
    with(coded("wide_128", {bit_at(0x08, 2), 1}, 1), HardwareUse::reads, "0 mode W, 1 mode W128",
         {"driver", "cuTensorMapEncodeIm2colWide, mode"});

/// Every bit of a wide map of any rank, in order of position.
inline constexpr auto wide_fields = [] {
  std::array<Field, im2col_fields<3>.size() + 2> fields{};
  size_t at = 0;
  for (const Field& field : im2col_fields<3>) {
    if (field.parts[0].lsb != bit_at(0x08, 1)) {
      fields[at++] = field;
      continue;
    }
    fields[at++] = wide;
    fields[at++] = wide_128;
    fields[at++] = ignored(0x08, 3, 1, {"h200", "128-byte map, 0x08"});
  }
  return fields;
}();
static_assert(tiles(wide_fields, 1024));

}  // namespace tensor_map
}  // namespace assay::spec
