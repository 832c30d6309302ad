#include "cli/map_words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::cli {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view between = " ,\t\n";
  std::vector<std::string_view> words;
  for (;;) {
    const size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(between), text.size());
    std::string_view word = text.substr(0, end);
    if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
    words.push_back(word);
    text.remove_prefix(end);
  }
}

std::optional<uint64_t> hexadecimal(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<spec::TensorMapBytes> parse_map(std::string_view text) {
  std::vector<std::string_view> words = words_of(text);
  spec::TensorMapBytes map{};
  size_t word_bytes = words.size() == 16 || words.size() == 8 ? 8 : 4;
  // Sixteen words are half a map of short ones, or a whole one of long ones.
  size_t longest = 0;
  for (const std::string_view word : words) longest = std::max(longest, word.size());
  if (words.size() == 16 && longest <= 8) word_bytes = 4;
  if (words.size() == 1 && (words[0].size() == 256 || words[0].size() == 128)) {
    const std::string_view digits = words[0];
    words.clear();
    for (size_t at = 0; at < digits.size(); at += 2) words.push_back(digits.substr(at, 2));
    word_bytes = 1;
  } else if (words.size() * word_bytes != 128 && words.size() * word_bytes != 64) {
    return std::nullopt;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = hexadecimal(words[i]);
    if (!value || words[i].size() > 2 * word_bytes) return std::nullopt;
    for (size_t byte = 0; byte < word_bytes; ++byte)
      map[i * word_bytes + byte] = static_cast<std::byte>(*value >> (8 * byte));
  }
  return map;
}

}  // namespace assay::cli
