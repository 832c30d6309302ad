// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_case.h"
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

/// The arguments of an im2col map as named fields, in the driver's order.
std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs&);
/// " f16 rank 4 corners -1 -1, -1 -1 channels 64 pixels 32": what matters most of it, for one line.
std::string im2col_map_brief(const Im2colMapArgs&);

/// The im2col map of TensorCopyCase and EncodeIm2colCase.
std::span<const Descriptor> im2col_map_descriptors();

/// The field of an im2col map that a bit of its 128 bytes belongs to; the name alone of several of one name.
std::string im2col_field_of_bit(const Im2colMapArgs&, size_t bit);

const Family& map_program_family();

std::vector<std::pair<std::string, std::string>> map_program_fields(const MapProgramCase&);

/// "box_dim" for a wrong bit of that field after some step, "beside the map", "window of a load".
std::string place_in_map_program(const MapProgramCase&, uint64_t byte, uint8_t wrong);

/// Which step left which field wrong, or which load moved other bytes.
Diagnosis diagnose_map_program(const MapProgramCase&, const ExpectedOutput&,
                               std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
