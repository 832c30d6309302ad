// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_field.h"

#include <cstdio>

#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"

namespace assay::model::fields {

std::string as_hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string legal_words(const Field& field, int64_t least, uint64_t most) {
  if (field.values.empty())
    return (field.multiple == 1 ? "" : "a multiple of " + std::to_string(field.multiple) + " from ") +
           std::to_string(least) + " to " + std::to_string(most);
  std::string words;
  for (size_t i = 0; i < field.values.size(); ++i)
    words += (i == 0 ? "" : i + 1 == field.values.size() ? " or " : ", ") + std::to_string(field.values[i]);
  return words;
}

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
