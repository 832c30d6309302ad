// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/host_text.h"

namespace assay::suites {
namespace {

constexpr std::string_view encode_map_text =
#include "suites/tensor_map/encode_map_host.inc"
    ;
constexpr std::string_view copy_text =
#include "suites/tensor_copy/copy_host.inc"
    ;
constexpr std::string_view encode_run_text =
#include "suites/tensor_map/encode_run_host.inc"
    ;

std::string record_type(std::string_view record) {
  return "using Record = assay::params::" + std::string(record) + ";\n";
}

}  // namespace

std::string_view tiled_encode_map() {
  return encode_map_text;
}
std::string copy_host(std::string_view record, std::string_view encode_map) {
  return record_type(record).append(encode_map).append(copy_text);
}
std::string encode_host(std::string_view record, std::string_view call_encoder) {
  return record_type(record).append(call_encoder).append(encode_run_text);
}

}  // namespace assay::suites
