// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/map_argument.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "cli/command.h"

namespace assay::cli {
namespace {

constexpr size_t whole = sizeof(spec::TensorMapBytes), half = whole / 2;

std::string wrong_size(size_t bytes) {
  return "it has " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
         "; a tensor map has 128, or 64 without its second half";
}

/// What stands between separators, without 0x, suffixes of C's integers and a debugger's addresses.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view between = " ,;\t\r\n{}[]()";
  std::vector<std::string_view> words;
  for (;;) {
    const size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(between), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    if (word.starts_with('<') && !words.empty()) words.pop_back();  // 0x7ffe10 <map+16>:
    if (word.ends_with(':') || word.starts_with('<')) continue;
    if (word.starts_with("0x") || word.starts_with("0X")) {
      word.remove_prefix(2);
      word = word.substr(0, std::min(word.find_last_not_of("uUlL") + 1, word.size()));
    }
    words.push_back(word);
  }
}

std::optional<uint64_t> hexadecimal(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

bool is_hexadecimal(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// Bytes in order, two digits each.
MapOfText of_digits(const std::string& digits) {
  if (digits.size() % 2 != 0)
    return {{}, "it has " + std::to_string(digits.size()) + " digits; a byte is written as two"};
  if (digits.size() != 2 * whole && digits.size() != 2 * half) return {{}, wrong_size(digits.size() / 2)};
  spec::TensorMapBytes map{};
  for (size_t i = 0; i < digits.size() / 2; ++i)
    map[i] = static_cast<std::byte>(*hexadecimal(std::string_view(digits).substr(2 * i, 2)));
  return {map, {}};
}

/// Sixteen words are half a map of short ones, or a whole one of long ones.
size_t bytes_of_word(size_t count, size_t longest) {
  if (longest <= 2 && (count == whole || count == half || count == whole - 1 || count == whole + 1)) return 1;
  return count == 8 || (count == 16 && longest > 8) || longest > 8 ? 8 : 4;
}

MapOfText of_words(const std::vector<std::string_view>& words) {
  size_t longest = 0;
  for (const std::string_view word : words) longest = std::max(longest, word.size());
  if (longest > 16) {
    std::string digits;
    for (const std::string_view word : words) digits += word;
    return of_digits(digits);
  }
  const size_t word_bytes = bytes_of_word(words.size(), longest), bytes = words.size() * word_bytes;
  if (bytes != whole && bytes != half)
    return {{},
            "got " + std::to_string(words.size()) + (words.size() == 1 ? " word" : " words") +
                " where 32 words of 8 hexadecimal digits (lowest first), 16 of 16, or 128 of 2 make a map"};
  spec::TensorMapBytes map{};
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() > 2 * word_bytes)
      return {{},
              "'" + std::string(words[i]) + "' is longer than the " + std::to_string(2 * word_bytes) +
                  " digits of the other words"};
    for (size_t byte = 0; byte < word_bytes; ++byte)
      map[i * word_bytes + byte] = static_cast<std::byte>(*hexadecimal(words[i]) >> (8 * byte));
  }
  return {map, {}};
}

/// RFC 4648, sections 4 and 5.
std::optional<uint32_t> base64_digit(char c) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  if (const size_t at = digits.find(c); at != std::string_view::npos) return static_cast<uint32_t>(at);
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return std::nullopt;
}

/// Nothing: it is no base64.
std::optional<std::vector<std::byte>> of_base64(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += word;
  while (text.ends_with('=')) text.pop_back();
  std::vector<std::byte> bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const auto digit = base64_digit(c);
    if (!digit) return std::nullopt;
    bits = bits << 6 | *digit;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> held));
  }
  // What is left over of the last digit is 0 in what an encoder writes.
  if (held >= 6 || (bits & ((1u << held) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace

MapOfText parse_map(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty()) return {{}, "it is empty"};
  const auto odd =
      std::find_if(words.begin(), words.end(), [](std::string_view word) { return !is_hexadecimal(word); });
  if (odd == words.end()) return of_words(words);
  // A word that is merely misspelt is not taken for base64: that comes in long lines.
  const auto bytes = words[0].size() > 16 ? of_base64(words) : std::nullopt;
  if (!bytes) {
    const bool is_long = odd->size() > 40;
    return {{}, "'" + std::string(odd->substr(0, 40)) + (is_long ? "...'" : "'") + " is not hexadecimal"};
  }
  if (bytes->size() != whole && bytes->size() != half) return {{}, "as base64 " + wrong_size(bytes->size())};
  spec::TensorMapBytes map{};
  std::copy(bytes->begin(), bytes->end(), map.begin());
  return {map, {}};
}

namespace {

/// More than any text of a map has.
constexpr size_t most_bytes = 16 * 1024;
/// To open a pipe from the other end.
constexpr int milliseconds_for_a_writer = 1000;

[[noreturn]] void unreadable(const std::string& name, const std::string& why) {
  throw std::runtime_error("cannot read a tensor map from " + name + ": " + why);
}

/// Closes what it opened.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string content(int from, const std::string& name) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = ::read(from, part.data(), part.size());
    if (got == 0) return text;
    if (got > 0) {
      text.append(part.data(), static_cast<size_t>(got));
      if (text.size() > most_bytes)
        unreadable(name, "it is longer than " + std::to_string(most_bytes / 1024) +
                             " KiB, and a tensor map has 128 bytes");
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) unreadable(name, std::strerror(errno));
    pollfd ready{from, POLLIN, 0};
    poll(&ready, 1, -1);
  }
}

std::string content_of_file(const std::string& name) {
  // A pipe that nobody writes to must not keep the program waiting.
  const Descriptor file(open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) unreadable("'" + name + "'", std::strerror(errno));
  struct stat what {};
  if (fstat(file.number(), &what) == 0 && S_ISDIR(what.st_mode))
    unreadable("'" + name + "'", "it is a directory");
  if (S_ISFIFO(what.st_mode)) {
    pollfd ready{file.number(), POLLIN, 0};
    poll(&ready, 1, milliseconds_for_a_writer);
  }
  std::string text = content(file.number(), "'" + name + "'");
  if (text.empty() && S_ISFIFO(what.st_mode))
    unreadable("'" + name + "'", "it is a pipe, and nothing was written to it");
  return text;
}

spec::TensorMapBytes map_of(const std::string& text, const std::string& name) {
  spec::TensorMapBytes map{};
  const MapOfText parsed = parse_map(text);
  if (parsed.map) return *parsed.map;
  if (text.size() == map.size()) {
    std::memcpy(map.data(), text.data(), map.size());
    return map;
  }
  const bool is_text = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
  });
  unreadable(name, is_text ? parsed.problem
                           : "it has " + std::to_string(text.size()) + " bytes; a tensor map has 128");
}

bool is_file(const std::string& word) {
  struct stat what {};
  return stat(word.c_str(), &what) == 0;
}

}  // namespace

spec::TensorMapBytes map_argument(const std::string& word) {
  if (word == "-") {
    static bool is_read = false;
    if (is_read) throw UsageError("standard input can be read only once");
    is_read = true;
    return map_of(content(STDIN_FILENO, "standard input"), "standard input");
  }
  const MapOfText parsed = parse_map(word);
  if (parsed.map) return *parsed.map;
  // What looks like a path was meant as one.
  if (is_file(word) || (word.find('/') != word.npos && word.size() < 80))
    return map_of(content_of_file(word), "'" + word + "'");
  throw UsageError("expected a file, or the 128 bytes of a tensor map in hexadecimal or base64: " +
                   parsed.problem);
}

}  // namespace assay::cli
