// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/named_rows.h"

#include <charconv>
#include <vector>

#include "cli/command.h"
#include "reference/spec/formats.h"
#include "reference/spec/near_names.h"
#include "reference/spec/tensor_map.h"

namespace assay::cli {

std::string listed(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view one : names) all += (all.empty() ? "" : " ") + std::string(one);
  return all;
}

void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                 const std::string& all_of, std::span<const std::string_view> names) {
  throw UsageError(option, "'" + name + "' is not " + one_of + "; the " + all_of + " are " + listed(names) +
                               spec::did_you_mean(name, names));
}

namespace {

/// Calls take(word) for what stands between commas.
template <typename Take>
void for_words(std::string_view text, const Take& take) {
  for (;;) {
    const size_t comma = text.find(',');
    take(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

[[noreturn]] void refuse(const std::string& option, std::string_view word) {
  throw UsageError(option, word.empty() ? "a number is missing; they are separated by single commas: 128,64"
                                        : "'" + std::string(word) + "' is not a number of at most 64 bits");
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<uint64_t> parse_numbers(const std::string& option, std::string_view text) {
  std::vector<uint64_t> numbers;
  for_words(text, [&](std::string_view word) {
    const auto number = parse_number(word);
    if (!number) refuse(option, word);
    numbers.push_back(*number);
  });
  return numbers;
}

std::vector<int64_t> parse_signed_numbers(const std::string& option, std::string_view text) {
  std::vector<int64_t> numbers;
  for_words(text, [&](std::string_view word) {
    const bool is_negative = word.starts_with('-');
    const auto number = parse_number(word.substr(is_negative ? 1 : 0));
    if (!number || *number > INT64_MAX) refuse(option, word);
    numbers.push_back(is_negative ? -static_cast<int64_t>(*number) : static_cast<int64_t>(*number));
  });
  return numbers;
}

OperandType operand_type(const std::string& name) {
  if (const spec::DataType* type = spec::find_data_type(name); type != nullptr && type->bits <= 32) {
    const layout::Packing packing = !type->is_padded() ? layout::Packing::plain
                                    : type->bits == 4  ? layout::Packing::padded_4_bit
                                                       : layout::Packing::padded_6_bit;
    return {static_cast<int>(type->bits), packing};
  }
  std::vector<std::string_view> names;
  for (const spec::DataType& type : spec::data_types)
    if (type.bits <= 32) names.push_back(type.name);
  for (const spec::Format& format : spec::formats) {
    if (format.storage_bits < 8 || format.bits() < 8 || format.storage_bits > 32) continue;
    if (format.name == name) return {format.storage_bits, layout::Packing::plain};
    if (spec::find_data_type(format.name) == nullptr) names.push_back(format.name);
  }
  refuse_name("--type", name, "an operand type", "types", names);
}

}  // namespace assay::cli
