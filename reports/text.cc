// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay::report {
namespace {

constexpr char32_t malformed = 0xFFFFFFFF;

/// Decodes one character and moves `at` behind it; an ill-formed sequence takes one byte.
char32_t next(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(at);
  const int length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length == 1) return text[at++];
  if (length == 0 || at + length > text.size()) return ++at, malformed;
  char32_t value = lead & (0x7F >> length);
  for (int i = 1; i < length; ++i) {
    if (byte(at + i) >> 6 != 2) return ++at, malformed;
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
    return ++at, malformed;
  at += length;
  return value;
}

/// Copies the text; `special` may write something else for a character and return true.
template <typename Special>
std::string transform(std::string_view text, Special special) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    const char32_t c = next(text, at);
    if (c == malformed)
      out += "\uFFFD";
    else if (!special(out, c))
      out.append(text.substr(start, at - start));
  }
  return out;
}

bool is_control(char32_t c) {
  return c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0);
}

void put_picture(std::string& out, char32_t control) {
  if (control >= 0x80) {
    out += "\uFFFD";
    return;
  }
  const char32_t picture = control == 0x7F ? 0x2421 : 0x2400 + control;
  out += {static_cast<char>(0xE2), static_cast<char>(0x80 | (picture >> 6 & 0x3F)),
          static_cast<char>(0x80 | (picture & 0x3F))};
}

