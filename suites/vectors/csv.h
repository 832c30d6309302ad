#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::vectors {

struct CsvRow {
  int line = 0;  ///< 1-based line of its first character
  std::vector<std::string> cells;
};

/// Comma-separated text, cells in double quotes may hold commas, doubled quotes and line ends. Empty lines
/// are left out.
std::vector<CsvRow> parse_csv(std::string_view text);

/// A row that cannot be read as its kind says. The message is one sentence.
struct RowError {
  std::string message;
};

/// The key=value pairs of a cell, joined by ';'. Every look-up is remembered, so that a key nobody asked for
/// shows.
class Pairs {
 public:
  /// Throws RowError on text that is no list of pairs, and on a key that occurs twice.
  explicit Pairs(std::string_view cell);
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
  const std::string& text(std::string_view key) const;  ///< throws RowError naming the missing key
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  int64_t number(std::string_view key) const;             ///< decimal or 0x; throws RowError
  std::vector<int64_t> list(std::string_view key) const;  ///< joined by '|', empty text is an empty list
  /// Keys that were never looked up.
  std::vector<std::string> unused() const;

 private:
  struct Value {
    std::string text;
    mutable bool used = false;
  };
  std::map<std::string, Value, std::less<>> values_;
};

int64_t parse_number(std::string_view key, std::string_view text);

/// The number as another type; throws RowError where that cannot hold it.
template <typename Int>
Int narrow(std::string_view key, int64_t value) {
  if (std::in_range<Int>(value)) return static_cast<Int>(value);
  using Limits = std::numeric_limits<Int>;
  throw RowError{std::to_string(value) + " of " + std::string(key) + " is not " +
                 std::to_string(Limits::min()) + " to " + std::to_string(Limits::max())};
}

std::vector<std::string> split(std::string_view text, char separator);

}  // namespace assay::vectors
