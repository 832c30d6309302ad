// SPDX-License-Identifier: Apache-2.0
#include "fuzz/text_mutator.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

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

namespace {

using nlohmann::json;

/// Every value of a tree, the root first.
void collect(json& value, std::vector<json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (json& child : value) collect(child, all);
}

void change_number(json& value, gen::Random& random) {
  const uint64_t old = value.is_number_float() ? 0 : value.get<uint64_t>();
  switch (random.below(8)) {
    case 0:
      value = 0;
      return;
    case 1:
      value = old + 1;
      return;
    case 2:
      value = old - 1;
      return;
    case 3:
      value = uint64_t{1} << random.below(64);
      return;
    case 4:
      value = (uint64_t{1} << random.below(64)) - 1;
      return;
    case 5:
      value = -static_cast<int64_t>(random.next() >> (1 + random.below(62)));
      return;
    case 6:
      value = old ^ uint64_t { 1 } << random.below(32);
      return;
    default:
      value = random.next() >> random.below(64);
  }
}

/// A value of another kind, as a hostile file may have it.
json stranger(gen::Random& random) {
  const json kinds[] = {nullptr,       true,           "load", 1.5,
                        json::array(), json::object(), -1,     json::array({0, 0, 0, 0, 0})};
  return kinds[random.below(std::size(kinds))];
}

void change(json& root, gen::Random& random) {
  std::vector<json*> all, numbers;
  collect(root, all);
  for (json* one : all)
    if (one->is_number()) numbers.push_back(one);
  const auto any = [&](const std::vector<json*>& from) {
    return from[random.below(static_cast<uint32_t>(from.size()))];
  };
  const uint32_t choice = random.below(16);
  if (choice < 12 && !numbers.empty()) {
    json& value = *any(numbers);
    if (choice == 0)
      value = json(*any(numbers));
    else
      change_number(value, random);
  } else if (json& value = *any(all); choice < 14 || !value.is_object() || value.empty()) {
    value = stranger(random);
  } else {
    auto member = value.begin();
    std::advance(member, random.below(static_cast<uint32_t>(value.size())));
    const json kept = member.value();
    const std::string name = member.key();
    value.erase(member);
    if (choice == 15) value[name + "_"] = kept;
  }
}

}  // namespace

size_t mutate_json(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  gen::Random random(seed);
  json root = json::parse(data, data + size, nullptr, false);
  if (root.is_discarded() || random.one_in(16)) return mutate_text(data, size, max_size, seed);
  change(root, random);
  const std::string made = root.dump(1, ' ', false, json::error_handler_t::replace);
  if (made.size() > max_size) return size;
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

}  // namespace assay::fuzz
