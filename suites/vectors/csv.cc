// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/csv.h"

#include <charconv>

namespace assay::vectors {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (size_t from = 0;;) {
    const size_t to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

Magnitude parse_magnitude(std::string_view key, std::string_view text) {
  const std::string_view whole = text;
  Magnitude number;
  number.is_negative = text.starts_with('-');
  if (number.is_negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number.value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    throw RowError{"'" + std::string(whole) + "' of " + std::string(key) + " is not a number"};
  return number;
}

Pairs::Pairs(std::string_view cell) {
  for (const std::string& part : split(cell, ';')) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos) throw RowError{"'" + part + "' is not key=value"};
    if (!values_.emplace(part.substr(0, equals), Value{part.substr(equals + 1)}).second)
      throw RowError{"the key " + part.substr(0, equals) + " occurs twice"};
  }
}

const std::string& Pairs::text(std::string_view key) const {
  const auto at = values_.find(key);
  if (at == values_.end()) throw RowError{"the key " + std::string(key) + " is missing"};
  at->second.used = true;
  return at->second.text;
}

std::vector<std::string> Pairs::unused() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_)
    if (!value.used) keys.push_back(key);
  return keys;
}

std::string hex_code(uint64_t code, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(code));
  return text;
}

std::string hex_word(uint64_t word) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llX", static_cast<unsigned long long>(word));
  return text;
}

}  // namespace assay::vectors
