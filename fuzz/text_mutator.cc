// SPDX-License-Identifier: Apache-2.0
#include "fuzz/text_mutator.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.h"
#include "generators/random.h"

namespace assay::fuzz {
namespace {

using Parts = std::vector<std::string>;

Parts lines_of(std::string_view text) {
  Parts lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.emplace_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

/// Runs of letters, digits and what names may hold; everything else one character each.
Parts words_of(std::string_view line) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$' || c == '.' ||
           c == ':';
  };
  Parts words;
  for (size_t at = 0; at < line.size();) {
    size_t end = at + 1;
    if (in_word(line[at]))
      while (end < line.size() && in_word(line[end])) ++end;
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string joined(const Parts& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

size_t any_of(const Parts& parts, gen::Random& random) {
  return random.below(static_cast<uint32_t>(parts.size()));
}

/// Loses, doubles, moves or exchanges one part.
void shuffle(Parts& parts, gen::Random& random) {
  const size_t at = any_of(parts, random), other = any_of(parts, random);
  switch (random.below(4)) {
    case 0:
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(at));
      return;
    case 1:
      parts.insert(parts.begin() + static_cast<ptrdiff_t>(other), std::string(parts[at]));
      return;
    case 2:
      std::swap(parts[at], parts[other]);
      return;
    default:
      parts[at] = std::string(parts[other]);
  }
}

void change_number(Parts& words, gen::Random& random) {
  static constexpr const char* ends[] = {"0",          "1",          "-1",
                                         "2",          "31",         "32",
                                         "255",        "256",        "65536",
                                         "2147483647", "1e99",       "2147483648",
                                         "4294967295", "4294967296", "18446744073709551615",
                                         "nan",        "0x",         "99999999999999999999999"};
  for (size_t tries = 0; tries < 8; ++tries) {
    std::string& word = words[any_of(words, random)];
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) continue;
    word = ends[random.below(std::size(ends))];
    return;
  }
}

}  // namespace

size_t mutate_text(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  gen::Random random(seed);
  if (size == 0 || random.one_in(3)) return LLVMFuzzerMutate(data, size, max_size);
  Parts lines = lines_of({reinterpret_cast<const char*>(data), size});
  if (random.one_in(3)) {
    shuffle(lines, random);
  } else {
    std::string& line = lines[any_of(lines, random)];
    Parts words = words_of(line), source = words_of(lines[any_of(lines, random)]);
    if (random.one_in(3))
      change_number(words, random);
    else if (random.one_in(2))
      words[any_of(words, random)] = std::string(source[any_of(source, random)]);
    else
      shuffle(words, random);
    line = joined(words);
  }
  const std::string made = joined(lines);
  if (made.size() > max_size) return size;
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

size_t cross_texts(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                   size_t max_size, unsigned seed) {
  gen::Random random(seed);
  Parts lines = lines_of({reinterpret_cast<const char*>(one), one_size});
  const Parts from = lines_of({reinterpret_cast<const char*>(other), other_size});
  if (lines.empty() || from.empty()) return 0;
  const size_t first = any_of(from, random),
               count = std::min<size_t>(from.size() - first, 1 + random.below(8));
  lines.insert(lines.begin() + static_cast<ptrdiff_t>(any_of(lines, random)),
               from.begin() + static_cast<ptrdiff_t>(first),
               from.begin() + static_cast<ptrdiff_t>(first + count));
  const std::string made = joined(lines);
  if (made.size() > max_size) return 0;
  std::copy(made.begin(), made.end(), out);
  return made.size();
}

}  // namespace assay::fuzz
