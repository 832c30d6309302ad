// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/arch.h"
#include "reference/spec/field.h"

namespace assay::spec {

/// Which architectures have a row, in the order of Arch. What came with sm_100 sm_120 has not, or for
/// shared::cta alone, which no kernel here asks for.
inline constexpr OnArch everywhere = from(0);
inline constexpr OnArch on_sm_90 = where(&Architecture::has_wgmma);
inline constexpr OnArch where_measured = where(&Architecture::is_measured);
inline constexpr OnArch from_sm_100 = where(&Architecture::has_tcgen05);
inline constexpr OnArch with_96B = where(&Architecture::has_swizzle_96B);

/// An element type of a tensor map. Packed types come in groups of 16 elements; the others in groups of one.
struct DataType {
  uint32_t host;               ///< CUtensorMapDataType of CUDA 13.0
  std::string_view name;       ///< PTX spelling
  std::string_view host_name;  ///< CUtensorMapDataType without CU_TENSOR_MAP_DATA_TYPE_
  uint32_t elemtype;           ///< operand of tensormap.replace.tile.elemtype; differs from host for 8..10
  uint32_t bits;               ///< per element, in global memory
  uint32_t code;               ///< bits 10:7 of byte 8 of the 128-byte map
  bool tf32;                   ///< bit 16 of byte 8 of the map
  bool is_float;               ///< may ask for NaN fill
  uint32_t group;              ///< elements
  uint32_t
      group_global_bytes;  ///< bytes of a group in global memory; also what it adds to the transaction count
  uint32_t group_shared_bytes;  ///< bytes of a group in shared memory, padding included
  OnArch on;
  Cite cite;
  constexpr bool is_packed() const { return group > 1; }
  /// Its groups fill 16 bytes of shared memory, whatever they have in global memory.
  constexpr bool is_padded() const { return group_shared_bytes > group_global_bytes; }
  /// Two elements a byte in both memories.
  constexpr bool is_dense_packed() const { return is_packed() && !is_padded(); }
  constexpr bool exists(Arch arch) const { return on[static_cast<int>(arch)]; }
};

inline constexpr Cite types_cite{"driver", "CUtensorMapDataType"};
inline constexpr Cite packed_cite{"ptx", "5.5.1.1 sub-byte types"};

inline constexpr std::array<DataType, 16> data_types{{
    // host name        host_name         elem bits code tf32  float group global shared
    {0, "u8", "UINT8", 0, 8, 0, false, false, 1, 1, 1, everywhere, types_cite},
    {1, "u16", "UINT16", 1, 16, 1, false, false, 1, 2, 2, everywhere, types_cite},
    {2, "u32", "UINT32", 2, 32, 2, false, false, 1, 4, 4, everywhere, types_cite},
    {3, "s32", "INT32", 3, 32, 3, false, false, 1, 4, 4, everywhere, types_cite},
    {4, "u64", "UINT64", 4, 64, 4, false, false, 1, 8, 8, everywhere, types_cite},
    {5, "s64", "INT64", 5, 64, 5, false, false, 1, 8, 8, everywhere, types_cite},
    {6, "f16", "FLOAT16", 6, 16, 6, false, true, 1, 2, 2, everywhere, types_cite},
    {7, "f32", "FLOAT32", 7, 32, 7, false, true, 1, 4, 4, everywhere, types_cite},
    {8, "f64", "FLOAT64", 9, 64, 9, false, true, 1, 8, 8, everywhere, types_cite},
    {9, "bf16", "BFLOAT16", 10, 16, 10, false, true, 1, 2, 2, everywhere, types_cite},
    {10, "f32.ftz", "FLOAT32_FTZ", 8, 32, 8, false, true, 1, 4, 4, everywhere, types_cite},
    {11, "tf32", "TFLOAT32", 11, 32, 7, true, true, 1, 4, 4, everywhere, types_cite},
    {12, "tf32.ftz", "TFLOAT32_FTZ", 12, 32, 8, true, true, 1, 4, 4, everywhere, types_cite},
    {13, "b4x16", "16U4_ALIGN8B", 13, 4, 11, false, false, 16, 8, 8, from_sm_100, packed_cite},
    {14, "b4x16_p64", "16U4_ALIGN16B", 14, 4, 12, false, false, 16, 8, 16, from_sm_100, packed_cite},
    // Loaded as b6x16_p32 (12 bytes, then 4 undefined), stored as b6p2x16 (an element a byte, top two bits
    // dropped).
    {15, "b6x16_p32", "16U6_ALIGN16B", 15, 6, 13, false, false, 16, 12, 16, from_sm_100, packed_cite},
}};

/// Host values that rules and cases name, and where kinds of types begin in their order.
namespace host_type {
inline constexpr uint32_t u8 = 0, f16 = 6, f32 = 7, f64 = 8, bf16 = 9, f32_ftz = 10, tf32 = 11, tf32_ftz = 12,
                          b4x16 = 13, b4x16_p64 = 14, b6x16_p32 = 15;
inline constexpr uint32_t first_float = f16, first_packed = b4x16, first_padded = b4x16_p64;
static_assert(data_types[u8].name == "u8" && data_types[f16].name == "f16" && data_types[f32].name == "f32" &&
              data_types[f64].name == "f64" && data_types[bf16].name == "bf16" &&
              data_types[f32_ftz].name == "f32.ftz" && data_types[tf32].name == "tf32" &&
              data_types[tf32_ftz].name == "tf32.ftz" && data_types[b4x16].name == "b4x16" &&
              data_types[b4x16_p64].name == "b4x16_p64" && data_types[b6x16_p32].name == "b6x16_p32");
static_assert([] {
  for (const DataType& type : data_types)
    if (type.is_packed() != (type.host >= first_packed) || type.is_padded() != (type.host >= first_padded) ||
        type.is_float != (type.host >= first_float && type.host < first_packed))
      return false;
  return true;
}());
}  // namespace host_type

/// Null when the host value names no type.
constexpr const DataType* find_data_type(uint32_t host) {
  return host < data_types.size() ? &data_types[host] : nullptr;
}
/// By PTX spelling or by host name; "b6p2x16" and "b6" are names of host value 15 too.
constexpr const DataType* find_data_type(std::string_view name) {
  for (const DataType& type : data_types)
    if (type.name == name || type.host_name == name) return &type;
  if (name == "b6p2x16" || name == "b6") return &data_types[15];
  return nullptr;
}
/// By the fields of the 128-byte map. Null for combinations that no type has.
constexpr const DataType* find_data_type_by_code(uint32_t code, bool tf32) {
  for (const DataType& type : data_types)
    if (type.code == code && type.tf32 == tf32) return &type;
  return nullptr;
}

struct Interleave {
  uint32_t host;  ///< CUtensorMapInterleave, bits 12:11 of byte 8 of the map, operand of tensormap.replace
  std::string_view name;
  uint32_t slice_bytes;  ///< 0: not interleaved
  Cite cite;
};
inline constexpr std::array<Interleave, 3> interleaves{{
    {0, "none", 0, {"driver", "CUtensorMapInterleave"}},
    {1, "16B", 16, {"driver", "CUtensorMapInterleave"}},
    {2, "32B", 32, {"driver", "CUtensorMapInterleave"}},
}};
/// Host values that rules and cases name.
namespace host_interleave {
inline constexpr uint32_t none = 0, by_16B = 1, by_32B = 2;
static_assert(interleaves[none].name == "none" && interleaves[by_16B].name == "16B" &&
              interleaves[by_32B].name == "32B");
}  // namespace host_interleave

constexpr const Interleave* find_interleave(uint32_t host) {
  return host < interleaves.size() ? &interleaves[host] : nullptr;
}
constexpr const Interleave* find_interleave(std::string_view name) {
  for (const Interleave& row : interleaves)
    if (row.name == name) return &row;
  return nullptr;
}

/// A swizzle: the address a of a byte in shared memory becomes
///   a ^ (((a >> 7) & line_mask) << line_shift) ^ (((a >> 7) & flip_mask) << 3)
struct Swizzle {
  uint32_t host;  ///< CUtensorMapSwizzle; 0x96 for 96B, which has no enumerator in CUDA 13.0
  std::string_view name;
  std::string_view host_name;  ///< CUtensorMapSwizzle without CU_TENSOR_MAP_SWIZZLE_
  uint32_t span_bytes;         ///< largest inner box extent of a map that is not interleaved; 0: no swizzle
  uint32_t atom_bytes;         ///< what moves as a whole; 0: no swizzle. 8 bytes less whole with flip
  uint32_t line_mask, line_shift, flip_mask;
  uint32_t
      period_bytes;  ///< pattern repeats; what the driver writes at byte 0x48 of the map (16 without swizzle)
  uint32_t width_code;  ///< bits 14:13 of byte 8 of the map; operand of tensormap.replace.tile.swizzle_mode
  uint32_t atomicity_code;  ///< bits 21:19; operand of tensormap.replace.tile.swizzle_atomicity
  bool is_96B;              ///< bit 22
  OnArch on;
  Cite cite;
  constexpr bool exists(Arch arch) const { return on[static_cast<int>(arch)]; }
};

inline constexpr Cite swizzle_cite{"ptx", "5.5.7 swizzling modes, table of patterns"};
inline constexpr uint32_t host_swizzle_96B = 0x96;

inline constexpr std::array<Swizzle, 8> swizzles{{
    // host name                 host_name             span atom mask shift flip period width atomicity 96B
    {0, "none", "NONE", 0, 0, 0, 4, 0, 16, 0, 0, false, everywhere, {"driver", "CUtensorMapSwizzle"}},
    {1, "32B", "32B", 32, 16, 1, 4, 0, 256, 1, 0, false, everywhere, swizzle_cite},
    {2, "64B", "64B", 64, 16, 3, 4, 0, 512, 2, 0, false, everywhere, swizzle_cite},
    {3, "128B", "128B", 128, 16, 7, 4, 0, 1024, 3, 0, false, everywhere, swizzle_cite},
    {4, "128B_atom32B", "128B_ATOM_32B", 128, 32, 3, 5, 0, 512, 3, 1, false, from_sm_100, swizzle_cite},
    {5, "128B_atom32B_flip8B", "128B_ATOM_32B_FLIP_8B", 128, 32, 3, 5, 1, 512, 3, 2, false, from_sm_100,
     swizzle_cite},
    {6, "128B_atom64B", "128B_ATOM_64B", 128, 64, 1, 6, 0, 256, 3, 3, false, from_sm_100, swizzle_cite},
    {host_swizzle_96B, "96B", "", 96, 16, 1, 4, 0, 256, 0, 0, true, with_96B, swizzle_cite},
}};
/// Host values that rules and cases name.
namespace host_swizzle {
inline constexpr uint32_t none = 0, by_32B = 1, by_64B = 2, by_128B = 3, by_128B_atom32B = 4,
                          by_128B_atom32B_flip8B = 5, by_128B_atom64B = 6;
inline constexpr uint32_t count = 7;  ///< of those below host_swizzle_96B
static_assert(count == swizzles.size() - 1 && swizzles[none].name == "none" &&
              swizzles[by_32B].name == "32B" && swizzles[by_64B].name == "64B" &&
              swizzles[by_128B].name == "128B" && swizzles[by_128B_atom32B].name == "128B_atom32B" &&
              swizzles[by_128B_atom32B_flip8B].name == "128B_atom32B_flip8B" &&
              swizzles[by_128B_atom64B].name == "128B_atom64B");
}  // namespace host_swizzle

/// Null when the host value names no swizzle. Every row but the last, 96B, is at its host value.
constexpr const Swizzle* find_swizzle(uint32_t host) {
  if (host == host_swizzle_96B) return &swizzles.back();
  return host < host_swizzle::count ? &swizzles[host] : nullptr;
}
/// By our name or by the host name.
constexpr const Swizzle* find_swizzle(std::string_view name) {
  for (const Swizzle& row : swizzles)
    if (row.name == name || (!row.host_name.empty() && row.host_name == name)) return &row;
  return nullptr;
}
/// By the fields of the 128-byte map. Null for combinations that no swizzle has.
constexpr const Swizzle* find_swizzle_by_code(uint32_t width_code, uint32_t atomicity_code, bool is_96B) {
  for (const Swizzle& row : swizzles)
    if (row.width_code == width_code && row.atomicity_code == atomicity_code && row.is_96B == is_96B)
      return &row;
  return nullptr;
}

struct L2Promotion {
  uint32_t host;  ///< CUtensorMapL2promotion, bits 18:17 of byte 8 of the map
  std::string_view name;
  Cite cite;
};
inline constexpr std::array<L2Promotion, 4> l2_promotions{{
    {0, "none", {"driver", "CUtensorMapL2promotion"}},
    {1, "64B", {"driver", "CUtensorMapL2promotion"}},
    {2, "128B", {"driver", "CUtensorMapL2promotion"}},
    {3, "256B", {"driver", "CUtensorMapL2promotion"}},
}};
constexpr const L2Promotion* find_l2_promotion(uint32_t host) {
  return host < l2_promotions.size() ? &l2_promotions[host] : nullptr;
}

struct OobFill {
  uint32_t host;  ///< CUtensorMapFloatOOBfill, bit 15 of byte 8 of the map
  std::string_view name;
  uint16_t half;  ///< the 16 bits that every two bytes of an element out of bounds read as
  Cite cite;
};
inline constexpr std::array<OobFill, 2> oob_fills{{
    {0, "zero", 0x0000, {"driver", "CUtensorMapFloatOOBfill"}},
    {1, "nan", 0x7ff7, {"h200", "F-02"}},
}};
constexpr const OobFill* find_oob_fill(uint32_t host) {
  return host < oob_fills.size() ? &oob_fills[host] : nullptr;
}
constexpr const OobFill* find_oob_fill(std::string_view name) {
  for (const OobFill& row : oob_fills)
    if (row.name == name) return &row;
  return nullptr;
}

/// Limits of the arguments and of the hardware.
inline constexpr int max_rank = 5;
inline constexpr uint64_t max_global_dim = uint64_t{1} << 32;  ///< driver: cuTensorMapEncodeTiled, globalDim
inline constexpr uint64_t max_usable_global_dim = uint64_t{1}
                                                  << 31;  ///< h200: L-03; larger ones fault on use
inline constexpr uint64_t global_stride_end = uint64_t{1}
                                              << 40;  ///< driver: cuTensorMapEncodeTiled, globalStrides
inline constexpr uint64_t global_address_end = uint64_t{1} << 57;  ///< h200: X-05
inline constexpr uint32_t tensor_map_pointer_alignment =
    64;                                                ///< driver: cuTensorMapEncodeTiled, tensorMap (X-03)
inline constexpr uint32_t max_box_dim = 256;           ///< driver: cuTensorMapEncodeTiled, boxDim
inline constexpr uint32_t max_element_stride = 8;      ///< driver: cuTensorMapEncodeTiled, elementStrides
inline constexpr uint64_t max_box_bytes = 228 * 1024;  ///< h200: X-01, by the floor count
inline constexpr uint32_t shared_operand_alignment = 128;  ///< guide: TMA alignment; h200: W-05
inline constexpr uint32_t box_start_alignment = 16;        ///< ptx: 5.5.3.1; h200: fault ILL
inline constexpr uint32_t store_clip_bytes = 16;           ///< h200: S-01

}  // namespace assay::spec