/// Characters that reorder the text around them: a name must not make the rest of its line read backwards.
bool is_direction_override(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string well_formed(std::string_view bytes) {
  return transform(bytes, [](std::string&, char32_t) { return false; });
}

std::string for_xml(std::string_view bytes) {
  return transform(bytes, [](std::string&, char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF;
  });
}

std::string for_html(std::string_view bytes) {
  return transform(bytes, [](std::string& out, char32_t c) {
    switch (c) {
      case '<':
        out += "&lt;";
        return true;
      case '>':
        out += "&gt;";
        return true;
      case '&':
        out += "&amp;";
        return true;
      case '"':
        out += "&quot;";
        return true;
      case '\'':
        out += "&#39;";
        return true;
      case '\n':
      case '\t':
        return false;
      default:
        break;
    }
    if (is_control(c)) return put_picture(out, c), true;
    if (is_direction_override(c) || c == 0xFFFE || c == 0xFFFF) return out += "\uFFFD", true;
    return false;
  });
}

std::string for_terminal(std::string_view bytes) {
  return transform(bytes, [](std::string& out, char32_t c) {
    if (is_control(c)) return put_picture(out, c), true;
    if (is_direction_override(c)) return out += "\uFFFD", true;
    return false;
  });
}

std::string shortened(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  size_t end = limit - 3;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

size_t columns(std::string_view text) {
  size_t n = 0;
  for (const char c : text) n += (static_cast<uint8_t>(c) & 0xC0) != 0x80;
  return n;
}

std::string pad(std::string text, size_t to) {
  if (const size_t have = columns(text); have < to) text.append(to - have, ' ');
  return text;
}

std::string shortened_columns(std::string_view text, size_t limit) {
  if (columns(text) <= limit) return std::string(text);
  size_t end = 0;
  for (size_t n = 0; end < text.size(); ++end)
    if ((static_cast<uint8_t>(text[end]) & 0xC0) != 0x80 && n++ == limit - 1) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string_view cut(std::string_view& text, char at) {
  const size_t end = std::min(text.find(at), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string wrapped(std::string_view words, std::string_view indent) {
  constexpr size_t line_columns = 110;
  std::string made;
  size_t column = 0;
  while (!words.empty()) {
    const std::string_view word = cut(words, ' ');
    if (word.empty()) continue;
    const size_t width = columns(word);
    if (column != 0 && column + 1 + width > line_columns) {
      made.append("\n").append(indent);
      column = indent.size();
    } else if (column != 0) {
      made += ' ';
      ++column;
    }
    made += word;
    column += width;
  }
  return made;
}

std::string grouped(uint64_t number, std::string_view separator) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += separator;
    out += digits[i];
  }
  return out;
}

std::string compact(double number) {
  constexpr std::array<const char*, 6> units = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  while (number >= 999.5 && unit + 1 < units.size()) number /= 1000, ++unit;
  char text[48];
  if (!(number < 1e4)) {  // beyond the last unit: a damaged file
    std::snprintf(text, sizeof text, "%.3g%s", number, units[unit]);
    return text;
  }
  const bool whole = unit == 0 && number == std::floor(number);
  const int decimals = whole || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  std::snprintf(text, sizeof text, "%.*f%s", decimals, number, units[unit]);
  return text;
}

std::string duration(double seconds) {
  char text[64];
  if (seconds < 0.9995)
    std::snprintf(text, sizeof text, "%.0f ms", seconds * 1000);
  else if (seconds < 99.95)
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  else if (!(seconds < 1e9))  // a damaged file
    return "over 30 years";
  else if (const auto whole = static_cast<uint64_t>(seconds + 0.5); whole < 3600)
    std::snprintf(text, sizeof text, "%d min %02d s", static_cast<int>(whole / 60),
                  static_cast<int>(whole % 60));
  else
    std::snprintf(text, sizeof text, "%llu h %02d min", static_cast<unsigned long long>(whole / 3600),
                  static_cast<int>(whole / 60 % 60));
  return text;
}

bool is_timestamp(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() != shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' ? (text[i] < '0' || text[i] > '9') : text[i] != shape[i]) return false;
  const auto two = [&](size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = two(0) * 100 + two(2), month = two(5), day = two(8);
  if (year == 0 || month < 1 || month > 12) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= days[month - 1] + (month == 2 && leap) && two(11) < 24 && two(14) < 60 &&
         two(17) < 60;
}

double seconds_between(std::string_view from, std::string_view to) {
  if (!is_timestamp(from) || !is_timestamp(to)) return -1;
  const auto instant = [](std::string_view text) {
    std::tm tm{};
    const auto number = [&](size_t at, int n) { return std::stoi(std::string(text.substr(at, n))); };
    tm.tm_year = number(0, 4) - 1900, tm.tm_mon = number(5, 2) - 1, tm.tm_mday = number(8, 2);
    tm.tm_hour = number(11, 2), tm.tm_min = number(14, 2), tm.tm_sec = number(17, 2);
    return timegm(&tm);
  };
  return static_cast<double>(instant(to) - instant(from));
}

namespace {

/// Removes the temporary file unless it was renamed.
struct TemporaryFile {
  std::string path;
  int descriptor = -1;
  ~TemporaryFile() {
    if (descriptor >= 0) close(descriptor);
    if (!path.empty()) unlink(path.c_str());
  }
};

}  // namespace

void write_whole_file(const std::filesystem::path& file, std::string_view content) {
  const auto fail = [&](const char* what) {
    throw std::runtime_error("cannot " + std::string(what) + " " + file.string() + ": " +
                             std::strerror(errno));
  };
  const auto write_to = [&](int descriptor) {
    while (!content.empty()) {
      const ssize_t written = write(descriptor, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write");
      content.remove_prefix(static_cast<size_t>(written));
    }
  };
  TemporaryFile temporary;
  // A pipe or /dev/null is written to, never replaced by a file, as root could.
  std::error_code none;
  if (const auto kind = std::filesystem::status(file, none).type();
      kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo) {
    temporary.descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (temporary.descriptor < 0) fail("open");
    return write_to(temporary.descriptor);
  }
  std::string pattern = file.string() + ".XXXXXX";
  temporary.descriptor = mkostemp(pattern.data(), O_CLOEXEC);
  if (temporary.descriptor < 0) fail("create a temporary file beside");
  temporary.path = pattern;
  write_to(temporary.descriptor);
  // mkostemp makes the file private; a report is for whoever may read the folder.
  if (fchmod(temporary.descriptor, 0644) != 0) fail("set the mode of");
  if (fsync(temporary.descriptor) != 0) fail("flush");
  if (rename(pattern.c_str(), file.c_str()) != 0) fail("rename a temporary file to");
  temporary.path.clear();

  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
    fsync(descriptor);  // file systems that cannot flush a folder say EINVAL; the rename itself has happened
    close(descriptor);
  }
}

std::string read_whole_file(const std::filesystem::path& file) {
  // Opening a folder succeeds; reading it throws without its name.
  if (std::filesystem::is_directory(file))
    throw std::runtime_error("cannot read " + file.string() + ": it is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string() + ": " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace assay::report
