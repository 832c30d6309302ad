// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace assay::report {

/// Text from devices, cases and the environment is bytes of any kind. Each ill-formed UTF-8 sequence
/// (surrogates and overlong forms included) becomes U+FFFD.
std::string well_formed(std::string_view bytes);

/// Well-formed and free of what XML 1.0 cannot hold: C0 controls other than TAB, LF and CR, U+FFFE and
/// U+FFFF.
std::string for_xml(std::string_view bytes);

/// Well-formed, with < > & " ' as entities and controls as the pictures U+2400.. (a NUL stays visible).
std::string for_html(std::string_view bytes);

/// One line for a terminal: well-formed, controls (ESC too) as their pictures.
std::string for_terminal(std::string_view bytes);

/// At most `limit` bytes (>= 3), cut between characters and ended with an ellipsis where something is
/// missing.
std::string shortened(std::string_view well_formed_text, size_t limit);

/// The same with `limit` in characters, for columns.
std::string shortened_columns(std::string_view well_formed_text, size_t limit);
size_t columns(std::string_view well_formed_text);
/// The text with spaces behind it, where it has fewer columns than that.
std::string pad(std::string well_formed_text, size_t columns);

/// What stands before `at`, which is taken from the text with it; all of a text that lacks it.
std::string_view cut(std::string_view& text, char at);

std::string first_line(std::string_view text);

/// Words in lines of at most 110 columns, each but the first with `indent` in front; a longer word has a line
/// of its own. No line ends the text.
std::string wrapped(std::string_view words, std::string_view indent = {});

/// 1234567 with the separator between groups of three digits; counts below 10,000 too.
std::string grouped(uint64_t number, std::string_view separator);

/// Three significant digits and a unit prefix: 412, 1.23k, 50.1M, 2.3G.
std::string compact(double number);

/// "850 ms", "12.3 s", "4 min 05 s", "2 h 03 min".
std::string duration(double seconds);

/// Seconds between two times written YYYY-MM-DDThh:mm:ss; negative if either is not so written.
double seconds_between(std::string_view from_utc, std::string_view to_utc);

/// Whether the text has exactly the form YYYY-MM-DDThh:mm:ss, in range.
bool is_timestamp(std::string_view text);

/// Shell-style pattern over the whole text: '*' any characters, '?' one.
constexpr bool glob(std::string_view pattern, std::string_view text) {
  size_t p = 0, n = 0, star = std::string_view::npos, mark = 0;
  while (n < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Writes a file that a reader sees either whole or as it was before: a temporary file beside it, flushed to
/// the medium, then renamed over it. Throws std::runtime_error with one sentence; the old file then is
/// untouched.
void write_whole_file(const std::filesystem::path& file, std::string_view content);

/// Throws std::runtime_error with one sentence if the file cannot be read.
std::string read_whole_file(const std::filesystem::path& file);

}  // namespace assay::report
