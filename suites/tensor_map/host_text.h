// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Host code of stand-alone programs about tensor maps (suites/failure/reproducer_launch.inc says what it may
/// replace). `record`: a type of assay::params.
namespace assay::suites {

/// A function encode_map(map, arguments, base) by cuTensorMapEncodeTiled.
std::string_view tiled_encode_map();
/// Of copies by one map or two, which such a function encodes.
std::string copy_host(std::string_view record, std::string_view encode_map);
/// Of calls of an encoder: `call_encoder` is a function call_encoder(record, map).
std::string encode_host(std::string_view record, std::string_view call_encoder);

}  // namespace assay::suites
