// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/csv.h"

namespace assay::vectors {

/// A row that cannot be read as its kind says. The message is one sentence.
struct RowError {
  std::string message;
};

std::vector<std::string> split(std::string_view text, char separator);

/// A number without its sign: the types that it may become hold different ends of its range.
struct Magnitude {
  uint64_t value = 0;
  bool is_negative = false;
};
Magnitude parse_magnitude(std::string_view key, std::string_view text);

/// Decimal or 0x; throws RowError, also where the type cannot hold it.
template <typename Int = int64_t>
Int parse_number(std::string_view key, std::string_view text) {
  using Limits = std::numeric_limits<Int>;
  const Magnitude number = parse_magnitude(key, text);
  if (number.is_negative) {
    if (number.value <= uint64_t{0} - static_cast<uint64_t>(Limits::min()))
      return static_cast<Int>(uint64_t{0} - number.value);
  } else if (number.value <= static_cast<uint64_t>(Limits::max())) {
    return static_cast<Int>(number.value);
  }
  throw RowError{std::string(text) + " of " + std::string(key) + " is not " + std::to_string(Limits::min()) +
                 " to " + std::to_string(Limits::max())};
}

/// The number as another type; throws RowError where that cannot hold it.
template <typename Int>
Int narrow(std::string_view key, int64_t value) {
  if (std::in_range<Int>(value)) return static_cast<Int>(value);
  using Limits = std::numeric_limits<Int>;
  throw RowError{std::to_string(value) + " of " + std::string(key) + " is not " +
                 std::to_string(Limits::min()) + " to " + std::to_string(Limits::max())};
}

/// The key=value pairs of a cell, joined by ';'. Every look-up is remembered, so that a key nobody asked for
/// shows.
class Pairs {
 public:
  /// Throws RowError on text that is no list of pairs, and on a key that occurs twice.
  explicit Pairs(std::string_view cell);
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  const std::string& text(std::string_view key) const;  ///< throws RowError naming the missing key
  /// Decimal or 0x; throws RowError, also where the type cannot hold it.
  template <typename Int = int64_t>
  Int number(std::string_view key) const {
    return parse_number<Int>(key, text(key));
  }
  /// Joined by '|'; empty text is an empty list.
  template <typename Int = int64_t>
  std::vector<Int> list(std::string_view key) const {
    std::vector<Int> numbers;
    for (const std::string& part : split(text(key), '|')) numbers.push_back(parse_number<Int>(key, part));
    return numbers;
  }
  /// Keys that were never looked up.
  std::vector<std::string> unused() const;

 private:
  struct Value {
    std::string text;
    mutable bool used = false;
  };
  std::map<std::string, Value, std::less<>> values_;
};

/// In hexadecimal, with zeros in front up to `digits`.
std::string hex_code(uint64_t code, int digits = 1);
/// As descriptors are written: 0x and capitals.
std::string hex_word(uint64_t word);

/// CRC-32 as zlib computes it (polynomial 0xedb88320, reflected), over numbers written as 64-bit
/// little-endian.
class Crc32 {
 public:
  void add(int64_t value) { add(value, 8); }
  /// The lowest bytes of a number.
  void add(int64_t value, int bytes) {
    for (int byte = 0; byte < bytes; ++byte) {
      state_ ^= static_cast<uint32_t>(value >> (8 * byte)) & 0xff;
      for (int bit = 0; bit < 8; ++bit) state_ = state_ >> 1 ^ (state_ & 1 ? 0xedb88320u : 0u);
    }
  }
  /// Eight hex digits.
  std::string text() const {
    std::array<char, 9> digits;
    std::snprintf(digits.data(), digits.size(), "%08x", ~state_);
    return digits.data();
  }

 private:
  uint32_t state_ = ~0u;
};

}  // namespace assay::vectors
