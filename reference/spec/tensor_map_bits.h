// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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
}  // namespace assay::spec
