// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"
#include "suites/run/family.h"
#include "suites/run/field_coverage.h"

namespace assay::suites {

/// cuTensorMapEncodeTiled and cuTensorMapReplaceAddress.
const Family& encode_tiled_family();
/// Calls of the im2col encoders. The wide one is an operation of its own, since a driver may lack it.
const Family& encode_im2col_family();
const Family& encode_im2col_wide_family();

/// Why what the driver's encoders refuse and write cannot be judged on an architecture, or nothing.
inline std::optional<std::string> encoder_declines(spec::Arch arch) {
  if (spec::row_of(arch).is_encoder_known) return std::nullopt;
  return "the behaviour of the driver of " + std::string(spec::name(arch)) +
         " is undocumented and unmeasured";
}

// Host code of stand-alone programs about tensor maps (suites/failure/reproducer_launch.inc says what it may
// replace). `record`: a type of assay::params.

/// A function encode_map(map, arguments, base) by cuTensorMapEncodeTiled.
std::string_view tiled_encode_map();
/// Of copies by one map or two, which such a function encodes.
std::string copy_host(std::string_view record, std::string_view encode_map);
/// Of calls of an encoder: `call_encoder` is a function call_encoder(record, map).
std::string encode_host(std::string_view record, std::string_view call_encoder);

/// The tensor map of TensorCopyCase and EncodeTiledCase.
std::span<const Descriptor> tensor_map_descriptors();

// What covering the arguments of a map takes beside the table of their members.

/// Where the one field stands that the table does not have: where the address lies in a line of 128 bytes.
inline constexpr size_t map_address_field = 6;
/// Puts it among those that were read, which all stand one place too low from there on.
void insert_map_address(const TensorMapArgs& map, FieldValues& values);
/// Lists of so many entries, one behind the other from a place on, have no more of them than a map of that
/// rank; a list of four, of strides, one less.
void limit_to_rank(uint32_t rank, std::initializer_list<uint32_t> lists, size_t first, FieldValues& values);

}  // namespace assay::suites
