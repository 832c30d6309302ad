// SPDX-License-Identifier: Apache-2.0
#include "reference/model/shown_codes.h"

#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"

namespace assay::model::fields {
namespace {

std::string name_or_code(const auto* row, uint64_t code) {
  return row != nullptr ? std::string(row->name) : std::to_string(code);
}

}  // namespace

std::string data_type_name(uint64_t host) {
  return name_or_code(spec::find_data_type(static_cast<uint32_t>(host)), host);
}
std::string interleave_name(uint64_t host) {
  return name_or_code(spec::find_interleave(static_cast<uint32_t>(host)), host);
}
std::string swizzle_name(uint64_t host) {
  return name_or_code(spec::find_swizzle(static_cast<uint32_t>(host)), host);
}
std::string smem_swizzle_name(uint64_t tcgen05_code) {
  return name_or_code(spec::find_smem_swizzle(tcgen05_code), tcgen05_code);
}
std::string mma_kind_name(uint64_t kind) {
  return std::string(spec::row_of(static_cast<spec::MmaKind>(kind)).name);
}
std::string scale_vector_name(uint64_t value) {
  if (value == 0) return "none";
  return value >= 16 ? "block" + std::to_string(value) : std::to_string(value) + "X";
}
std::string scale_type_name(uint64_t code) {
  return code == spec::type_code::ue8m0 ? "ue8m0" : "ue4m3";
}

}  // namespace assay::model::fields
