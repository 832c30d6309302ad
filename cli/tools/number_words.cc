// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/number_words.h"

#include <charconv>

#include "cli/command_line.h"

namespace assay::cli {
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

}  // namespace assay::cli
