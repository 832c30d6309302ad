// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/layout/canonical.h"

namespace assay::cli {

/// What the rows of a table are called.
template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// "none 32B 64B".
std::string listed(std::span<const std::string_view> names);

/// Throws UsageError: "'x' is not a tensor map swizzle; the swizzles are none 32B 64B; did you mean ...?"
[[noreturn]] void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                              const std::string& all_of, std::span<const std::string_view> names);

/// "4096" or "0x1000"; nothing for any other text, or above 64 bits.
std::optional<uint64_t> parse_number(std::string_view text);

/// "128,64": at least one number. Throws UsageError that names the option.
std::vector<uint64_t> parse_numbers(const std::string& option, std::string_view text);
/// The same of "-1,0".
std::vector<int64_t> parse_signed_numbers(const std::string& option, std::string_view text);

/// How elements of an operand are packed.
struct OperandType {
  int bits = 16;
  layout::Packing packing = layout::Packing::plain;
  bool is_padded() const { return packing != layout::Packing::plain; }
};
/// By the name of a type of tensor maps, or of a format of at least a byte: e4m3. Throws UsageError.
OperandType operand_type(const std::string& name);

}  // namespace assay::cli
