// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// How rows of tables of members (case_field.h) show codes: by the names that the tables of reference/spec
/// give them; the number itself where there is none.
namespace assay::model::fields {

std::string data_type_name(uint64_t host);
std::string interleave_name(uint64_t host);
std::string swizzle_name(uint64_t host);
std::string smem_swizzle_name(uint64_t tcgen05_code);
std::string mma_kind_name(uint64_t kind);
/// "none", "2X", "block32": .scale_vec or .block of tcgen05.mma
std::string scale_vector_name(uint64_t value);
/// Of the instruction descriptor.
std::string scale_type_name(uint64_t code);

}  // namespace assay::model::fields
